// The states between the actions of a turn in a user's own environment. A recording has only those before and after a turn; a worker plays
// the actions, which the page ends if they take too long.
import type { GroundTruth, Trajectory, Turn } from "../../core/types.ts";

/** What is known of the states between the actions of each turn. */
export type OwnSteps =
  /** Nobody has asked yet, or the answer is still to come. */
  | { readonly state: "unknown" | "asked" }
  /** By the index of a turn with several actions: the state after each of them. */
  | { readonly state: "known"; readonly turns: ReadonlyMap<number, readonly GroundTruth[]> }
  | { readonly state: "failed"; readonly problem: string };

export type Recorded = Pick<Trajectory, "envId" | "turns">;

const UNKNOWN: OwnSteps = { state: "unknown" };
const answers = new WeakMap<Recorded, OwnSteps>();
const listeners = new Set<() => void>();

/** What is known of an episode now. */
export const ownSteps = (trajectory: Recorded): OwnSteps => answers.get(trajectory) ?? UNKNOWN;

/** Names of the actions of a turn that were played. */
export const playedIn = ({ executed }: Turn): string[] =>
  executed.filter(({ valid }) => valid).map(({ name }) => name);

/** Says what has been found out about an episode. */
export function setOwnSteps(trajectory: Recorded, steps: OwnSteps): void {
  answers.set(trajectory, steps);
  for (const listener of listeners) listener();
}

/** Calls `listener` when something has been found out. Returns a function that ends this. */
export function watchOwnSteps(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
