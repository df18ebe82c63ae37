// One case study on the front page: its replays as small moving pictures, side by side, and what to look at.
import { ArrowRight } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Link } from "react-router";
import { entryConfig } from "../../config/entries.ts";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { LoadFailure } from "../components/load-failure.tsx";
import { RecordingLoading } from "../episode/env-loading.tsx";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { outcomeInTurns } from "../episode/outcome.ts";
import { replayEpisode } from "../episode/replay-frames.ts";
import { counted } from "../lib/format.ts";
import { useReplays } from "../replay/load-replay.ts";
import { useMotion } from "./motion.ts";
import { useOnScreen } from "./use-on-screen.ts";

/** Small pictures: 32 px a tile are sharp at the size of a card. */
const TILE_PX = 32;
const STEP_MS = 700;
/** The last state stays this many steps before the picture starts over. */
const REST_STEPS = 3;

export function CaseCard({ study }: { study: CaseStudy }) {
  const { ref, near, visible } = useOnScreen<HTMLLIElement>();
  return (
    <li
      ref={ref}
      className="card group relative flex flex-col overflow-hidden focus-within:border-accent hover:border-line-strong"
    >
      <div className="flex justify-center gap-px border-b border-line bg-panel">
        {study.replays.map(({ id, label }) => (
          <div key={id} className="relative w-1/2 min-w-0 bg-panel">
            {near ? <MovingPicture id={id} env={study.env} label={label} moves={visible} /> : <Blank />}
          </div>
        ))}
      </div>
      <div className="flex flex-1 flex-col gap-1 p-3">
        <h4 className="text-body font-semibold">
          <Link to={`/replay/${study.id}`} className="after:absolute after:inset-0">
            {study.title}
          </Link>
        </h4>
        <p className="text-dense text-muted">{study.lookAt}</p>
        <p className="mt-auto flex items-center gap-1 pt-1 text-dense font-semibold text-accent" aria-hidden>
          {study.replays.length > 1 ? "Compare" : "Watch"} <ArrowRight size={14} />
        </p>
      </div>
    </li>
  );
}

const Blank = () => <div className="aspect-square" />;

interface MovingPictureProps {
  /** Of the recording. */
  id: string;
  /** The environment of the recording. */
  env: string;
  label: string;
  moves: boolean;
}

function MovingPicture({ id, env, label, moves }: MovingPictureProps) {
  const ids = useMemo(() => [id], [id]);
  const loading = useReplays(ids);
  if (loading.state === "failed") return <LoadFailure {...loading} className="relative z-10 aspect-square" />;
  if (loading.state === "loading") return <RecordingLoading env={env} className="aspect-square" />;
  return <States replay={loading.replays[0]!} label={label} moves={moves} />;
}

function States({ replay, label, moves }: { replay: Replay; label: string; moves: boolean }) {
  const { trajectory, config } = replay;
  const frames = useMemo(() => {
    const played = replayEpisode(trajectory, entryConfig(config, trajectory.entry).env.config, TILE_PX);
    return played.ok ? [played.turns[0]!.before, ...played.turns.flatMap(({ steps }) => steps)] : [];
  }, [trajectory, config]);
  const motion = useMotion();
  const index = useSteps(frames.length, moves && motion.moves);
  const frame = frames[index];
  const { mark, word } = outcomeInTurns(trajectory);
  return (
    <figure className="m-0">
      {frame ? (
        <FrameCanvas frame={frame} label={`${label}: the state after ${counted(index, "action")}`} />
      ) : (
        <Blank />
      )}
      <figcaption className="flex flex-col px-2 py-1 text-caption">
        <span className="font-semibold">{label}</span>
        <span className={trajectory.success ? "text-ok" : "text-muted"}>
          <span aria-hidden>{mark}</span> {word}
        </span>
      </figcaption>
    </figure>
  );
}

/** Counts through the states and rests on the last one; without motion it stays on the last one, which shows the outcome. */
function useSteps(count: number, moves: boolean): number {
  const [step, setStep] = useState(0);
  useEffect(() => {
    if (!moves || count < 2) return;
    const timer = setInterval(() => setStep((now) => (now + 1) % (count + REST_STEPS)), STEP_MS);
    return () => clearInterval(timer);
  }, [moves, count]);
  return moves ? Math.min(step, count - 1) : Math.max(0, count - 1);
}
