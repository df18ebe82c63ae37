// The pictures that the agent is shown beside the first.
import type { Frame } from "../../core/types.ts";
import { envs } from "../../envs/registry.ts";
import { FrameCanvas } from "./frame-canvas.tsx";

interface FurtherPicturesProps {
  /** Id of the environment that the pictures show. */
  envId: string;
  frames?: readonly Frame[] | undefined;
}

/** Each small, with its number in the observation; nothing where there are none. An agent that draws is shown the target again. */
export function FurtherPictures({ envId, frames = [] }: FurtherPicturesProps) {
  if (frames.length === 0) return null;
  const role = envs.all.find(({ id }) => id === envId)?.drawings ? ": target" : "";
  return (
    <div className="mt-2 grid grid-cols-3 gap-2" data-testid="further-pictures">
      {frames.map((frame, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the observation is their identity
        <figure key={i} className="m-0">
          <div className="overflow-hidden rounded-md border border-line">
            <FrameCanvas
              frame={frame}
              label={`Picture ${i + 2} of the observation${role}`}
              pixelated={frame.width < 128}
            />
          </div>
          <figcaption className="mt-0.5 text-center text-caption text-muted">
            Picture {i + 2}
            {role}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
