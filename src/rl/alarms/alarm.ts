// The contract of an alarm: a check of a run's metrics after each update, or after each validation.
import type { History } from "./history.ts";

/** One number behind an alarm. */
export interface Evidence {
  /** Its name within the alarm; the logged name if there is one. */
  readonly metric: string;
  /** The name to display. */
  readonly title: string;
  readonly now: number;
  /** The usual value; absent if there are no earlier ones. */
  readonly before?: number;
  /** Whether `before` was measured where the policy comes from, not earlier in this run. */
  readonly isMeasured?: true;
  /** The bound that the value crossed. */
  readonly limit?: number;
}

/** An alarm whose condition holds. Plain data, because events carry it. */
export interface Detection {
  /** The update at which it began, which may be earlier than the one at which it was detected. */
  readonly began: number;
  readonly evidence: readonly Evidence[];
}

/**
 * A pure check of the metrics of the updates of one stage, oldest first, up to the update just done, or of those of the
 * validations. An alarm ends at another bound than it begins, so that a number close to a bound does not make it flap.
 */
export interface Alarm {
  readonly id: string;
  readonly title: string;
  /** What these numbers mean. */
  readonly meaning: string;
  /** What helps. */
  readonly remedy: string;
  readonly severity: "warning" | "danger";
  /** The stage whose updates it checks, SFT or PPO (the same metric means something else in the other), or the validations. */
  readonly stage: "warmup" | "ppo" | "validation";
  /** Prefixes of the metrics that it reads; the history contains no others. */
  readonly reads: readonly string[];
  /** @param since the update at which this alarm last ended, 0 if never; earlier ones must not trigger it again. */
  detect(history: History, since: number): Detection | null;
  /** Whether a detected alarm is over. */
  isOver(history: History, detection: Detection): boolean;
}

/** The numbers behind an alarm: "judge reward 0.21 → 0.27, success 0.62 → 0.61", or "success 0.03 where 0.59 was measured". */
export function findingOf({ evidence }: Detection): string {
  return evidence
    .map(({ title, before, isMeasured, now, limit }) => {
      if (before !== undefined && isMeasured)
        return `${title} ${short(now)} where ${short(before)} was measured`;
      if (before !== undefined) return `${title} ${short(before)} → ${short(now)}`;
      return `${title} ${short(now)}${limit === undefined ? "" : `, above ${short(limit)}`}`;
    })
    .join(", ");
}

const short = (value: number): string => String(Number(value.toPrecision(2)));
