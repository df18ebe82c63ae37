import { describe, expect, it } from "vitest";
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

it("is unknown where nothing is claimed about the state, however well-formed the replies are", () => {
  expect(factsRight([episode([true, {}], [true, {}])])).toBeNull();
  expect(factsRight([episode([true, { prediction: verdict("match", 1) }])])).toBeNull();
});

const right = verdict("match", 1);
const wrong = verdict("mismatch", 0);
const failed = verdict("not_judged", 0);

it("counts what the judge failed to judge neither as right nor as wrong", () => {
  const of = (claim: Verdict) => ({ observation: claim });
  const judged = episode([true, of(right)], [true, of(failed)], [true, of(right)]);
  expect(factsRight([judged])).toBe(1);
  expect(factsRight([judged, episode([false, of(verdict("format", 0))])])).toBe(2 / 3);
});

it("does not count a claim that the judge failed to judge everywhere", () => {
  const turn = { observation: failed, surroundings: right };
  const malformed = { observation: verdict("format", 0), surroundings: verdict("format", 0) };
  expect(factsRight([episode([true, turn], [true, turn], [true, turn], [false, malformed])])).toBe(0.75);
  expect(factsRight([episode([true, { observation: failed }])])).toBeNull();
  const unread = { observation: verdict("format", 0) };
  expect(factsRight([episode([true, { observation: failed }], [false, unread])])).toBeNull();
  expect(factsRight([episode([true, { observation: verdict("off", 0) }])])).toBe(0);
});

describe("of several environments", () => {
  const grid = { observation: right, surroundings: right };
  const home = { observation: right };
  const inEntry = (entry: string | undefined, ...verdicts: Turn["verdicts"][]) => ({
    ...episode(...verdicts.map((own): [boolean, Turn["verdicts"]] => [true, own])),
    ...(entry && { entry }),
  });

  it("each answers for the claims that it makes", () => {
    const homes = inEntry("homes", home, home, home);
    expect(factsRight([inEntry(undefined, grid, grid), inEntry("sokoban", grid), homes])).toBe(1);
  });

  it("the worst counts, however few turns it has", () => {
    const most = inEntry(undefined, grid, grid, grid, grid, grid, grid);
    const blind = { observation: right, surroundings: wrong };
    expect(factsRight([most, inEntry("sokoban", grid, blind, blind), inEntry("homes", home)])).toBe(1 / 3);
    expect(factsRight([most, inEntry("homes", home, { observation: wrong })])).toBe(0.5);
  });

  it("one without claims counts with its well-formed replies", () => {
    const malformed = { ...episode([true, {}], [false, {}]), entry: "cards" };
    expect(factsRight([inEntry(undefined, grid), malformed])).toBe(0.5);
    const unjudged = { ...episode([true, { observation: failed }], [false, {}]), entry: "icons" };
    expect(factsRight([inEntry(undefined, grid), unjudged])).toBe(0.5);
    expect(factsRight([unjudged, malformed])).toBeNull();
  });
});
