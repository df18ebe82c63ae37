// The numbers of listed positions in what demonstrations of PrimitiveSkill say.
import { expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { primitiveSkillTemplate } from "./primitive-skill.ts";

const { advance, describe: say, misread, predict } = primitiveSkillTemplate;

const truth: WorldTruth = {
  frame: "workspace",
  things: [
    { name: "green cube", at: [40, -80, 20], number: 1 },
    { name: "red cube", at: [62, 55, 20], number: 2 },
  ],
  facts: { task: "AlignTwoCube", held: "", home_z: 300 },
};

it("names an object by the number of its position", () => {
  expect(say(truth)).toBe("red cube 2(62,55,20) ; green cube 1(40,-80,20)");
});

it("an object keeps its number where it is taken", () => {
  const moved = ["pick(62,55,20)", "place(0,55,20)"].reduce(advance, truth);
  expect(predict(moved)).toBe("red cube 2(0,55,20) ; green cube 1(40,-80,20)");
});

it("a misread state has the two objects at each other's numbers", () => {
  expect(say(misread!(truth, rng(1)))).toBe("red cube 1(40,-80,20) ; green cube 2(62,55,20)");
});
