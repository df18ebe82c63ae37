import { expect, it } from "vitest";
import type { SceneTruth } from "../../core/types.ts";
import { sentenceOf } from "./describe-truth.ts";

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
