// A picture that follows a clock: a state, or the way to it.
import { useCallback, useEffect, useRef } from "react";
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
  const drawn = useRef<Shown | null>(null);
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      const context = canvas.getContext("2d");
      const shown = shownNow();
      if (!context || !shown) return;
      drawn.current = shown;
      const { from, state, way } = shown;
      if (!from || still || way >= 1) drawFrame(context, state.frame);
      // Preparing the way may take a while, so the state that it begins with is there first.
      else if (way === 0) drawFrame(context, from.frame);
      else ways(from, state)(context, way);
    },
    [shownNow, still, ways],
  );
  const ref = useDrawing(draw);
  useEffect(() => {
    const follow = () => ref.current && !isSame(shownNow(), drawn.current, still) && draw(ref.current);
    return clock.subscribe(follow);
  }, [clock, draw, shownNow, still, ref]);
  return <PictureCanvas ref={ref} size={size} label={label} pixelated={size.width < 128} />;
}

/** Whether two moments look the same. Nothing moves while a reply is read, so nothing is drawn again. */
const isSame = (a: Shown | null, b: Shown | null, still: boolean): boolean =>
  a?.state === b?.state && (still || (a?.from === b?.from && a?.way === b?.way));
