// How much of the returns any critic could explain: the ceiling that an explained variance is to be read against.
import { mean } from "../core/statistics.ts";
import type { Trajectory, Turn } from "../core/types.ts";
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
  /** Whether chance decides, too. */
  hasChance: boolean;
  /** By level, turn and state, with chance by turn and state: what is known before a reply. */
  turnStart: ExplainedShare;
  /** By these and the state that the actions lead to, with chance the actions: what is known at the end of a reply. */
  turnEnd: ExplainedShare;
}

/** A return with what is known at both ends of its turn. */
interface Observation {
  start: string;
  end: string;
  value: number;
}

/**
 * Share of the variance of turn returns that the state explains, before a reply and at its end. Needs several episodes of each
 * level. The return of a turn is the sum of its reward and of those of all later turns, without a discount. A critic that reads
 * nothing but the state reaches this explained variance at best; one that also reads the words of a reply may exceed it.
 * @param hasChance whether the level also fixes what no critic can see, such as the cards to come. Then the same state in different
 * levels is compared, one episode of each level, and the actions instead of the states that chance leads to.
 * @returns null when no state occurs twice.
 */
export function explainableShare(trajectories: readonly Trajectory[], hasChance = false): Explainable | null {
  const counted = hasChance ? oneOfEachLevel(trajectories) : trajectories;
  const known = hasChance ? withChance : ofLevel;
  const observations = counted.flatMap((trajectory) => observationsOf(trajectory, known));
  const turnStart = explainedBy(observations, ({ start }) => start);
  const turnEnd = explainedBy(observations, ({ start, end }) => `${start} ${end}`);
  if (!turnStart || !turnEnd) return null;
  return { episodes: counted.length, observations: observations.length, hasChance, turnStart, turnEnd };
}

/** Further episodes of a level have the same chance, which would look as if the state explained it. */
const oneOfEachLevel = (trajectories: readonly Trajectory[]): Trajectory[] => [
  ...new Map(trajectories.toReversed().map((trajectory) => [trajectory.groupId, trajectory])).values(),
];

/** What is known at the start of a turn, and what the end adds. */
type Known = (turn: Turn, level: string) => { start: unknown; end: unknown };

const ofLevel: Known = ({ index, before, after }, level) => ({ start: [level, index, before], end: after });

const withChance: Known = ({ index, before, executed }) => ({
  start: [index, before],
  end: executed.map(({ name }) => name),
});

function observationsOf({ groupId, turns }: Trajectory, known: Known): Observation[] {
  let value = 0;
  return turns
    .toReversed()
    .map((turn) => {
      value += turn.reward;
      const { start, end } = known(turn, groupId);
      return { start: JSON.stringify(start), end: JSON.stringify(end), value };
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
