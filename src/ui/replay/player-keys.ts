// Keys of a player, while the focus is within it.
import type { KeyboardEvent } from "react";
import { nextSpeed } from "../../replay/clock.ts";
import { takesKeys } from "../lib/takes-keys.ts";
import type { Controls } from "./play-bar.tsx";

/** Handles a key. Fields, choices and buttons keep the keys that they use themselves. */
export function onPlayerKey(event: KeyboardEvent, { clock, onStep, onEnd }: Controls): void {
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
