import { expect, test } from "vitest";
import { pivotGate, pivotMetrics } from "./pivot.ts";

test("the gate is half open for equal log-probabilities and follows what the teacher prefers", () => {
  const gateAt = (difference: number) => pivotGate(5, { teacher: -1 + difference, student: -1 });
  expect([0.5, -0.5, 0].map(gateAt)).toEqual([0.924142, 0.075858, 0.5].map((g) => expect.closeTo(g, 6)));
});

test("the term is a mean over all trained tokens, of failed episodes or not", () => {
  const taught = [
    { teacher: -0.5, student: -1 },
    { teacher: -1.5, student: -1 },
  ];
  const metrics = pivotMetrics(taught, 8, 5);
  expect(metrics["actor/pivot_gate"]).toBeCloseTo(0.5);
  // 0.924142 · 0.5 − 0.075858 · 0.5, over 8 tokens.
  expect(metrics["actor/pivot_loss"]).toBeCloseTo(0.424142 / 8, 6);
  expect(metrics["actor/pivot_tokens"]).toBe(0.25);
});

test("without a failed episode there is no gate, and without a trained token nothing", () => {
  expect(pivotMetrics([], 8, 5)).toEqual({ "actor/pivot_loss": 0, "actor/pivot_tokens": 0 });
  expect(pivotMetrics([], 0, 5)).toEqual({});
});
