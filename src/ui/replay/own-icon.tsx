// What a visitor draws. It stays as large as before the first drawing, so that it can be copied and the drawing be improved.
import { useMemo } from "react";
import type { Drawings } from "../../envs/env.ts";
import { FrameCanvas } from "../episode/frame-canvas.tsx";

interface OwnIconProps {
  drawings: Drawings;
  /** Its code. */
  icon: string;
  /** Of the picture, in pixels. */
  side: number;
}

export function OwnIcon({ drawings, icon, side }: OwnIconProps) {
  const frame = useMemo(() => drawings.picture(icon, side), [drawings, icon, side]);
  return <FrameCanvas frame={frame} label="The icon to draw" />;
}
