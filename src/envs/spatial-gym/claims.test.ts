// Claims about a state that is written down: the agent stands at (3, 3), looks along +x, and began looking along +z.
import { describe, expect, it } from "vitest";
import { isBoard } from "../../core/scene.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { tangentOf } from "../navigation/pose.ts";
import { mapWords, type SpatialTruth, spatialClaims, viewLines, visibleWords } from "./claims.ts";
import { config } from "./config.ts";
import { floorMap } from "./floor-map.ts";
import { SpatialGym } from "./spatial-gym.ts";

const truth: SpatialTruth = {
  frame: "floor",
  things: [{ name: "desk", at: [5.2, 2.9] }],
  facts: {
    question: "bed, desk, bin: seen from the start, where is the desk?",
    options: "ahead right back left",
    answer: "right",
    given: "",
    success: false,
    exploring: true,
    observations: 1,
    most: 10,
    ...{ x: 3, z: 3, yaw: 90, start_x: 3, start_z: 3, start_yaw: 0, look_x: 3, look_z: 3, look_yaw: 90 },
    seen: "bed desk",
    objects: "bed 3.1 5.6 3 4.4 back;desk 5.2 2.9 4.4 2.9 left;bin 2.9 0.6 2.9 1.1",
  },
};
const rules = spatialClaims(tangentOf(90));

