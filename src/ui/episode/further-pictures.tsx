// The pictures that the agent is shown beside the first.
import type { Frame } from "../../core/types.ts";
import { FrameCanvas } from "./frame-canvas.tsx";

/** Each small, with its number in the observation; nothing where there are none. */
export function FurtherPictures({ frames = [] }: { frames?: readonly Frame[] | undefined }) {
  if (frames.length === 0) return null;
  return (
    <div className="mt-2 grid grid-cols-3 gap-2" data-testid="further-pictures">
      {frames.map((frame, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the observation is their identity
        <figure key={i} className="m-0">
          <div className="overflow-hidden rounded-md border border-line">
            <FrameCanvas
              frame={frame}
              label={`Picture ${i + 2} of the observation`}
              pixelated={frame.width < 128}
            />
          </div>
          <figcaption className="mt-0.5 text-center text-caption text-muted">Picture {i + 2}</figcaption>
        </figure>
      ))}
    </div>
  );
}
