// Decisions that need no network: the best and the most careless.
import type { Rng } from "../../core/rng.ts";
import type { Env } from "../../envs/env.ts";

/** The first `count` actions of a shortest path to success; null when there is none. */
export function oracleActions(env: Env, count: number): readonly string[] | null {
  const plan = env.oracle();
  return plan && plan.length > 0 ? plan.slice(0, count) : null;
}

/** One uniformly random action. */
export function randomActions(random: Rng, actions: readonly string[]): readonly string[] {
  return [random.pick(actions)];
}
