// The picture of a turn in a trace: the state before the turn, or the state that the player has reached in it.
import type { Frame, SceneTruth, Turn } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import { claimsBefore, type FloorClaim, type Ghost, ghostsBefore } from "../episode/beliefs.ts";
import { EnvPicture } from "../episode/env-picture.tsx";
import type { TurnFrames } from "../episode/replay-frames.ts";
import { readsOf } from "../episode/text-view.ts";
import { claimsAt, claimsKey } from "../replay/claims.ts";
import { shownAt } from "../replay/episode-states.ts";
import { type Playback, placeOf } from "../replay/playback.ts";
import { PlayedCanvas } from "../replay/player-picture.tsx";
import { useClock } from "../replay/use-clock.ts";
import type { PictureView } from "../store/ui-store.ts";

interface TurnPictureProps {
  envId: string;
  envConfig: unknown;
  turn: Turn;
  /** The turn before it, which predicted what it begins with. */
  previous: Turn | undefined;
  /** Null where the episode cannot be played again. */
  frames: TurnFrames | null;
  /** The player, if it is at this turn; otherwise null. */
  playback: Playback | null;
  floor: FloorPlan | null;
  view: PictureView;
}

export const turnTitle = ({ index }: Turn): string => `Turn ${index + 1}`;

export const TurnPicture = ({ playback, ...turn }: TurnPictureProps) =>
  playback && turn.frames ? (
    <PlayedPicture playback={playback} {...turn} />
  ) : (
    <StatePicture {...turn} moment={stateBefore(turn)} />
  );

/** A state of the turn, and what is claimed about it. */
interface TurnMoment {
  truth: SceneTruth;
  /** The pictures that the agent is shown beside that of the state. */
  further: readonly Frame[];
  ghosts: readonly Ghost[];
  claims: readonly FloorClaim[];
}

type TurnProps = Omit<TurnPictureProps, "playback">;

const stateBefore = ({ turn, previous, frames, envId, envConfig }: TurnProps): TurnMoment => ({
  truth: turn.before,
  further: frames ? (frames.further[0] ?? []) : turn.observation.images.slice(1),
  ghosts: ghostsBefore(turn, { envId, envConfig }),
  claims: claimsBefore(turn, previous),
});

function PlayedPicture({ playback, ...props }: TurnProps & { playback: Playback }) {
  const moment = useMoment(playback, props);
  return <StatePicture {...props} moment={moment} canvas={<PlayedCanvas playback={playback} />} />;
}

/**
 * Claims are about the state before the turn until the player has reached a prediction, which is about the state after it. A reply without
 * one claims nothing about the states that its actions lead to.
 */
function useMoment(playback: Playback, props: TurnProps): TurnMoment {
  const { clock, states, replay } = playback;
  const isDebug = props.view === "debug";
  // One text for all that the moment depends on, so that the picture is rendered again only when it changes.
  useClock(clock, (state) => {
    const { turn, actions, phase } = placeOf(playback, state);
    return `${turn} ${actions} ${isDebug ? claimsKey(playback, phase) : ""}`;
  });
  const before = stateBefore(props);
  const place = placeOf(playback, clock.get());
  const shown = shownAt(states, replay.trajectory, place);
  // The clock may be a step ahead of the place in the trace, which follows it.
  if (!shown || replay.trajectory.turns[place.turn] !== props.turn) return before;
  const state = { truth: shown.state.truth, further: shown.state.further ?? [] };
  const said = isDebug ? claimsAt(playback, place.phase) : null;
  if (said?.claim === "prediction") return { ...state, ghosts: said.ghosts, claims: said.onFloor };
  return place.actions > 0 ? { ...state, ghosts: [], claims: [] } : before;
}

interface StatePictureProps extends TurnProps {
  moment: TurnMoment;
  /** Draws the state in place of its still picture. */
  canvas?: React.ReactNode;
}

/** Nothing where no picture of the state before the turn is known. */
function StatePicture({ moment, canvas, ...props }: StatePictureProps) {
  const { envId, envConfig, turn, frames, floor, view } = props;
  const { images } = turn.observation;
  const frame = frames?.before ?? images[0];
  if (!frame) return null;
  return (
    <EnvPicture
      envId={envId}
      frame={frame}
      seen={frames ? images : []}
      {...readsOf(turn, envConfig)}
      textTitle={`What the policy read in turn ${turn.index + 1}`}
      {...moment}
      title={turnTitle(turn)}
      view={view}
      moving={canvas ? () => canvas : undefined}
      floor={floor}
    />
  );
}
