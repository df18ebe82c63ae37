// The picture of a replay: it follows the clock, and shows where the agent believes things to be.
import { useCallback, useMemo } from "react";
import { isBoard } from "../../core/scene.ts";
import type { Frame } from "../../core/types.ts";
import { useWidth } from "../components/use-size.ts";
import { ghostKey, rasterOf } from "../episode/beliefs.ts";
import { describeTruth } from "../episode/describe-truth.ts";
import { LoadLine } from "../episode/env-loading.tsx";
import {
  ComparisonOf,
  Coordinates,
  GhostLabels,
  GhostOutline,
  isReadable,
  labelSize,
  MapOf,
  TaskSentence,
} from "../episode/env-picture.tsx";
import { FurtherPictures } from "../episode/further-pictures.tsx";
import { ModelThumbnails, receivedText } from "../episode/model-thumbnail.tsx";
import { NameLine, pictureName } from "../episode/picture-name.tsx";
import { claimsAt, claimsKey, judgeScope, type Lit, sameLit } from "./claims.ts";
import { shownAt, waysIn } from "./episode-states.ts";
import { MovingCanvas } from "./moving-canvas.tsx";
import { type Playback, placeOf } from "./playback.ts";
import { useClock } from "./use-clock.ts";

const OUTLINES = "Outlines mark where the agent says things are. The agent does not see them.";

/** What the outlines are, and what the judge leaves out. */
export const aboutBeliefs = (...episodes: Parameters<typeof judgeScope>[0]): string =>
  `${OUTLINES} ${judgeScope(episodes)}`.trim();

export function PlayerPicture({
  playback,
  beliefs,
  hasCaption = true,
  hasViews = true,
  lit,
  onLit,
}: {
  playback: Playback;
  /** Whether the agent's claims are outlined. */
  beliefs: boolean;
  hasCaption?: boolean;
  /** Whether `PictureViews` are below it, rather than elsewhere. */
  hasViews?: boolean;
  lit: Lit | null;
  onLit: (lit: Lit | null) => void;
}) {
  const { clock, states } = playback;
  const turn = useClock(clock, (state) => placeOf(playback, state).turn);
  const seen = states.seen[turn] ?? [];
  const [place, width] = useWidth<HTMLDivElement>();
  return (
    <figure className="m-0">
      <PlayedName playback={playback} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger target for what Space and the button do */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: likewise */}
      <div
        ref={place}
        className="relative cursor-pointer overflow-hidden rounded-lg border border-line"
        data-testid="environment"
        onClick={clock.toggle}
      >
        <PlayedCanvas playback={playback} />
        {beliefs && <Beliefs playback={playback} width={width} lit={lit} onLit={onLit} />}
      </div>
      {hasViews && <PictureViews playback={playback} beliefs={beliefs} />}
      {hasCaption && <Caption playback={playback} beliefs={beliefs} seen={seen} />}
    </figure>
  );
}

/** What belongs to the picture: the task in words, and further pictures. */
export function PictureViews({ playback, beliefs }: { playback: Playback; beliefs: boolean }) {
  const turn = useClock(playback.clock, (state) => placeOf(playback, state).turn);
  return (
    <>
      <TaskSentence truth={playback.replay.trajectory.turns[turn]!.before} />
      <PlayedViews playback={playback} beliefs={beliefs} />
    </>
  );
}

/** What the picture shows. */
function Caption({
  playback: { states, replay },
  beliefs,
  seen,
}: {
  playback: Playback;
  beliefs: boolean;
  seen: readonly Frame[];
}) {
  return (
    <figcaption className="mt-1.5 flex min-h-8 items-center gap-2 text-caption text-muted">
      <ModelThumbnails frames={seen} />
      <span>
        {states.problem
          ? `These are the pictures that the model received. ${states.problem}`
          : beliefs
            ? aboutBeliefs(replay.trajectory)
            : seen.length > 0
              ? `${receivedText(seen)}.`
              : ""}{" "}
        {states.gap}
        {states.problem && <LoadLine id={replay.trajectory.envId} />}
      </span>
    </figcaption>
  );
}

