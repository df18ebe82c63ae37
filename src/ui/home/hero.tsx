// The first thing that a visitor sees: an agent at work.
import { FlaskConical } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { Link } from "react-router";
import type { CaseStudy } from "../../replay/replay.ts";
import { LoadFailure } from "../components/load-failure.tsx";
import { firstPictureIsShown } from "../lib/first-picture.ts";
import { useReplays } from "../replay/load-replay.ts";
import { playedOf } from "../replay/played-of.ts";
import type { PlayerHandle } from "../replay/player-handle.ts";
import { ReplayPlayer } from "../replay/replay-player.tsx";
import { useMotion } from "./motion.ts";
import { TrainThis } from "./train-this.tsx";

export function Hero({ study }: { study: CaseStudy }) {
  return (
    <section
      aria-label="An agent at work"
      className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)] lg:grid-rows-[auto_1fr] lg:pt-6"
    >
      <h1 className="text-h1 font-semibold text-balance lg:text-[32px] lg:leading-10">
        Watch an agent see, think and act. Then train your own.
      </h1>
      <div className="lg:row-span-2">
        <HeroReplay study={study} />
      </div>
      <div className="flex flex-col gap-4">
        <p className="max-w-[60ch] text-lead text-muted">
          A small vision-language policy, a neural network that reads pictures and writes text, looks at a
          picture, says what it sees, reasons, predicts what its action will do, and acts. Each claim about a
          position is checked against the true state of the world. It first imitated demonstrations and then
          learned from rewards over several turns (multi-turn reinforcement learning).
        </p>
        <div className="flex flex-wrap gap-2">
          <TrainThis preset={study.preset} primary />
          <Link className="btn" to="/train">
            <FlaskConical size={14} aria-hidden /> Set up an experiment
          </Link>
        </div>
        <p className="text-dense text-muted">
          Training runs on your own GPU and needs WebGPU; watching does not.
        </p>
        <p className="max-w-[60ch] text-dense text-muted">
          <strong className="text-text">What to look at:</strong> {study.lookAt}{" "}
          <Link className="text-accent underline underline-offset-2" to={`/replay/${study.id}`}>
            {study.replays.length > 1 ? "Watch both policies" : "Open this case study"}
          </Link>
        </p>
      </div>
    </section>
  );
}

/** The rest of the page begins to load after the first frames. */
const FIRST_FRAMES_MS = 100;

function HeroReplay({ study }: { study: CaseStudy }) {
  const { id, label } = study.replays[0]!;
  const ids = useMemo(() => [id], [id]);
  const loading = useReplays(ids);
  const { moves } = useMotion();
  const player = useRef<PlayerHandle["clock"] | null>(null);
  useWholePage(moves, player);
  useEffect(() => {
    if (loading.state === "loading") return;
    const timer = setTimeout(firstPictureIsShown, FIRST_FRAMES_MS);
    return () => clearTimeout(timer);
  }, [loading.state]);
  if (loading.state === "failed") return <LoadFailure {...loading} className="card py-10" />;
  if (loading.state === "loading") return <div className="skeleton h-[520px] rounded-lg" aria-busy="true" />;
  return (
    <ReplayPlayer
      replay={playedOf(loading.replays[0]!, `${study.title}: ${label}`)}
      autoplay={moves}
      reading="stream"
      compact
      onReady={({ clock }) => {
        player.current = clock;
      }}
    />
  );
}

/** The switch for all pictures of the page moves this one too; its own buttons do not change the others. */
function useWholePage(moves: boolean, player: RefObject<PlayerHandle["clock"] | null>): void {
  const before = useRef(moves);
  useEffect(() => {
    if (before.current === moves) return;
    before.current = moves;
    if (moves) player.current?.play();
    else player.current?.pause();
  }, [moves, player]);
}
