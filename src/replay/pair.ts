// Two replays in step: their turns begin together, and the one that finishes a turn first waits for the other.
import type { Timeline } from "./clock.ts";

export interface PairTimeline {
  durationMs: number;
  /** Start and end of each turn, as long as the longer of the two. */
  turns: readonly { from: number; to: number }[];
}

/** The shared timeline of two replays. */
export function pairTimeline(a: Timeline, b: Timeline): PairTimeline {
  const count = Math.max(a.turns.length, b.turns.length);
  const turns: { from: number; to: number }[] = [];
  for (let turn = 0; turn < count; turn++) {
    const from = turns.at(-1)?.to ?? 0;
    turns.push({ from, to: from + Math.max(lengthOf(a, turn), lengthOf(b, turn)) });
  }
  return { durationMs: turns.at(-1)?.to ?? 0, turns };
}

const lengthOf = ({ turns }: Timeline, turn: number) => (turns[turn] ? turns[turn].to - turns[turn].from : 0);

/** Index of the turn at a time. */
export const turnAt = ({ turns }: Pick<PairTimeline, "turns">, ms: number): number =>
  Math.max(
    0,
    turns.findLastIndex(({ from }) => from <= ms),
  );

/** The time in one of the two timelines at a time of the pair. A replay that has ended stays at its end. */
export function timeInOne(pair: PairTimeline, one: Timeline, ms: number): number {
  const turn = turnAt(pair, ms);
  const own = one.turns[turn];
  if (!own) return one.durationMs;
  const into = Math.min(own.to - own.from, Math.max(0, ms - pair.turns[turn]!.from));
  // The start of the next turn is the same moment as the end of this one, and must not be shown before its time.
  return Math.min(own.from + into, own.to === one.durationMs ? own.to : own.to - 1e-3);
}

/** The time of the pair at a time in one of the two timelines. */
export function timeInPair(pair: PairTimeline, one: Timeline, ms: number): number {
  const turn = turnAt(one, ms);
  return (pair.turns[turn]?.from ?? 0) + ms - (one.turns[turn]?.from ?? 0);
}

/** The same share of the same turn in another pair of timelines. */
export function translatePair(ms: number, from: PairTimeline, to: PairTimeline): number {
  const turn = turnAt(from, ms);
  const [before, after] = [from.turns[turn], to.turns[turn]];
  if (!before || !after) return 0;
  return after.from + ((ms - before.from) / (before.to - before.from)) * (after.to - after.from);
}

/** Which of two timelines takes longer in a turn, and so is never at a halt in it: 0 or 1. */
export const longerIn = (turn: number, a: Timeline, b: Timeline): 0 | 1 =>
  lengthOf(a, turn) >= lengthOf(b, turn) ? 0 : 1;
