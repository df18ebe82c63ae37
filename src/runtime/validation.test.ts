import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { Run } from "./build-run.ts";
import { owesValidation } from "./validation.ts";

const config = checkedRunConfig({
  sft: { total_updates: 6, one_turn_updates: 0 },
  trainer: { total_updates: 10, test_freq: 5 },
});
const owes = (update: number, validatedUpdate = 0) =>
  owesValidation({ config, update, counters: { validatedUpdate } } as unknown as Run);

test("is owed every test_freq updates of PPO and at the end, once", () => {
  expect([10, 11, 12, 16].map((update) => owes(update))).toEqual([false, true, false, true]);
  expect(owes(16, 16)).toBe(false);
});

test("is owed by a run whose total was set below what it has done", () => {
  expect([107, 108].map((update) => owes(update))).toEqual([true, true]);
});
