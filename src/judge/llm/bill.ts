// What a model costs as a judge: the metrics of its bill.
import type { Usage } from "./client.ts";

const COUNTS: Readonly<Record<string, (usage: Readonly<Usage>) => number>> = {
  "judge/requests": ({ requests }) => requests,
  "judge/retries": ({ retries }) => retries,
  "judge/tokens": ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  "judge/cost": ({ cost }) => cost,
};

/** The names of the metrics. */
export const BILL: readonly string[] = Object.keys(COUNTS);

/** What has been used since `before`. */
export const billOf = (usage: Readonly<Usage>, before: Readonly<Usage>): Record<string, number> =>
  Object.fromEntries(Object.entries(COUNTS).map(([name, count]) => [name, count(usage) - count(before)]));
