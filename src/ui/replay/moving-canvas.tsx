// A picture that follows a clock: a state, or the way to it.
import { useCallback, useEffect } from "react";
import type { Frame } from "../../core/types.ts";
import { useDrawing } from "../components/use-drawing.ts";
import { PictureCanvas } from "../episode/frame-canvas.tsx";
import { useReducedMotion } from "../lib/use-media.ts";
import type { Shown, Ways } from "./episode-states.ts";
import { drawFrame } from "./motion.ts";
import type { PlayerClock } from "./player-clock.ts";

interface MovingCanvasProps {
  clock: PlayerClock;
  /** What the clock's time shows; another function is drawn at once. */
  shownNow: () => Shown | null;
  ways: Ways;
  size: Pick<Frame, "width" | "height">;
  label: string;
}

/** With reduced motion each state is there at once. */
export function MovingCanvas({ clock, shownNow, ways, size, label }: MovingCanvasProps) {
  const still = useReducedMotion();
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      const context = canvas.getContext("2d");
      const shown = shownNow();
      if (!context || !shown) return;
      if (shown.from && !still && shown.way < 1) ways(shown.from, shown.state)(context, shown.way);
      else drawFrame(context, shown.state.frame);
    },
    [shownNow, still, ways],
  );
  const ref = useDrawing(draw);
  useEffect(() => clock.subscribe(() => ref.current && draw(ref.current)), [clock, draw, ref]);
  return <PictureCanvas ref={ref} size={size} label={label} pixelated={size.width < 128} />;
}
