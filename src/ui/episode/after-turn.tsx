// What a turn led to.
import type { Frame, Turn } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import type { PictureView } from "../store/ui-store.ts";
import { floorClaims } from "./beliefs.ts";
import { ComparisonOf, MapOf } from "./env-picture.tsx";
import { FrameCanvas } from "./frame-canvas.tsx";
import { playedIn } from "./own-steps.ts";
import type { TurnFrames } from "./replay-frames.ts";

interface AfterTurnProps {
  envId: string;
  turn: Turn;
  /** Null where the episode cannot be drawn. */
  frames: TurnFrames | null;
  floor: FloorPlan | null;
  view: PictureView;
  /** Whether no later turn shows what this one led to. */
  isLast: boolean;
}

export function AfterTurn({ frames, isLast, ...state }: AfterTurnProps) {
  return (
    <>
      {frames && <AfterStrip frames={frames.steps} />}
      {isLast && playedIn(state.turn).length > 0 && <LastState {...state} />}
    </>
  );
}

/** What further pictures show of the state in which the episode ended. */
function LastState({ envId, turn, floor, view }: Omit<AfterTurnProps, "frames" | "isLast">) {
  const title = `After turn ${turn.index + 1}`;
  return (
    <>
      <ComparisonOf envId={envId} truth={turn.after} title={title} />
      {view === "debug" && (
        <MapOf
          envId={envId}
          truth={turn.after}
          claims={floorClaims(turn, "prediction")}
          floor={floor}
          title={title}
        />
      )}
    </>
  );
}

/** The states after each action, small. */
function AfterStrip({ frames }: { frames: readonly Frame[] }) {
  if (frames.length === 0) return null;
  return (
    <ol className="flex flex-wrap gap-1" aria-label="After each action">
      {frames.map((frame, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of actions is their identity
        <li key={i} className="flex items-center gap-1 text-caption text-muted">
          <span aria-hidden>→</span>
          <span className="block w-12 overflow-hidden rounded border border-line">
            <FrameCanvas frame={frame} label={`After action ${i + 1}`} />
          </span>
        </li>
      ))}
    </ol>
  );
}
