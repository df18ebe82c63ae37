// Decisions that need no network.
import type { Env } from "../../envs/env.ts";

/** The first `count` actions of a shortest path to success; null when there is none. */
export function oracleActions(env: Env, count: number): readonly string[] | null {
  const plan = env.oracle();
  return plan && plan.length > 0 ? plan.slice(0, count) : null;
}
