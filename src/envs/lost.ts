// Where a game was lost: the turn after which the goal is out of reach with the turns that are left. PIVOT (arXiv 2609.35303)
// calls it the pivot step.
import { isBoard } from "../core/scene.ts";
import type { GroundTruth, SceneTruth, Trajectory, Turn } from "../core/types.ts";
import type { Env, EnvSpec } from "./env.ts";
import { envs, isLoaded } from "./index.ts";

/**
 * The environments whose solver decides exactly whether the goal can be reached and needs nothing but the scene, each with the scenes
 * for which a plan of null is a proof. Questions about a picture are answered in one action, so they are never out of reach.
 *
 * On slippery ice a move goes its own way with luck, and no slip leads further than a move does. So the oracle's plan is what the
 * luckiest player needs: the game counts as lost only when luck cannot win it any more.
 */
const PROVES: Readonly<Record<string, (scene: SceneTruth) => boolean>> = {
  frozenlake: () => true,
  // With several crates the search may give up, and then it says nothing.
  sokoban: (scene) => isBoard(scene) && scene.entities.box?.length === 1,
};

/** Ids of these environments. */
export const SOLVED_ENVS: readonly string[] = Object.keys(PROVES);

/**
 * The environments whose `oracle` decides as exactly but knows more than the scene says, each with the options under which its level can
 * be played again. `lostMoment` alone knows when their games were lost.
 *
 * Navigation's oracle searches all places of the home, and counts the actions that `max_steps` leaves. A scene has no walls, and a
 * recording no imported houses: the loaded ones may be others.
 */
const PROVES_IN_PLAY: Readonly<Record<string, (options: Options) => boolean>> = {
  navigation: ({ homes }) => homes === "own",
};

/** What is read of an environment's options. */
interface Options {
  max_actions_per_step?: number;
  /** Where Navigation's tasks take place. */
  homes?: string;
}

/** The limits of an episode. */
interface Limits {
  /** Turns that the episode may have: `rollout.max_turns`. */
  maxTurns: number;
}

/** When a game was lost. */
export interface LostMoment {
  /** Index of the turn. */
  turn: number;
  /**
   * Index of the executed action after which no number of turns would help, also because the game itself allows too few further
   * actions; null where only the turns ran out.
   */
  action: number | null;
}

type LimitedEpisode = Pick<Trajectory, "envId" | "seed" | "turns" | "success">;

/** The turn of `lostMoment`; null where that is null. */
export const lostTurn = (episode: LimitedEpisode, envConfig: unknown, limits: Limits): number | null =>
  lostMoment(episode, envConfig, limits)?.turn ?? null;

/**
 * The turn after which success is out of reach with the turns left: no plan leads to the goal, or the shortest one
 * needs more turns of `max_actions_per_step` actions. Null when success was never out of reach, where no plan leads to the goal even from
 * the start, so that no turn lost it, for environments without an exact solver, and while Navigation has not been loaded. The recorded actions are played again in the
 * environment, so the answer does not rest on recorded states.
 * @throws EnvError when `envConfig` or an action does not fit the environment.
 */
export function lostMoment(
  { envId, seed, turns, success }: LimitedEpisode,
  envConfig: unknown,
  { maxTurns }: Limits,
): LostMoment | null {
  if (success || !(envId in PROVES || envId in PROVES_IN_PLAY)) return null;
  const spec = envs.get(envId);
  const options = spec.config.parse(envConfig) as Options;
  const playsIn = PROVES_IN_PLAY[envId];
  if (playsIn && !(isLoaded(envId) && playsIn(options))) return null;
  // An environment without the option takes one action a turn.
  const { max_actions_per_step: perTurn = 1 } = options;
  const env = spec.create(options);
  env.reset(seed);
  const isSealed = () =>
    env.oracle() === null && (envId in PROVES_IN_PLAY || isDecidable(envId, env.groundTruth()));
  if (isSealed()) return null;
  for (const [turn, { executed }] of turns.entries()) {
    const before = turns.slice(0, turn);
    if (playTurn(env, executed) || isSealed()) {
      env.reset(seed);
      for (const earlier of before) playTurn(env, earlier.executed);
      return { turn, action: executed.findIndex((one) => playTurn(env, [one]) || isSealed()) };
    }
    const plan = env.oracle();
    if (plan && Math.ceil(plan.length / perTurn) > maxTurns - turn - 1) return { turn, action: null };
  }
  return null;
}

