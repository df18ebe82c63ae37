// The newest finished episode while training continues, at most two a second, until it is frozen for reading.
import { ExternalLink, Snowflake } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { Chip, EmptyState, Segmented } from "../components/controls.tsx";
import { formatSigned } from "../lib/format.ts";
import { useRun } from "../store/run-store.ts";
import type { StoredTrajectory } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { ghostsOf } from "./beliefs.ts";
import { EnvPicture } from "./env-picture.tsx";
import { isOneTurn, oneTurnText, outcomeOfStored, PROVENANCE, returnOf, traceAddress } from "./outcome.ts";
import { cachedReplay } from "./replay-frames.ts";
import { ReplyText, RewardParts, TurnTimeline } from "./turn-parts.tsx";

const MIN_SHOWN_MS = 500;

export function LiveEpisode({ tools }: { tools?: React.ReactNode }) {
  const [frozen, setFrozen] = useState(false);
  const { shown, finishedSince } = useFollowed(frozen);
  if (!shown)
    return (
      <div className="p-4">
        <div className="flex justify-end">{tools}</div>
        <EmptyState title="No episode yet">The first finished episode appears here, turn by turn.</EmptyState>
      </div>
    );
  return (
    <section aria-label="Latest episode" className="flex flex-col gap-3 p-4">
      <div className="flex items-center gap-2">
        <h2 className="text-lead font-semibold">
          {shown.source === "demonstration" ? "Demonstration" : `${frozen ? "Frozen" : "Latest"} episode`}
        </h2>
        <span className="flex-1" />
        {frozen && finishedSince > 0 && (
          <span className="nums text-caption text-muted">{finishedSince} newer</span>
        )}
        <button
          type="button"
          className="btn btn-small"
          aria-pressed={frozen}
          onClick={() => setFrozen(!frozen)}
          title={frozen ? "Follow the newest episode again" : "Keep this episode on screen to read it"}
        >
          <Snowflake size={14} aria-hidden /> {frozen ? "Follow" : "Freeze"}
        </button>
        {tools}
      </div>
      <Episode key={shown.key} stored={shown} />
    </section>
  );
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

function Episode({ stored }: { stored: StoredTrajectory }) {
  const { trajectory, update, source } = stored;
  const config = useRun((view) => view.config);
  const envConfig = config?.env.config;
  const runId = useRun((view) => view.runId);
  const picture = useUi((ui) => ui.picture);
  const [index, setIndex] = useState(0);
  const turn = trajectory.turns[index];
  if (!turn) return <EmptyState title="An episode without turns" />;
  const replay = cachedReplay(`${runId}/${stored.key}`, trajectory, envConfig);
  const seen = turn.observation.images[0] ?? null;
  const frame = replay.ok ? replay.turns[index]!.before : seen;
  const outcome = outcomeOfStored(stored, config);
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5">
        <Chip tone={outcome.tone}>
          <span aria-hidden>{outcome.mark}</span> {outcome.word}
        </Chip>
        <Chip title={PROVENANCE[source].about}>{PROVENANCE[source].word}</Chip>
        <span className="nums text-caption text-muted">
          update {update} · level {trajectory.seed} · return {formatSigned(returnOf(trajectory))}
        </span>
      </div>
      {source === "demonstration" && (
        <p className="text-caption text-muted">
          {PROVENANCE.demonstration.about} {config && isOneTurn(stored, config) && oneTurnText(config)}
        </p>
      )}
      <TurnTimeline turns={trajectory.turns} current={index} onChange={setIndex} />
      {frame && (
        <EnvPicture
          frame={frame}
          seen={replay.ok ? seen : null}
          truth={turn.before}
          title={`Turn ${index + 1}`}
          view={picture}
          ghosts={ghostsOf(turn, "observation")}
        />
      )}
      <PictureSwitch />
      <ReplyText turn={turn} />
      <RewardParts turn={turn} />
      <Link className="btn" to={traceAddress(stored)}>
        <ExternalLink size={14} aria-hidden /> Open the trace, token by token
      </Link>
    </>
  );
}

export function PictureSwitch() {
  const picture = useUi((ui) => ui.picture);
  return (
    <Segmented
      name="What the picture shows"
      value={picture}
      choices={[
        { value: "agent", label: "Agent view" },
        { value: "debug", label: "Debug view" },
      ]}
      onChange={(value) => setUi({ picture: value })}
      className="self-start"
    />
  );
}
