// Where a game was lost: the turn after which the goal is out of reach with the turns that are left.
import type { SceneTruth, Trajectory, Turn } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import { envs } from "../envs/index.ts";

/**
 * The environments whose `oracle` decides exactly whether the goal can be reached, each with the scenes for which a plan of
 * null is a proof. Questions about a picture are answered in one action, so they are never out of reach.
 *
 * On slippery ice a move goes its own way with luck, and no slip leads further than a move does. So the oracle's plan is what the
 * luckiest player needs: the game counts as lost only when luck cannot win it any more.
 */
const PROVES: Readonly<Record<string, (scene: SceneTruth) => boolean>> = {
  frozenlake: () => true,
  // With several crates the search may give up, and then it says nothing.
  sokoban: ({ entities }) => entities.box?.length === 1,
};

/** The limits of an episode. */
interface Limits {
  /** Turns that the episode may have: `rollout.max_turns`. */
  maxTurns: number;
}

/**
 * The index of the turn after which success is out of reach with the turns left: no plan leads to the goal, or the shortest one
 * needs more turns of `max_actions_per_step` actions. Null when success was never out of reach, and for environments without an
 * exact solver. The recorded actions are played again in the environment, so the answer does not rest on recorded states.
 * @throws EnvError when `envConfig` or an action does not fit the environment.
 */
export function lostTurn(
  { envId, seed, turns, success }: Pick<Trajectory, "envId" | "seed" | "turns" | "success">,
  envConfig: unknown,
  { maxTurns }: Limits,
): number | null {
  const proves = PROVES[envId];
  if (!proves || success) return null;
  const spec = envs.get(envId);
  const options = spec.config.parse(envConfig);
  // An environment without the option takes one action a turn.
  const { max_actions_per_step: perTurn = 1 } = options as { max_actions_per_step?: number };
  const env = spec.create(options);
  env.reset(seed);
  for (const [index, turn] of turns.entries()) {
    if (playTurn(env, turn)) return index;
    const plan = env.oracle();
    const turnsLeft = maxTurns - index - 1;
    if (plan ? Math.ceil(plan.length / perTurn) > turnsLeft : proves(env.groundTruth())) return index;
  }
  return null;
}

/** Plays a turn's actions again; true when they ended the task. */
function playTurn(env: Env, { executed }: Turn): boolean {
  return executed.some(({ name, valid }) => valid && env.step(name).terminated);
}