describe("what is said of a state", () => {
  it("has steps from where the agent looks, and a map of steps from the start", () => {
    expect(visibleWords(truth)).toEqual(["desk 4 ahead 0 right"]);
    expect(mapWords(truth)).toEqual(["bed 5 ahead 0 right", "desk 0 ahead 4 right", "bin not seen"]);
  });

  it("names fronts where a map is asked for", () => {
    const map = { ...truth, facts: { ...truth.facts, options: "" } };
    expect(mapWords(map)).toEqual([
      "bed 5 ahead 0 right facing back",
      "desk 0 ahead 4 right facing left",
      "bin not seen",
    ]);
    expect(viewLines(map)).toEqual(["desk 4 ahead 0 right facing left"]);
    expect(viewLines(truth)).toEqual(visibleWords(truth));
    const turns = (state: SpatialTruth) => floorMap.show(state).marks.map(({ turn }) => turn);
    expect(turns(map)).toEqual([180, 270, undefined]);
    expect(turns(truth)).toEqual([undefined, undefined, undefined]);
    const claimed = (about: SpatialTruth) => mapWords(map).map((said) => floorMap.claimedTurn!(about, said));
    expect(claimed(map)).toEqual(turns(map));
    expect(claimed(truth)).toEqual(turns(truth));
  });

  it("foretells what had been seen before the turn: the bed, which is now to the left; the rest may be left out", () => {
    const before = { ...truth, facts: { ...truth.facts, seen: "bed" } };
    expect(rules.expected(truth, "prediction", before)).toEqual([
      { name: "bed", value: "0 ahead 5 left", at: [3.1, 5.6], facing: "back" },
      { name: "desk", value: "4 ahead 0 right", at: [5.2, 2.9], optional: true, facing: "left" },
      { name: "bin", value: "0 ahead 5 right", at: [2.9, 0.6], optional: true },
    ]);
    const score = (text: string) => judgeStatements(text, "prediction", truth, rules, before).score;
    expect(score("bed 0 ahead 5 left")).toBe(1);
    expect(score("bed 0 ahead 5 left ; desk 4 ahead 0 right")).toBe(1);
    expect(score("bed 0 ahead 5 left ; desk 9 ahead 0 right")).toBe(1 / 2);
    expect(score("desk 4 ahead 0 right")).toBe(1 / 2);
    expect(score("bed 0 ahead 5 left ; sofa 1 ahead 0 right")).toBe(1 / 2);
  });

  it("is right where nothing was known: nothing said, or what is new", () => {
    const before = { ...truth, facts: { ...truth.facts, seen: "" } };
    const score = (text: string) => judgeStatements(text, "prediction", truth, rules, before).score;
    expect([score("nothing"), score("desk 4 ahead 0 right"), score("desk 9 ahead 0 right")]).toEqual([
      1, 1, 0,
    ]);
  });

  it("has no statement in what is said not to have been seen", () => {
    expect(rules.read("lamp not seen ; bed 5 ahead 0 right", truth).map(({ name }) => name)).toEqual(["bed"]);
  });

  it("is about nothing where nothing is in view", () => {
    const nothing = [{ name: "view", value: "nothing" }];
    expect(rules.expected({ ...truth, things: [] }, "observation")).toEqual(nothing);
    expect(rules.read("Nothing", truth)).toEqual(nothing);
  });

  it("is about nothing only where there is nothing, not where there is nothing else", () => {
    const text = "desk 4 ahead 0 right and nothing else";
    expect(rules.read(text, truth).map(({ name }) => name)).toEqual(["desk"]);
    expect(judgeStatements(text, "observation", truth, rules).score).toBe(1);
    expect(rules.read("nothing else", truth)).toEqual([]);
  });

  it.each([
    "Nothing will be in view.",
    "No objects will be visible.",
    "I will see nothing.",
    "The view is empty",
  ])("denies the whole view, which is right only where it is empty: %s", (denial) => {
    const empty = { ...truth, things: [] };
    const knowing = (seen: string) => ({ ...truth, facts: { ...truth.facts, seen } });
    const score = (text: string, after: SpatialTruth, before: SpatialTruth) =>
      judgeStatements(text, "prediction", after, rules, before).score;
    // Nothing had been seen, and the desk comes into view, or does not.
    expect([score(denial, truth, knowing("")), score(denial, empty, knowing(""))]).toEqual([0, 1]);
    const bed = `bed 0 ahead 5 left ; ${denial}`;
    expect([score(bed, truth, knowing("bed")), score(bed, empty, knowing("bed"))]).toEqual([1 / 2, 1]);
    const seen = `desk 4 ahead 0 right ; ${denial}`;
    expect(judgeStatements(seen, "observation", truth, rules).score).toBe(1 / 2);
    expect(judgeStatements(denial, "observation", empty, rules).score).toBe(1);
  });

  it("is right within one step along each axis", () => {
    const [expected] = rules.expected(truth, "observation");
    const isRight = (text: string) => rules.agrees(rules.read(text, truth)[0], expected);
    for (const text of ["desk 4 ahead 0 right", "Desk 5 ahead 1 left", "desk 3 ahead 1 right"])
      expect(isRight(text), text).toBe(true);
    for (const text of ["desk 4 ahead 2 right", "desk 6 ahead 0 right", "desk 4 back 0 right", "nothing"])
      expect(isRight(text), text).toBe(false);
  });

  it.each([
    "piano 1 ahead 0 right",
    "unicorn 4 ahead 0 right",
    "sofa 1.5 ahead 0 right",
    "sofa  2 ahead  1 left",
    "sofa 2 ahead, 1 left",
    "sofa -2 ahead 1 left",
    "sofa 1 left 2 ahead",
    "sofa: 2 ahead",
    "desk 9 ahead 4.5.6 right",
  ])("loses by what is not there, in any spelling: %s", (invented) => {
    expect(judgeStatements(`desk 4 ahead 0 right ; ${invented}`, "observation", truth, rules).score).toBe(
      1 / 2,
    );
  });

  it.each(["desk 0 right 4 ahead", "Desk: 4.0 steps ahead, 0 right", "the desk is at 4 ahead"])(
    "is right in another spelling: %s",
    (text) => {
      expect(judgeStatements(text, "observation", truth, rules).score).toBe(1);
    },
  );

  it.each(["the desk is four steps straight ahead of me", "desk 4 ahead and 1 to my left"])(
    "is right in words: %s",
    (text) => {
      expect(judgeStatements(text, "observation", truth, rules).score).toBe(1);
    },
  );

  it.each([
    "desk 4 ahead 0 right or 4 back 0 right",
    "desk 4 ahead and 3 to my left",
    "desk 4 steps behind me",
    "desk 4 ahead and far to the left",
    "desk 4 ahead of the bed",
  ])("is wrong with an alternative, another side, words for numbers or another standpoint: %s", (text) => {
    expect(judgeStatements(text, "observation", truth, rules).score).toBe(0);
  });

  it("saying that an object is not in view costs where it is, and nothing where it is not", () => {
    const score = (text: string) =>
      judgeStatements(`desk 4 ahead 0 right ; ${text}`, "observation", truth, rules).score;
    expect([score("the desk is not in view"), score("the bed is not in view")]).toEqual([1 / 2, 1]);
  });

  it("may say which way a front faces, and is wrong where it does not or where there is no front", () => {
    const score = (text: string) => judgeStatements(text, "prediction", truth, rules).score;
    const places = "bed 0 ahead 5 left ; desk 4 ahead 0 right";
    const before = { ...truth, facts: { ...truth.facts, seen: "bed desk bin" } };
    const all = `${places} ; bin 0 ahead 5 right`;
    const scoreOfAll = (text: string) => judgeStatements(text, "prediction", before, rules).score;
    expect([score(places), score(`${places} facing left`), score(`${places}, facing  left`)]).toEqual([
      1, 1, 1,
    ]);
    expect(score(`${places} facing ahead`)).toBe(1 / 2);
    expect([scoreOfAll(all), scoreOfAll(`${all} facing back`)]).toEqual([1, 2 / 3]);
  });

  it("shows the front beside the place where a map is asked for", () => {
    const map = { ...truth, facts: { ...truth.facts, options: "" } };
    const { fields } = judgeStatements("desk 4 ahead 0 right facing back", "observation", map, rules);
    expect(fields).toMatchObject([
      { predicted: "4 ahead 0 right facing back", truth: "4 ahead 0 right facing left", ok: false },
    ]);
  });

  it("knows the other names of objects", () => {
    const bin = { ...truth, things: [{ name: "bin", at: [5.2, 2.9] }] };
    expect(judgeStatements("trash can 4 ahead 0 right", "observation", bin, rules).score).toBe(1);
  });

  it("shows in the picture where it is said to be, and nowhere behind the agent", () => {
    const outlineOf = (text: string) => rules.outline(rules.read(text, truth)[0], truth);
    const { x, width } = outlineOf("desk 4 ahead 0 right")!;
    expect(x + width / 2).toBeCloseTo(0.5, 12);
    // 2 m ahead and 1 m to the right are a quarter of the picture's width from its middle.
    const aside = outlineOf("desk 4 ahead 2 right")!;
    expect(aside.x + aside.width / 2).toBeCloseTo(0.75, 12);
    expect(outlineOf("desk 4 back 0 right")).toBeNull();
  });
});

it("places that are said turn with the agent by eighths", () => {
  const env = new SpatialGym(config.parse({}));
  env.reset(4);
  for (const action of ["Rotate(45)", "Observe()"]) env.step(action);
  const state = env.groundTruth();
  expect(isBoard(state)).toBe(false);
  const places = rules.expected(state, "prediction").filter(({ at }) => at !== undefined);
  expect(places).toHaveLength(4);
  for (const { name, value, at } of places) {
    const [said] = rules.read(`${name} ${value}`, state);
    // Half a step along each axis, at most.
    expect(Math.hypot(said.at![0] - at![0], said.at![1] - at![1])).toBeLessThan(0.36);
  }
});
