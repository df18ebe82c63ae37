// Keys of a player: while the focus is within it, and, where it is the only player on the page and in view, while nothing has the focus.
import { nextSpeed } from "../../replay/clock.ts";
import { takesKeys } from "../lib/takes-keys.ts";
import type { Controls } from "./play-bar.tsx";

type KeyPress = Pick<
  KeyboardEvent,
  "target" | "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "defaultPrevented" | "preventDefault"
>;

/** With these, a reader scrolls the page, unless the focus is in the player. */
const OF_PAGE = ["Home", "End"];

/** Handles a key while nothing has the focus. A visitor's own game in the player has the keys, and the replay waits. */
export function onPageKey(event: KeyPress, controls: Controls, player: Element | null): void {
  if (OF_PAGE.includes(event.key) || player?.querySelector("[data-own-keys]")) return;
  onPlayerKey(event, controls);
}

/** Handles a key. Fields, choices and buttons keep the keys that they use themselves. */
export function onPlayerKey(event: KeyPress, { clock, onStep, onEnd }: Controls): void {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(target)) return;
  const element = target instanceof HTMLElement ? target : null;
  if (element?.closest("input, [data-own-keys]")) return;
  if (key === " " && element?.closest("button, a, summary")) return;
  const actions: Readonly<Record<string, () => void>> = {
    " ": clock.toggle,
    ArrowRight: () => onStep(event.shiftKey ? "turn" : "phase", 1),
    ArrowLeft: () => onStep(event.shiftKey ? "turn" : "phase", -1),
    "]": () => onStep("turn", 1),
    "[": () => onStep("turn", -1),
    ".": () => onStep("token", 1),
    ",": () => onStep("token", -1),
    Home: () => onEnd("first"),
    End: () => onEnd("last"),
    "-": () => clock.setSpeed(nextSpeed(clock.get().speed, -1)),
    "=": () => clock.setSpeed(nextSpeed(clock.get().speed, 1)),
    "+": () => clock.setSpeed(nextSpeed(clock.get().speed, 1)),
  };
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
  if (!action) return;
  event.preventDefault();
  action();
}
