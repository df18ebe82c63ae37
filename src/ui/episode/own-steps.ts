// The states between the actions of a turn in a user's own environment. A recording has only those before and after a turn. A worker plays
// the actions; the page ends it if it takes too long.
import type { SceneTruth, Trajectory, Turn } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/registry.ts";

/** What is known of the states between the actions of each turn. */
export type OwnSteps =
  /** Nobody has asked yet, or the answer is still to come. */
  | { readonly state: "unknown" | "asked" }
  /** By the index of a turn with several actions: the state after each of them. */
  | { readonly state: "known"; readonly turns: ReadonlyMap<number, readonly SceneTruth[]> }
  | { readonly state: "failed"; readonly problem: string };

export type Recorded = Pick<Trajectory, "envId" | "turns">;

/** An answer holds for one environment: a corrected extension registers another with the same id. */
const answers = new WeakMap<Recorded, { spec: EnvSpec | undefined; steps: OwnSteps }>();
const listeners = new Set<() => void>();

/** The environment of an episode, if it is registered. */
export const environmentOf = ({ envId }: Recorded): EnvSpec | undefined =>
  envs.all.find(({ id }) => id === envId);

/** What is known of an episode now. Another object after its environment has been registered again. */
export function ownSteps(trajectory: Recorded): OwnSteps {
  const spec = environmentOf(trajectory);
  const last = answers.get(trajectory);
  if (last && last.spec === spec) return last.steps;
  const steps: OwnSteps = { state: "unknown" };
  answers.set(trajectory, { spec, steps });
  return steps;
}

/** Names of the actions of a turn that were played. */
export const playedIn = ({ executed }: Turn): string[] =>
  executed.filter(({ valid }) => valid).map(({ name }) => name);

/** Says what has been found out about an episode in `spec`; too late, and without effect, if another one has taken its place. */
export function setOwnSteps(trajectory: Recorded, spec: EnvSpec | undefined, steps: OwnSteps): void {
  if (spec !== environmentOf(trajectory)) return;
  answers.set(trajectory, { spec, steps });
  ownStepsChanged();
}

/** Calls the listeners, also when environments may have been registered again. */
export function ownStepsChanged(): void {
  for (const listener of listeners) listener();
}

/** Calls `listener` when something has been found out. Returns a function that ends this. */
export function watchOwnSteps(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
