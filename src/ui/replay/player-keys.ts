// Keys of a player: while the focus is within it, and, where it is the only player in view, while nothing has the focus.
import { type RefObject, useEffect, useRef } from "react";
import { nextSpeed } from "../../replay/clock.ts";
import { isFree, isOnlyOneInView, takesKeys } from "../lib/takes-keys.ts";
import { useUi } from "../store/ui-store.ts";
import type { Controls } from "./play-bar.tsx";

type KeyPress = Pick<
  KeyboardEvent,
  "target" | "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "defaultPrevented" | "preventDefault"
>;

/** With these, a reader scrolls the page, unless the focus is in the player. */
const OF_PAGE = ["Home", "End"];

/** Gives the only full player in view its keys while nothing has the focus and single keys are on. `controls` is null for other players. */
export function usePageKeys(frame: RefObject<HTMLElement | null>, controls: Controls | null): void {
  const latest = useRef(controls);
  latest.current = controls;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!latest.current || !frame.current || !useUi.getState().shortcuts) return;
      if (!isFree(event.target) || OF_PAGE.includes(event.key)) return;
      // A visitor's own game has the arrow keys, and the replay waits.
      if (frame.current.querySelector("[data-own-keys]")) return;
      if (isOnlyOneInView(frame.current, "[data-page-keys]")) onPlayerKey(event, latest.current);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [frame]);
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