/** Plays a turn's actions again; true when they ended the task. */
const playTurn = (env: Env, executed: Turn["executed"]): boolean =>
  executed.some(({ name, valid }) => valid && env.step(name).terminated);

/** Where and how a game was lost. */
export interface Loss {
  /** Index of the turn. */
  turn: number;
  /** `timeout`: a plan exists, but not for the turns that are left. `deadlock`: none exists any more, however many turns are left. */
  mode: "timeout" | "deadlock";
}

/** Moves of a shortest plan by scene, as `EnvSpec.movesLeft` found them. */
export type KnownMoves = Map<string, number | null>;

/** Whether the solver of an environment decides every state of the level that a scene shows, from the scene alone. */
export const isDecidable = (envId: string, scene: SceneTruth): boolean => PROVES[envId]?.(scene) ?? false;

/** Whether the scenes of an episode tell when it was lost: exactly by a solver, or by a bound (`EnvSpec.leastMoves`), not before it was lost. */
export const tellsLoss = (spec: EnvSpec, scene: SceneTruth): boolean =>
  spec.leastMoves !== undefined || isDecidable(spec.id, scene);

/** The limits of an episode whose scenes are looked at. */
interface SceneLimits extends Limits {
  /** Actions that a turn may have. */
  perTurn: number;
  /** Actions that the episode may have, where the environment limits them. */
  maxActions?: number;
}

/**
 * What `lostTurn` finds, from the recorded scenes of an episode: many times faster, because no level is drawn and no action is
 * played. Null for a success, and where the scenes do not tell. A level that no plan solves counts as lost in its first turn here, because
 * the state before it is not looked at. Where only a bound is known, as PIVOT does for Navigation, a walk around walls may have been lost
 * earlier.
 * @param known what the solver found before, for any level of the environment.
 */
export function lossIn(
  { turns, success }: Pick<Trajectory, "turns" | "success">,
  spec: EnvSpec,
  { maxTurns, perTurn, maxActions = Number.POSITIVE_INFINITY }: SceneLimits,
  known: KnownMoves = new Map(),
): Loss | null {
  if (success || !turns[0] || !tellsLoss(spec, turns[0].after)) return null;
  const movesAfter = (turn: number): number => {
    const moves = movesFrom(turns[turn].after, spec, known) ?? Number.POSITIVE_INFINITY;
    const done = maxActions === Number.POSITIVE_INFINITY ? 0 : actionsIn(turns.slice(0, turn + 1));
    return moves > maxActions - done ? Number.POSITIVE_INFINITY : moves;
  };
  const isLost = (turn: number) => movesAfter(turn) > perTurn * (maxTurns - turn - 1);
  // Success that is out of reach stays so: halve the range [first, end) that has the first lost turn.
  let [first, end] = [0, turns.length];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if (isLost(middle)) end = middle;
    else first = middle + 1;
  }
  if (first === turns.length) return null;
  return { turn: first, mode: movesAfter(first) === Number.POSITIVE_INFINITY ? "deadlock" : "timeout" };
}

const actionsIn = (turns: readonly Turn[]): number =>
  turns.reduce((sum, { executed }) => sum + executed.filter(({ valid }) => valid).length, 0);

function movesFrom(scene: SceneTruth, { movesLeft, leastMoves }: EnvSpec, known: KnownMoves): number | null {
  if (leastMoves) return leastMoves(scene);
  const key = JSON.stringify(scene);
  let moves = known.get(key);
  if (moves === undefined) {
    moves = movesLeft?.(scene as GroundTruth) ?? null;
    known.set(key, moves);
  }
  return moves;
}
