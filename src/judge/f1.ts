// The agreement of stated relations with the true ones: the two scores of VAGEN. Both are harmonic means of precision and
// recall, so naming too much costs as much as naming too little.
import { bestPairing } from "./matching.ts";
import type { Offset, Relation } from "./relations.ts";

/** Weight of each kind in the score. A kind that neither exists nor is named is left out, and the others share its weight. */
export type KindWeights = Readonly<Record<string, number>>;

/** Sokoban: boxes and targets alike. */
export const EXACT_WEIGHTS: KindWeights = { target: 0.5, goal: 0.5, box: 0.5, hole: 0.5 };
/** FrozenLake: where to go matters more than what to avoid. */
export const SOFT_WEIGHTS: KindWeights = { target: 0.7, goal: 0.7, box: 0.3, hole: 0.3 };

/** Of a kind that VAGEN's games do not have, such as those of a user's own environment. */
const OTHER_WEIGHT = 0.5;
/** VAGEN scores no walls. */
const UNSCORED = "wall";

/**
 * The weights of every kind that is scored in a game.
 * @param entities the kinds of its state; walls are left out.
 * @param names kinds that a claim has to give, which count whatever they are.
 */
export const weightsWith = (
  weights: KindWeights,
  entities: readonly string[],
  names: readonly string[] = [],
): KindWeights => ({
  ...weights,
  ...Object.fromEntries(
    [...entities.filter((kind) => kind !== UNSCORED), ...names]
      .filter((kind) => !Object.hasOwn(weights, kind))
      .map((kind) => [kind, OTHER_WEIGHT]),
  ),
});

/** How much two directions have in common, 0…1. */
export type Similarity = (a: Offset, b: Offset) => number;

/** Both axes or nothing. An unstated axis matches no true direction. */
export const exactly: Similarity = (a, b) =>
  a.vertical === b.vertical && a.horizontal === b.horizontal ? 1 : 0;

/** One half for each axis that is stated and right. */
export const byAxis: Similarity = (a, b) =>
  (a.vertical !== null && a.vertical === b.vertical ? 0.5 : 0) +
  (a.horizontal !== null && a.horizontal === b.horizontal ? 0.5 : 0);

/**
 * 2·PR/(P + R) with P = Σ/|stated| and R = Σ/|truth| over the best one-to-one pairing, which is 2Σ/(|stated| + |truth|).
 * With exact pairs the best pairing is VAGEN's greedy one. 1 if both are empty: there was nothing
 * to state (VAGEN's exact score is 0 there, its soft score 1; we use 1 for both).
 */
export function f1(stated: readonly Offset[], truth: readonly Offset[], similarity: Similarity): number {
  if (stated.length + truth.length === 0) return 1;
  const total = bestPairing(stated.map((a) => truth.map((b) => similarity(a, b))));
  return (2 * total) / (stated.length + truth.length);
}

/** F1 of every kind that exists or is named, and their weighted mean. Relations of other kinds are ignored. */
export function scoreRelations(
  stated: readonly Relation[],
  truth: readonly Relation[],
  weights: KindWeights,
  similarity: Similarity,
): { score: number; byKind: ReadonlyMap<string, number> } {
  const of = (list: readonly Relation[], kind: string) => list.filter(({ name }) => name === kind);
  const kinds = Object.keys(weights).filter((kind) => of(stated, kind).length + of(truth, kind).length > 0);
  const byKind = new Map(kinds.map((kind) => [kind, f1(of(stated, kind), of(truth, kind), similarity)]));
  const total = kinds.reduce((sum, kind) => sum + weights[kind]!, 0);
  const sum = kinds.reduce((part, kind) => part + weights[kind]! * byKind.get(kind)!, 0);
  return { score: total > 0 ? sum / total : 1, byKind };
}
