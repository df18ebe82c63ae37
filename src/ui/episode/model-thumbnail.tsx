// The pictures that the model receives, small beside the larger one that people see.
import type { Frame } from "../../core/types.ts";
import { FrameCanvas } from "./frame-canvas.tsx";

/** The model's pictures, each 32 px wide. */
export const ModelThumbnails = ({ frames }: { frames: readonly Frame[] }) =>
  frames.map((frame, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the place in the observation is their identity
    <span key={i} className="w-8 flex-none overflow-hidden rounded-sm border border-line">
      <FrameCanvas
        frame={frame}
        label={`${i === 0 ? "The same picture" : `Picture ${i + 1}`} in the size that the model receives`}
        pixelated
      />
    </span>
  ));

/** How many pictures the model receives, and their size; empty where that is not known. */
export function receivedText(frames: readonly Frame[]): string {
  const [first] = frames;
  if (!first) return "";
  const size = `${first.width} × ${first.height} pixels`;
  return frames.length === 1
    ? `The model receives ${size}`
    : `The model receives ${frames.length} pictures of ${size}`;
}
