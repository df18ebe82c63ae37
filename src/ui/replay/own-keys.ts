// The arrow keys in a visitor's own game.
import { takesKeys } from "../lib/takes-keys.ts";

/** What each arrow key does: the first of these actions that the environment has, in any letter case. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  ArrowUp: ["up", "move_forward"],
  ArrowDown: ["down", "move_backward"],
  ArrowLeft: ["left", "turn_left"],
  ArrowRight: ["right", "turn_right"],
};

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** The action of a key; undefined for a key without one. */
function actionOfKey(key: string, actions: readonly string[]): string | undefined {
  const wanted = Object.hasOwn(ARROWS, key) ? ARROWS[key]! : [];
  return actions.find((name) => wanted.includes(name.toLowerCase()));
}

/** What the arrow keys do, as a sentence; empty where they do nothing. */
export function keysText(actions: readonly string[]): string {
  const keys = Object.keys(ARROWS).flatMap((key) => {
    const action = actionOfKey(key, actions);
    return action ? [{ key, action }] : [];
  });
  if (keys.length === 0) return "";
  const isPlain = keys.every(({ key, action }) => key === `Arrow${action}`);
  if (isPlain && keys.length === Object.keys(ARROWS).length) return "The arrow keys move, too.";
  return `Keys: ${keys.map(({ key, action }) => `${SIGNS[key]} ${action}`).join(", ")}.`;
}

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "altKey" | "ctrlKey" | "metaKey" | "target" | "repeat" | "preventDefault"
>;

interface PlayedByKeys {
  actions: readonly string[];
  /** The game has ended, and the arrow keys scroll the page. */
  isOver: boolean;
  play: (name: string) => void;
  /** For a key that is held. */
  playAgain: (name: string) => void;
}

/** Plays the action of an arrow key. */
export function onGameKey(event: KeyPress, { actions, isOver, play, playAgain }: PlayedByKeys): void {
  const { key, altKey, ctrlKey, metaKey, target } = event;
  const name = actionOfKey(key, actions);
  if (!name || isOver || altKey || ctrlKey || metaKey || takesKeys(target)) return;
  event.preventDefault();
  (event.repeat ? playAgain : play)(name);
}
