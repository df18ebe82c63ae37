// Test aid only: synthetic and recorded metrics.
import type { MetricRow } from "./history.ts";

/** Metrics of a healthy run: success rises, and the judge reward falls a little as episodes become shorter. */
const well: Readonly<Record<string, (update: number) => number>> = {
  "train/success/lake": (u) => 0.4 + 0.4 * (1 - Math.exp(-u / 20)) + wobble(u, 0.05),
  "reward/task": (u) => 0.4 + 0.4 * (1 - Math.exp(-u / 20)),
  "reward/format": () => 0.01,
  "reward/state_estimation": (u) => 0.13 - 0.0002 * u + wobble(u + 1, 0.006),
  "reward/transition_modeling": (u) => 0.12 + wobble(u + 2, 0.006),
  "actor/ppo_kl": (u) => 0.001 + wobble(u, 0.001),
  "actor/entropy": (u) => 0.03 + 0.07 * Math.exp(-u / 30),
  "critic/score/std": () => 0.4,
  "diversity/distinct_4/observation": (u) => 0.06 + wobble(u, 0.005),
  "diversity/echo_share/observation": (u) => 0.05 + wobble(u, 0.02),
  "diversity/distinct_4/prediction": () => 0.1,
  "diversity/echo_share/prediction": (u) => 0.12 + wobble(u, 0.05),
};

/** Deterministic noise: a number between −size and size that depends on the update. */
const wobble = (update: number, size: number): number => size * Math.sin(update * 12.9898);

/** `count` updates of a healthy run, except for the given metrics. */
export function course(
  count: number,
  otherwise: Readonly<Record<string, (update: number) => number>> = {},
): MetricRow[] {
  return Array.from({ length: count }, (_, i) => {
    const entries = Object.entries({ ...well, ...otherwise }).map(([key, f]) => [key, f(i + 1)] as const);
    return { update: i + 1, values: Object.fromEntries(entries) };
  });
}

/** A recorded run from golden/; null if an update did not log a metric. */
export interface Recorded {
  readonly command: string;
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
}

/** Rows of a recorded run. */
export function rowsOf({ columns: { update = [], ...columns } }: Recorded): MetricRow[] {
  const logged = (i: number) =>
    Object.entries(columns).flatMap(([key, values]) =>
      values[i] === null ? [] : [[key, values[i]] as const],
    );
  return update.map((at, i) => ({ update: at!, values: Object.fromEntries(logged(i)) }));
}
