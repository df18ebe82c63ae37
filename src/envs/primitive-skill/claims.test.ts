// Claims about a workspace in spellings that a policy is not taught: what is right stays right, and what is not there costs.
import { expect, it } from "vitest";
import type { WorldTruth } from "../../core/types.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { skillClaims } from "./claims.ts";

const rules = skillClaims(() => null);
const workspace: WorldTruth = {
  frame: "workspace",
  things: [
    { name: "left target", at: [0, -100, 0] },
    { name: "red cube", at: [62, -55, 20] },
    { name: "apple", at: [-60, -160, 35] },
  ],
  facts: { held: "" },
};
const scoreOf = (text: string) => judgeStatements(text, "observation", workspace, rules).score;
const RIGHT = "red cube (62,-55,20) ; apple (-60,-160,35)";

it.each([
  "piano (0,0,20)",
  "cube (0,0,20)",
  "blue cube (0,0,20)",
  "pineapple (-60,-160,35)",
  '"piano_position": (0,0,0)',
  "red target (0,0,20)",
  "right target (0,100,0)",
  "red cube (1e3,0,20)",
  "red cube (0, 0)",
  "red cube (0, 0, 0, 0)",
  "red cube (1.2.3,0,20)",
  "red cube [0; 0; 20]",
  "red cube (0 0 20)",
])("what is not there costs, in any spelling: %s", (invented) => {
  expect(scoreOf(RIGHT)).toBe(1);
  expect(scoreOf(`${RIGHT} ; ${invented}`)).toBe(2 / 3);
});

it.each([
  "the big red cube is not at (0,0,20)",
  "the red cube isn't at (0,0,20)",
  "no piano (0,0,20)",
  "so pick(0,0,20) | place(0,0,60)",
  "(0,0,20)",
  // What cannot be moved is always in the same place.
  "left target (0,-100,0)",
])("what states nothing that can be wrong costs nothing: %s", (text) => {
  expect(scoreOf(`${RIGHT} ; ${text}`)).toBe(1);
});

it("a wrong place of a target costs, and the right one earns nothing", () => {
  const [left, right] = [
    [0, -100, 0],
    [0, 100, 0],
  ] as const;
  const scene: WorldTruth = {
    ...workspace,
    things: [...workspace.things, { name: "right target", at: right }],
  };
  const score = (...[first, second]: (readonly number[])[]) =>
    judgeStatements(
      `{"left_target_position": (${first}), "right_target_position": (${second}), "red_cube_position": (62,-55,20)}`,
      "observation",
      scene,
      rules,
    ).score;
  // The apple is missing.
  expect(score(left, right)).toBe(1 / 2);
  expect(score(right, left)).toBe(1 / 4);
  expect(score(left, left)).toBe(1 / 3);
});

it.each([
  '{"red_cube": {"z": 20, "x": 62, "y": -55}, "apple": {"x": -60, "y": -160, "z": 35}}',
  "red cube x=62 y=-55 z=20 and the apple is at x: -60, y: -160 and z: 35",
])("coordinates may be called by their axes: %s", (text) => {
  expect(scoreOf(text)).toBe(1);
});

it.each([
  '"red_cube": {"z": 62, "x": -55, "y": 20}',
  "red cube x 62 y -55",
  "red cube x 62 y -55 y 20",
  "red cube (62,-55,20) or (0,0,20)",
  "red cube x 62 y -55 z 20, or x 0 y 0 z 20",
])("other axes, too few of them or an alternative are not right: %s", (text) => {
  expect(scoreOf(`${text} ; apple (-60,-160,35)`)).toBe(1 / 2);
});

it.each([
  '{"red_cube_position": (62.,-55,20), "apple_position": [-60, -160, 35]}',
  "The big red cube will be at (62, -55, 20) and the apple position: [-60 -160 35].",
  "red cube is (+62.0, -5.5e1, 20); the apple: (-60,-160,35)",
])("is right in another spelling: %s", (text) => {
  expect(scoreOf(text)).toBe(1);
});

it("a fruit with another's name in its own is no apple, and a denied place no place", () => {
  expect(scoreOf("red cube (62,-55,20) ; pineapple (-60,-160,35)")).toBe(1 / 3);
  expect(rules.read("the big red cube is not at (62,-55,20)", workspace)).toEqual([]);
});

it("is read in a moment whatever it is", () => {
  for (const text of [
    `red cube (${"1 ".repeat(20_000)}`,
    "red ".repeat(20_000),
    `red cube ${" ".repeat(40_000)}x`,
    `red cube x ${" ".repeat(40_000)}y`,
  ])
    expect(rules.read(text, workspace)).toEqual([]);
});
