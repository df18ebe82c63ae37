import { expect, test } from "vitest";
import {
  afterReply,
  closes,
  MOST_IN_A_ROW,
  type Progress,
  replyLimit,
  streakAfter,
  unbegun,
} from "./closing.ts";

/** The sizes of VAGEN's vision Sokoban: system prompt, observation, reply, summary. */
const SYSTEM = 589;
const OBSERVATION = 58;
const REPLY = 106;
const SUMMARY = 300;
const RESERVE = SUMMARY + 20;

/** Turns of every conversation of an episode, or null where it makes no progress. */
function turnsPerConversation(turns: number, budget: number, room = 4000): number[] | null {
  const layout = { budget, room, maxReply: 512 };
  const rows = [0];
  let progress: Progress = unbegun();
  for (let turn = 0; turn < turns; turn++) {
    if (closes(progress, OBSERVATION, RESERVE, layout)) {
      const streak = streakAfter(progress);
      if (streak >= MOST_IN_A_ROW) return null;
      progress = unbegun(streak);
      rows.push(0);
    }
    const isFirst = progress.turns === 0;
    const promptTokens = isFirst
      ? SYSTEM + OBSERVATION + (rows.length > 1 ? SUMMARY : 0)
      : progress.promptTokens;
    const used = isFirst ? promptTokens + REPLY : progress.used + OBSERVATION + REPLY;
    progress = afterReply(progress, { used, promptTokens });
    rows[rows.length - 1]!++;
  }
  return rows;
}

// Worked out from the published description, with these sizes.
test.each([
  [5, 4000, [5]],
  [5, 2100, [5]],
  [5, 1200, [3, 2]],
  [20, 1200, [3, 2, 2, 2, 2, 2, 2, 2, 2, 1]],
  [20, 900, null],
  [20, 700, null],
])("%i turns with a budget of %i", (turns, budget, rows) => {
  expect(turnsPerConversation(turns, budget)).toEqual(rows);
});

test("without a budget the room closes a conversation", () => {
  // After three turns 434 tokens are taken; 58 + 320 more leave 188 of 1000, less than the floor of 250.
  expect(turnsPerConversation(8, Number.POSITIVE_INFINITY, 1000)).toEqual([3, 3, 2]);
  expect(turnsPerConversation(50, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([50]);
});

test("a reply is limited by what is left, and is not asked for below the floor", () => {
  const progress = { turns: 2, used: 700, turnCost: 100, promptTokens: 300, streak: 0 };
  const layout = { room: 1000, maxReply: 400 };
  expect(replyLimit(progress, 50, 100, layout)).toBe(400);
  expect(replyLimit(progress, 200, 100, layout)).toBe(300);
  expect(replyLimit(progress, 250, 100, layout)).toBe(250);
  expect(replyLimit(progress, 251, 100, layout)).toBe(0);
  // The first reply of a conversation is never limited: nothing of its room is taken.
  expect(replyLimit({ ...progress, turns: 0 }, 999, 999, layout)).toBe(400);
});

test("the pending observation counts towards the room only", () => {
  const progress = { turns: 2, used: 700, turnCost: 100, promptTokens: 300, streak: 0 };
  const layout = { room: Number.POSITIVE_INFINITY, maxReply: 400 };
  expect(closes(progress, 5000, 0, { ...layout, budget: 801 })).toBe(false);
  expect(closes(progress, 0, 0, { ...layout, budget: 800 })).toBe(true);
  expect(closes(unbegun(), 5000, 0, { ...layout, budget: 1 })).toBe(false);
});

test("a conversation of several turns ends a streak", () => {
  expect(streakAfter({ ...unbegun(1), turns: 1 })).toBe(2);
  expect(streakAfter({ ...unbegun(1), turns: 2 })).toBe(0);
});
