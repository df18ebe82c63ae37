// How much of the returns any critic could explain: the ceiling that an explained variance is to be read against.
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { byGroup } from "./groups.ts";

/** A share of the variance of returns, and what it was estimated from. */
interface ExplainedShare {
  /** At most 1. A share that is 0 in truth is estimated a little below 0 as often as above. */
  share: number;
  groups: number;
  /** Groups of at least two returns: the others say nothing about the variance within groups. */
  repeated: number;
}

/** The explainable share of the returns of turns. */
export interface Explainable {
  episodes: number;
  /** Turns, each with one return. */
  observations: number;
  /** By level, turn and state: what is known before a reply. */
  turnStart: ExplainedShare;
  /** By these and the state that the actions lead to: what is known at the end of a reply. */
  turnEnd: ExplainedShare;
}

/** A return with what is known at both ends of its turn. */
interface Observation {
  before: string;
  after: string;
  value: number;
}

/**
 * Share of the variance of turn returns that the state explains, before a reply and at its end. Needs several episodes of each
 * level. The return of a turn is the sum of its reward and of those of all later turns, without a discount. A critic that reads
 * nothing but the state reaches this explained variance at best; one that also reads the words of a reply may exceed it.
 * @returns null when no state occurs twice.
 */
export function explainableShare(trajectories: readonly Trajectory[]): Explainable | null {
  const observations = trajectories.flatMap(observationsOf);
  const turnStart = explainedBy(observations, ({ before }) => before);
  const turnEnd = explainedBy(observations, ({ before, after }) => `${before} ${after}`);
  if (!turnStart || !turnEnd) return null;
  return { episodes: trajectories.length, observations: observations.length, turnStart, turnEnd };
}

function observationsOf({ groupId, turns }: Trajectory): Observation[] {
  let value = 0;
  return turns
    .toReversed()
    .map(({ index, reward, before, after }) => {
      value += reward;
      return { before: JSON.stringify([groupId, index, before]), after: JSON.stringify(after), value };
    })
    .toReversed();
}

function explainedBy(
  observations: readonly Observation[],
  key: (observation: Observation) => string,
): ExplainedShare | null {
  const keyed = observations.map((observation) => ({ groupId: key(observation), value: observation.value }));
  const groups = [...byGroup(keyed, ({ value }) => value).values()];
  const share = varianceShare(groups);
  const repeated = groups.filter(({ length }) => length > 1).length;
  return share === null ? null : { share, groups: groups.length, repeated };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Share of the variance that lies between groups, σ²_a/(σ²_a + σ²_e), from the unbalanced one-way analysis of variance with random
 * effects (Searle, Casella & McCulloch 1992, §3.6): σ²_e = SSW/(N − G), σ²_a = (SSB/(G − 1) − σ²_e)/n₀,
 * n₀ = (N − Σn²/N)/(G − 1). Unlike 1 − SSW/SST it does not grow with the number of groups.
 * @returns null with fewer than two groups, without a group of two, and when all values are equal.
 */
export function varianceShare(groups: readonly (readonly number[])[]): number | null {
  const values = groups.flat();
  const [n, count] = [values.length, groups.length];
  if (count < 2 || n === count) return null;
  const center = mean(values);
  const within = sum(groups.map((group) => sum(group.map((value) => (value - mean(group)) ** 2))));
  const between = sum(groups.map((group) => group.length * (mean(group) - center) ** 2));
  const perGroup = (n - sum(groups.map(({ length }) => length ** 2)) / n) / (count - 1);
  const inside = within / (n - count);
  const across = (between / (count - 1) - inside) / perGroup;
  return across + inside > 0 ? across / (across + inside) : null;
}
