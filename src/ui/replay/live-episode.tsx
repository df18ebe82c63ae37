// The newest finished episode while training continues, at most two a second, until it is frozen for reading or watched.
import { ExternalLink, Play, Snowflake } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import { entryConfig, entryNames } from "../../config/entries.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { Trajectory } from "../../core/types.ts";
import { Chip, EmptyState, Skeleton } from "../components/controls.tsx";
import { AfterTurn } from "../episode/after-turn.tsx";
import { claimsBefore, ghostsBefore } from "../episode/beliefs.ts";
import { EnvPicture } from "../episode/env-picture.tsx";
import {
  isOneTurn,
  oneTurnText,
  outcomeOfStored,
  outcomeText,
  PROVENANCE,
  returnOf,
  traceAddress,
} from "../episode/outcome.ts";
import { PictureSwitch } from "../episode/picture-switch.tsx";
import {
  cachedReplay,
  type ReplayedEpisode,
  statesOfTurn,
  type TurnState,
} from "../episode/replay-frames.ts";
import { TaskReward } from "../episode/task-reward.tsx";
import { readsOf } from "../episode/text-view.ts";
import { ReplyText, RewardParts, TurnTimeline } from "../episode/turn-parts.tsx";
import { formatSigned } from "../lib/format.ts";
import { room } from "../lib/room.tsx";
import { useEnvLoaded } from "../lib/use-env.ts";
import { updateName } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { hasEnded, type StoredTrajectory } from "../store/run-view.ts";
import { useUi } from "../store/ui-store.ts";
import { NoFilm } from "./no-film.tsx";
import { playedOf } from "./played-of.ts";

const Player = room(async () => ({ default: (await import("./replay-player.tsx")).ReplayPlayer }));

const TurnFilm = room(() => import("./turn-film.tsx"), NoFilm);

const MIN_SHOWN_MS = 500;

export function LiveEpisode({ tools }: { tools?: React.ReactNode }) {
  const [mode, setMode] = useState<"follow" | "freeze" | "watch">("follow");
  const frozen = mode !== "follow";
  const { shown, finishedSince } = useFollowed(frozen);
  if (!shown)
    return (
      <div className="p-4">
        <div className="flex justify-end">{tools}</div>
        <EmptyState title="No episode yet">
          <WhenOneAppears />
        </EmptyState>
      </div>
    );
  return (
    <section aria-label="Latest episode" className="flex flex-col gap-3 p-4">
      <div className="flex items-center gap-2">
        <h2 className="flex-1 text-lead font-semibold whitespace-nowrap">
          {shown.source === "demonstration" ? "Demonstration" : `${frozen ? "Frozen" : "Latest"} episode`}
        </h2>
        {tools}
      </div>
      {/* On a line of their own: beside the heading they would move the panel's button. */}
      <div className="-mt-1 flex items-center gap-2">
        {mode !== "watch" && (
          <button
            type="button"
            className="btn btn-small"
            onClick={() => setMode("watch")}
            title="Keep this episode on screen and play it"
          >
            <Play size={14} aria-hidden /> Watch
          </button>
        )}
        <button
          type="button"
          className="btn btn-small"
          aria-pressed={frozen}
          onClick={() => setMode(frozen ? "follow" : "freeze")}
          title={frozen ? "Follow the newest episode again" : "Keep this episode on screen to read it"}
        >
          <Snowflake size={14} aria-hidden /> {frozen ? "Follow" : "Freeze"}
        </button>
        {frozen && finishedSince > 0 && (
          <span className="nums text-caption text-muted">{finishedSince} newer</span>
        )}
      </div>
      <Episode key={shown.key} stored={shown} watched={mode === "watch"} />
    </section>
  );
}

/** A validation hands its episodes over when it ends; others appear as they finish. */
function WhenOneAppears() {
  const validating = useRun(({ phase }) => phase?.phase === "validate");
  const ended = useRun(({ state }) => hasEnded(state));
  if (ended) return "The run ended before one could be shown.";
  return validating
    ? "When the validation ends, one of its episodes appears here, turn by turn."
    : "The first finished episode appears here, turn by turn.";
}

/** The trajectory on screen: the newest one, but not before the last has been seen for half a second. */
function useFollowed(frozen: boolean): { shown: StoredTrajectory | null; finishedSince: number } {
  const newest = useRun((view) => view.trajectories[0] ?? null);
  const finished = useRun((view) => view.finishedEpisodes);
  const [shown, setShown] = useState(newest);
  const changedAt = useRef(0);
  const finishedThen = useRef(finished);
  useEffect(() => {
    if (frozen || newest === shown) return;
    const wait = Math.max(0, changedAt.current + MIN_SHOWN_MS - performance.now());
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      finishedThen.current = finished;
      setShown(newest);
    }, wait);
    return () => clearTimeout(timer);
  }, [frozen, newest, shown, finished]);
  return { shown, finishedSince: finished - finishedThen.current };
}

