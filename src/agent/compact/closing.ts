// When a conversation is closed, and how long the next reply may be (VAGEN 2026, harness compact).
import { type Compact, leastReply } from "../layout.ts";

/** What the decision to close a conversation depends on. All lengths are in tokens. */
export interface Progress {
  /** Turns of the conversation; 0 while it has only its first prompt, or none. */
  readonly turns: number;
  /** Length of the conversation after its last reply. */
  readonly used: number;
  /** What the last turn added to it. The first turn adds prompt and summary as well and is not counted: 0. */
  readonly turnCost: number;
  /** Length of its first prompt. */
  readonly promptTokens: number;
  /** Conversations in a row that were closed after one turn. */
  readonly streak: number;
}

/** A conversation that has not begun; `streak` passes from one to the next. */
export const unbegun = (streak = 0): Progress => ({
  turns: 0,
  used: 0,
  turnCost: 0,
  promptTokens: 0,
  streak,
});

/** Progress after a reply that ends at `used` tokens. `promptTokens` is the length of the conversation's first prompt. */
export const afterReply = (
  before: Progress,
  { used, promptTokens }: Pick<Progress, "used" | "promptTokens">,
): Progress => ({
  ...before,
  turns: before.turns + 1,
  used,
  promptTokens,
  turnCost: before.turns === 0 ? 0 : used - before.used,
});

/**
 * Tokens that a reply may have after an observation of `pending` tokens; 0 where too few are left to be of use. `reserve` are kept
 * free for the summary and the request for it, except in the first turn, which closes nothing. VAGEN does not count the observation
 * here, so its sequences can exceed the room by one.
 */
export function replyLimit(
  { turns, used, promptTokens }: Progress,
  pending: number,
  reserve: number,
  layout: Pick<Compact, "room" | "maxReply">,
): number {
  if (turns === 0) return layout.maxReply;
  const left = layout.room - (used - promptTokens) - pending - reserve;
  return left >= leastReply(layout) ? Math.min(left, layout.maxReply) : 0;
}

/**
 * Whether the conversation is closed before an observation of `pending` tokens: no reply would fit after it, or another turn as
 * long as the last would exceed the budget. The observation itself does not count towards the budget.
 */
export const closes = (
  progress: Progress,
  pending: number,
  reserve: number,
  layout: Pick<Compact, "budget" | "room" | "maxReply">,
): boolean =>
  progress.turns > 0 &&
  (replyLimit(progress, pending, reserve, layout) === 0 ||
    progress.used + progress.turnCost >= layout.budget);

/** Conversations in a row that are closed after one turn once this one is closed. */
export const streakAfter = ({ turns, streak }: Progress): number => (turns <= 1 ? streak + 1 : 0);

/** So many in a row make no progress: each turn would be followed by a summary. */
export const MOST_IN_A_ROW = 2;
