import { expect, it } from "vitest";
import type { Trajectory, Turn, Verdict } from "../core/types.ts";
import { factsRight } from "./facts.ts";

const verdict = (status: Verdict["status"], score: number): Verdict => ({
  status,
  score,
  judge: "rule",
  reason: "",
  fields: [],
});

const episode = (...turns: [formatOk: boolean, verdicts: Turn["verdicts"]][]) =>
  ({
    turns: turns.map(([formatOk, verdicts]) => ({ parsed: { formatOk }, verdicts })),
  }) as unknown as Trajectory;

it("is the mean score of the claim that is right least often", () => {
  const first = { observation: verdict("match", 1), surroundings: verdict("partial", 0.75) };
  const second = { observation: verdict("partial", 0.5), surroundings: verdict("mismatch", 0) };
  // Observation: (1 + 0.5) / 2; surroundings: (0.75 + 0) / 2.
  expect(factsRight([episode([true, first]), episode([true, second])])).toBe(0.375);
});

it("counts malformed replies as wrong, and ignores predictions", () => {
  const right = { observation: verdict("match", 1), prediction: verdict("mismatch", 0) };
  const malformed = { observation: verdict("format", 0), prediction: verdict("format", 0) };
  expect(factsRight([episode([true, right], [false, malformed])])).toBe(0.5);
});

it("is the share of well-formed replies where nothing is claimed about the state", () => {
  expect(factsRight([episode([true, {}], [true, {}], [false, {}], [true, {}])])).toBe(0.75);
});