/** "boxes, ": the environment of an episode, in a run of several. */
export function environmentText({ entry }: Pick<Trajectory, "entry">, config: RunConfig | null): string {
  const names = config ? entryNames(config) : [];
  return names.length > 1 ? `${entry ?? names[0]}, ` : "";
}

function Episode({ stored, watched }: { stored: StoredTrajectory; watched: boolean }) {
  const { trajectory, update, source } = stored;
  const config = useRun((view) => view.config);
  const name = useRun((view) => updateName(view, update));
  if (trajectory.turns.length === 0) return <EmptyState title="An episode without turns" />;
  const outcome = outcomeOfStored(stored, config);
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5">
        <Chip tone={outcome.tone}>
          <span aria-hidden>{outcome.mark}</span> {outcomeText(outcome)}
        </Chip>
        <Chip title={PROVENANCE[source].about}>{PROVENANCE[source].word}</Chip>
        <span className="nums text-caption text-muted">
          {name} · {environmentText(trajectory, config)}level {trajectory.seed} · return{" "}
          {formatSigned(returnOf(trajectory))}
        </span>
      </div>
      {source === "demonstration" && (
        <p className="text-caption text-muted">
          {PROVENANCE.demonstration.about} {config && isOneTurn(stored, config) && oneTurnText(config)}
        </p>
      )}
      {watched && config ? (
        <Watched trajectory={trajectory} config={config} />
      ) : (
        <Turns
          stored={stored}
          envConfig={config && entryConfig(config, stored.trajectory.entry).env.config}
        />
      )}
      <Link className="btn" to={traceAddress(stored)}>
        <ExternalLink size={14} aria-hidden /> Open the trace, token by token
      </Link>
    </>
  );
}

/** The episode turn by turn, each as recorded. */
function Turns({ stored: { trajectory }, envConfig }: { stored: StoredTrajectory; envConfig: unknown }) {
  const picture = useUi((ui) => ui.picture);
  const { index, filmed, goTo, onFilmed } = useWalk();
  const turn = trajectory.turns[index]!;
  useEnvLoaded(trajectory.envId);
  const replay = cachedReplay(trajectory, envConfig);
  const { images } = turn.observation;
  const frames = replay.ok ? replay.turns[index]! : null;
  const frame = frames?.before ?? images[0];
  const way = useMemo(() => wayFrom(trajectory, replay, filmed), [trajectory, replay, filmed]);
  const film = (label: string) => (
    <TurnFilm turn={trajectory.turns[filmed!]!} states={way} label={label} onEnd={onFilmed} />
  );
  return (
    <>
      <TurnTimeline turns={trajectory.turns} current={index} onChange={goTo} />
      {frame && (
        <EnvPicture
          envId={trajectory.envId}
          frame={frame}
          further={frames ? (frames.further[0] ?? []) : images.slice(1)}
          seen={frames ? images : []}
          {...readsOf(turn, envConfig)}
          truth={turn.before}
          title={`Turn ${index + 1}`}
          view={picture}
          moving={way.length > 1 ? film : undefined}
          ghosts={way.length > 1 ? [] : ghostsBefore(turn, { envId: trajectory.envId, envConfig })}
          floor={replay.ok ? replay.floor : null}
          claims={claimsBefore(turn, trajectory.turns[index - 1])}
        />
      )}
      <AfterTurn
        envId={trajectory.envId}
        turn={turn}
        frames={frames}
        floor={replay.ok ? replay.floor : null}
        view={picture}
        isLast={index === trajectory.turns.length - 1}
      />
      <PictureSwitch />
      <ReplyText turn={turn} />
      <RewardParts turn={turn} />
      <TaskReward envId={trajectory.envId} envConfig={envConfig} turn={turn} />
    </>
  );
}

/** The states of a turn; none where there is no film of it, because the next turn does not begin where it ended. */
function wayFrom({ turns }: Trajectory, replay: ReplayedEpisode, filmed: number | null): TurnState[] {
  if (!replay.ok || filmed === null) return [];
  const states = statesOfTurn(turns[filmed]!, replay.turns[filmed]!);
  return states.at(-1)!.frame === replay.turns[filmed + 1]?.before ? states : [];
}

/** The current turn, and the previous turn while its film plays. */
function useWalk() {
  const [place, setPlace] = useState<{ index: number; filmed: number | null }>({ index: 0, filmed: null });
  const goTo = (next: number) =>
    setPlace(({ index }) => ({ index: next, filmed: next === index + 1 ? index : null }));
  const onFilmed = () => setPlace(({ index }) => ({ index, filmed: null }));
  return { ...place, goTo, onFilmed };
}

/** The episode as a film. */
function Watched({ trajectory, config }: { trajectory: Trajectory; config: RunConfig }) {
  const replay = useMemo(
    () => playedOf({ trajectory, config }, `Level ${trajectory.seed}`),
    [trajectory, config],
  );
  return (
    <Suspense fallback={<Skeleton what="Loading the player" count={1} className="" item="h-80 rounded-lg" />}>
      <Player replay={replay} compact autoplay speed={2} />
    </Suspense>
  );
}
