// One case study on the front page: its replays as small moving pictures, side by side, and what to look at.
import { ArrowRight } from "lucide-react";
import { Suspense, useMemo } from "react";
import { Link } from "react-router";
import { entryConfig } from "../../config/entries.ts";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { LoadFailure } from "../components/load-failure.tsx";
import { RecordingLoading } from "../episode/env-loading.tsx";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { outcomeInTurns } from "../episode/outcome.ts";
import { replayEpisode } from "../episode/replay-frames.ts";
import { counted } from "../lib/format.ts";
import { room } from "../lib/room.tsx";
import { useReplays } from "../replay/load-replay.ts";
import type { CardFilmProps } from "./card-film.tsx";
import { useMotion } from "./motion.ts";
import { useOnScreen } from "./use-on-screen.ts";

/** Where its code does not arrive, the card shows the outcome. */
const CardFilm = room(() => import("./card-film.tsx"), LastState);

/** Small pictures: 32 px a tile are sharp at the size of a card. */
const TILE_PX = 32;

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
            {near ? (
              <MovingPicture id={id} env={study.env} label={label} moves={visible} />
            ) : (
              <Captioned label={label}>
                <Blank />
              </Captioned>
            )}
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
  if (loading.state === "loading")
    return (
      <Captioned label={label}>
        <RecordingLoading env={env} className="aspect-square" />
      </Captioned>
    );
  return <States replay={loading.replays[0]!} label={label} moves={moves} />;
}

function States({ replay, label, moves }: { replay: Replay; label: string; moves: boolean }) {
  const { trajectory, config } = replay;
  const played = useMemo(
    () => replayEpisode(trajectory, entryConfig(config, trajectory.entry).env.config, TILE_PX),
    [trajectory, config],
  );
  const motion = useMotion();
  const { mark, word } = outcomeInTurns(trajectory);
  return (
    <Captioned
      label={label}
      outcome={
        <span className={trajectory.success ? "text-ok" : "text-muted"}>
          <span aria-hidden>{mark}</span> {word}
        </span>
      }
    >
      <Pictures replay={replay} played={played} label={label} moves={moves && motion.moves} />
    </Captioned>
  );
}

/** A picture above its caption, which has its place before the outcome is known, so that cards that load move nothing. */
function Captioned({
  label,
  outcome = <span>&nbsp;</span>,
  children,
}: {
  label: string;
  outcome?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <figure className="m-0">
      {children}
      <figcaption className="flex flex-col px-2 py-1 text-caption">
        <span className="font-semibold">{label}</span>
        {outcome}
      </figcaption>
    </figure>
  );
}

/** The episode as a film; without motion its last state. */
function Pictures({ moves, ...film }: CardFilmProps & { moves: boolean }) {
  const still = <LastState {...film} />;
  if (!moves || !film.played.ok) return still;
  return (
    <Suspense fallback={still}>
      <CardFilm {...film} />
    </Suspense>
  );
}

function LastState({ played, label }: CardFilmProps) {
  if (!played.ok) return <Blank />;
  const last = played.turns.at(-1)!;
  const actions = played.turns.reduce((sum, { steps }) => sum + steps.length, 0);
  return (
    <FrameCanvas
      frame={last.steps.at(-1) ?? last.before}
      label={`${label}: the state after ${counted(actions, "action")}`}
    />
  );
}
