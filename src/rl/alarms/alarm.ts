// What an alarm is: a question that is put to a run's metrics after each update.
import type { History } from "./history.ts";

/** One number that an alarm rests on. */
export interface Evidence {
  /** What the alarm knows it by; a logged name where it is one. */
  readonly metric: string;
  /** In words, for people. */
  readonly title: string;
  readonly now: number;
  /** What it was when all was well; absent where nothing came before. */
  readonly before?: number;
  /** The bound that it crossed. */
  readonly limit?: number;
}

/** That an alarm's condition holds, and since when. Plain data: the trainer's events carry it. */
export interface Sighting {
  /** The update at which it began, which may lie before the one at which it could be told. */
  readonly began: number;
  readonly evidence: readonly Evidence[];
}

/**
 * A pure question about the metrics of PPO's updates, oldest first, the newest being the one that was just made. Raising
 * and ending have bounds of their own, so that a number which wavers about one of them does not make the alarm flap.
 */
export interface Alarm {
  readonly id: string;
  readonly title: string;
  /** What it means that these numbers are seen. */
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
  readonly severity: "warning" | "danger";
  /** Beginnings of the names that it reads; of the history nothing else is kept. */
  readonly reads: readonly string[];
  /** @param since the update after which this alarm was last over, 0 when it never was: what it told before is known. */
  raise(history: History, since: number): Sighting | null;
  /** Whether what was sighted is over. */
  isOver(history: History, sighting: Sighting): boolean;
}

/** The numbers behind an alarm: "judge reward 0.21 → 0.27, success 0.62 → 0.61". */
export function findingOf({ evidence }: Sighting): string {
  return evidence
    .map(({ title, before, now, limit }) => {
      if (before !== undefined) return `${title} ${short(before)} → ${short(now)}`;
      return `${title} ${short(now)}${limit === undefined ? "" : `, above ${short(limit)}`}`;
    })
    .join(", ");
}

const short = (value: number): string => String(Number(value.toPrecision(2)));
