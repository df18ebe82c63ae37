import { expect, it } from "vitest";
import type { SceneTruth } from "../../core/types.ts";
import "../../envs/index.ts";
import { describeTruth, sentenceOf } from "./describe-truth.ts";

const said = (facts: Record<string, string>) =>
  sentenceOf({ frame: "floor", things: [], facts } as unknown as SceneTruth);

it("writes the words of a task as a sentence", () => {
  expect(said({ question: "how many red circles" })).toBe("How many red circles?");
  expect(said({ instruction: "take me where i can sit in this home" })).toBe(
    "Take me where I can sit in this home.",
  );
  expect(said({ instruction: "Put the red cube on the green cube." })).toBe(
    "Put the red cube on the green cube.",
  );
  expect(said({})).toBe("");
});

it("leaves the words to an environment that has its own, and says what is in view of any other", () => {
  const truth = { frame: "canvas", things: [], facts: { icon: "<svg/>", similarity: 0.456 } } as const;
  const drawn = { ...truth, facts: { ...truth.facts, drawing: "<svg/>" } };
  expect(describeTruth("svg", truth)).toBe("An icon to draw.");
  expect(describeTruth("svg", drawn)).toBe("The agent's drawing of the icon, similarity 0.46.");
  const things = [
    { name: "sofa", at: [1, 2] },
    { name: "lamp", at: [3, 4] },
  ];
  expect(describeTruth("any", { frame: "floor", things })).toBe("In view: sofa, lamp.");
});

it("says where the things of a plane are", () => {
  const things = [
    { name: "pad", at: [50, 58] },
    { name: "player", at: [12, 40] },
  ];
  expect(
    describeTruth("puck", { frame: "plane", size: [64, 96], things, facts: { state: "{}", done: false } }),
  ).toBe("64 by 96 plane, x to the right and y down. Pad at 50 58; player at 12 40.");
});

it("ends with the instruction or the question of a level", () => {
  const facts = { state: "{}", done: false, instruction: "go left" };
  const things = [{ name: "player", at: [12, 40] }];
  expect(describeTruth("mine", { frame: "plane", size: [64, 96], things, facts })).toBe(
    "64 by 96 plane, x to the right and y down. Player at 12 40. Go left.",
  );
  expect(describeTruth("mine", { rows: 2, cols: 3, player: [0, 1], entities: {}, facts })).toBe(
    "2 by 3 board, counted from 0. Player at row 0 column 1. Go left.",
  );
  const asking = { question: "how many red circles" };
  expect(describeTruth("mine", { rows: 2, cols: 3, entities: {}, facts: asking })).toMatch(
    /How many red circles\?$/,
  );
});
