// The picture that the model receives, small beside the larger one that people see.
import type { Frame } from "../../core/types.ts";
import { FrameCanvas } from "./frame-canvas.tsx";

/** The model's picture, 32 px wide. */
export const ModelThumbnail = ({ frame }: { frame: Frame }) => (
  <span className="w-8 flex-none overflow-hidden rounded-sm border border-line">
    <FrameCanvas frame={frame} label="The same picture in the size that the model receives" pixelated />
  </span>
);
