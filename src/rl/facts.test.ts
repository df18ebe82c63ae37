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

it("is the share of turns with every statement right, for the claim that is so least often", () => {
  const right = { observation: verdict("match", 1), surroundings: verdict("match", 1) };
  const blind = { observation: verdict("match", 1), surroundings: verdict("partial", 0.75) };
  const lost = { observation: verdict("mismatch", 0), surroundings: verdict("match", 1) };
  // Observation: 3 of 4; surroundings: 2 of 4.
  expect(factsRight([episode([true, right], [true, blind]), episode([true, lost], [true, blind])])).toBe(0.5);
});

it("counts malformed replies as wrong, and ignores predictions", () => {
  const right = { observation: verdict("match", 1), prediction: verdict("mismatch", 0) };
  const malformed = { observation: verdict("format", 0), prediction: verdict("format", 0) };
  expect(factsRight([episode([true, right], [false, malformed])])).toBe(0.5);
});

it("is the share of well-formed replies where nothing is claimed about the state", () => {
  expect(factsRight([episode([true, {}], [true, {}], [false, {}], [true, {}])])).toBe(0.75);
});
