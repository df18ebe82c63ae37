// The states of a recorded episode and the ways between them, for a picture that follows a clock.
import type { Frame, Trajectory } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import type { ClockPlace } from "../../replay/clock.ts";
import { cachedReplay, type ReplayedEpisode, statesOfTurn } from "../episode/replay-frames.ts";
import { bareIn, between, type DrawBetween, type State } from "./motion.ts";

export interface EpisodeStates {
  /** For each turn the state before it and the state after each executed action. */
  turns: readonly (readonly State[])[];
  /** The pictures that the model receives in each turn; none where they were not recorded. */
  seen: readonly (readonly Frame[])[];
  /** Why the states between the actions of a turn are missing; empty where they are there. */
  gap: string;
  /** The floor of the level, where it was played again and has one. */
  floor: FloorPlan | null;
  /** Why the pictures are those that the model received; empty when the level was played again. */
  problem: string;
}

/** Plays an episode again. Where that fails, the recorded pictures of the turns are all there is. */
export const statesOf = (trajectory: Trajectory, envConfig: unknown): EpisodeStates =>
  statesIn(trajectory, cachedReplay(trajectory, envConfig));

/** The states of a replayed episode; where the replay failed, the recorded pictures. */
export function statesIn(trajectory: Trajectory, replayed: ReplayedEpisode): EpisodeStates {
  const seen = trajectory.turns.map(({ observation }) => observation.images);
  if (replayed.ok)
    return {
      turns: replayed.turns.map((frames, i) =>
        statesOfTurn(trajectory.turns[i]!, frames).map((state, n) => ({
          ...state,
          further: frames.further[n] ?? [],
        })),
      ),
      seen,
      gap: replayed.gap,
      floor: replayed.floor,
      problem: "",
    };
  const recorded = trajectory.turns.map(({ before, observation }): State[] => {
    const [frame, ...further] = observation.images;
    return frame ? [{ frame, further, truth: before }] : [];
  });
  return { turns: recorded, seen: seen.map(() => []), gap: "", floor: null, problem: replayed.reason };
}

/** For each turn, how long the motion of each executed action is, in seconds; null for an action without one. */
export const motionSeconds = ({ turns }: EpisodeStates, trajectory: Trajectory): (number | null)[][] =>
  trajectory.turns.map(({ executed }, i) => {
    // An invalid action leads to no state of its own.
    let state = 0;
    return executed.map(({ valid }) => (valid ? (turns[i]?.[++state]?.motion?.seconds ?? null) : null));
  });

/** Draws the way from one state to another. */
export type Ways = (from: State, to: State) => DrawBetween;

/** The state that a place shows, and the one that it comes from while an action moves things. */
export interface Shown {
  state: State;
  from: State | null;
  /** How much of the way is done, 0 … 1. */
  way: number;
}

export function shownAt({ turns }: EpisodeStates, trajectory: Trajectory, place: ClockPlace): Shown | null {
  const states = turns[place.turn] ?? [];
  const { executed } = trajectory.turns[place.turn]!;
  // An invalid action leads to no state of its own.
  const done = executed.slice(0, place.actions).filter(({ valid }) => valid).length;
  const state = states[Math.min(done, states.length - 1)];
  if (!state) return null;
  const moves = place.kind === "action" && executed[place.actions - 1]?.valid && done > 0;
  const from = moves ? (states[done - 1] ?? null) : null;
  return { state, from, way: from ? place.way : 1 };
}

/** Prepared ways between the states of an episode. */
export function waysIn({ turns }: Pick<EpisodeStates, "turns">): Ways {
  const bare = bareIn(turns.flat());
  let last: { from: State; to: State; draw: DrawBetween } | null = null;
  return (from, to) => {
    if (last?.from !== from || last.to !== to) last = { from, to, draw: between(from, to, bare) };
    return last.draw;
  };
}
