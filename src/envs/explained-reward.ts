// Where a turn's task reward comes from, in words for people who read a trace.
import { listed, MINUS } from "../core/format.ts";
import type { Turn } from "../core/types.ts";

/** What an explanation is made from: the record of a turn. */
export type PaidTurn = Pick<Turn, "before" | "after" | "executed" | "taskReward">;

/** An amount, and what it is paid for. */
type Share = readonly [amount: number, what: string];

/** Recordings have five digits. */
const ROUNDING = 1e-4;

/** Whether an amount is only what rounding leaves. */
export const isNothing = (amount: number): boolean => Math.abs(amount) < ROUNDING;

/** A number of at most three decimals: "0.693", "1". */
export const written = (amount: number): string =>
  `${amount < 0 ? MINUS : ""}${Number(Math.abs(amount).toFixed(3))}`;

/** "+1 for success and −0.04 for 2 looks"; of a single share only what it is for; empty where all amounts are 0. */
export function sharesText(shares: readonly Share[]): string {
  const paid = shares.filter(([amount]) => !isNothing(amount));
  if (paid.length === 1) return paid[0]![1];
  return listed(paid.map(([amount, what]) => `${amount > 0 ? "+" : ""}${written(amount)} for ${what}`));
}
