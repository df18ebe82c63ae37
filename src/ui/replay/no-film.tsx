// What stands in for the film of a turn whose code does not arrive: the state that the turn leads to.
import { useEffect } from "react";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import type { TurnFilmProps } from "./turn-film.tsx";

export function NoFilm({ states, label, onEnd }: Pick<TurnFilmProps, "states" | "label" | "onEnd">) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each turn
  useEffect(onEnd, [states]);
  return <FrameCanvas frame={states.at(-1)!.frame} label={label} />;
}