/** Further pictures of the state on screen: those that the agent is shown, a comparison of drawings, and with beliefs the map. */
function PlayedViews({ playback, beliefs }: { playback: Playback; beliefs: boolean }) {
  const { clock, states, replay } = playback;
  const places = useClock(clock, (state) => {
    const { turn, actions, phase } = placeOf(playback, state);
    return `${turn} ${actions} ${claimsKey(playback, phase)}`;
  });
  const [turn, actions, phase] = places.split(" ").map(Number) as [number, number, number];
  const shown = shownAt(states, replay.trajectory, { ...placeOf(playback, clock.get()), turn, actions });
  if (!shown) return null;
  const { truth, further } = shown.state;
  const { envId } = replay.trajectory;
  return (
    <>
      <FurtherPictures envId={envId} frames={further} />
      <ComparisonOf envId={envId} truth={truth} />
      {beliefs && (
        <MapOf
          envId={envId}
          truth={truth}
          claims={claimsAt(playback, phase)?.onFloor ?? []}
          floor={states.floor}
        />
      )}
    </>
  );
}

/** Follows the clock from what is to be drawn to the drawing. */
function PlayedName({ playback }: { playback: Playback }) {
  const { clock, states, replay } = playback;
  const { envId } = replay.trajectory;
  const name = useClock(clock, (state) => {
    const shown = shownAt(states, replay.trajectory, placeOf(playback, state));
    return pictureName({ envId, truth: shown?.state.truth ?? null });
  });
  return <NameLine name={name} />;
}

/** The state that the clock has come to, or the way there. */
export function PlayedCanvas({ playback }: { playback: Playback }) {
  const { clock, states, replay } = playback;
  const ways = useMemo(() => waysIn(states), [states]);
  const shownNow = useCallback(
    () => shownAt(states, replay.trajectory, placeOf(playback, clock.get())),
    [playback, states, replay, clock],
  );
  const label = useClock(clock, (state) => {
    const place = placeOf(playback, state);
    const shown = shownAt(states, replay.trajectory, place);
    if (!shown) return "No picture was recorded";
    return `Turn ${place.turn + 1}. ${describeTruth(replay.trajectory.envId, shown.state.truth)}`;
  });
  const frame = states.turns.find((turn) => turn.length > 0)?.[0]?.frame;
  if (!frame) return <span className="block p-6 text-dense text-muted">No picture was recorded.</span>;
  return <MovingCanvas clock={clock} shownNow={shownNow} ways={ways} size={frame} label={label} />;
}

/** The claims of the moment as outlines. */
function Beliefs({
  playback,
  width,
  lit,
  onLit,
}: {
  playback: Playback;
  /** Of the picture, in px; 0 while it is not known. */
  width: number;
  lit: Lit | null;
  onLit: (lit: Lit | null) => void;
}) {
  const { clock, replay } = playback;
  // One text for all that the outlines depend on, so that they are drawn again only when it changes.
  const key = useClock(clock, (state) => claimsKey(playback, placeOf(playback, state).phase));
  const phase = Number(key.split(" ")[0]);
  const { turn } = playback.timeline.phases[phase]!;
  const { before: truth } = replay.trajectory.turns[turn]!;
  const shown = claimsAt(playback, phase);
  const { rows, cols } = rasterOf(truth);
  const size = labelSize(cols, width);
  return (
    <svg viewBox={`0 0 ${cols} ${rows}`} className="absolute inset-0 size-full" aria-hidden="true">
      {shown?.ghosts.map((ghost) => {
        // What is said of neighbours has no field to point at.
        const mine: Lit | null = ghost.isBeside ? null : { turn, claim: shown.claim, name: ghost.name };
        return (
          <g
            key={ghostKey(ghost)}
            pointerEvents={mine ? undefined : "none"}
            onPointerEnter={() => onLit(mine)}
            onPointerLeave={() => onLit(null)}
          >
            <GhostOutline ghost={ghost} isLit={mine !== null && sameLit(lit, mine)} />
          </g>
        );
      })}
      {isBoard(truth) && isReadable(size, cols, width) && <Coordinates truth={truth} size={size} />}
      {shown && <GhostLabels ghosts={shown.ghosts} truth={truth} size={labelSize(cols, width, truth)} />}
    </svg>
  );
}
