import { describe, expect, test } from "vitest";
import { rng } from "../core/rng.ts";
import type { GroundTruth } from "../core/types.ts";
import { byAxis, exactly, f1, SOFT_WEIGHTS, scoreRelations } from "./f1.ts";
import type { JudgeQuestion } from "./judge.ts";
import { bestPairing } from "./matching.ts";
import type { Horizontal, Offset, Relation, Vertical } from "./relations.ts";
import { scorings } from "./scorings.ts";

const at = (vertical: Vertical | null, horizontal: Horizontal | null): Offset => ({ vertical, horizontal });
const rel = (name: string, offset: Offset): Relation => ({ name, ...offset });

describe("the best pairing", () => {
  test("takes less in one row to gain more overall", () => {
    // Greedy takes 5 + 1 = 6; 4 + 4 is 8.
    expect(
      bestPairing([
        [5, 4],
        [4, 1],
      ]),
    ).toBe(8);
    expect(bestPairing([])).toBe(0);
    expect(bestPairing([[], []])).toBe(0);
    expect(bestPairing([[1, 3, 2]])).toBe(3);
    expect(bestPairing([[1], [3], [2]])).toBe(3);
  });

  test("equals trying every permutation", () => {
    const random = rng(7);
    const best = (w: number[][], row = 0, used: number[] = []): number =>
      row === w.length
        ? 0
        : Math.max(
            best(w, row + 1, used),
            ...w[row]!.map((value, col) =>
              used.includes(col) ? 0 : value + best(w, row + 1, [...used, col]),
            ),
          );
    for (let i = 0; i < 200; i++) {
      const [rows, cols] = [1 + random.int(5), 1 + random.int(5)];
      const w = Array.from({ length: rows }, () => Array.from({ length: cols }, () => random.int(5) / 2));
      expect(bestPairing(w)).toBeCloseTo(best(w), 12);
    }
  });
});

test("a claim that names everything is scored as quickly as any other", () => {
  const places = Array.from({ length: 2000 }, (_, i) => `box at row ${i % 50} col ${i} ; {[(`).join(" ");
  const many = `player at row 0 col 0 ; ${places}`;
  const truth: GroundTruth = {
    rows: 20,
    cols: 20,
    player: [0, 0],
    entities: {
      box: [
        [1, 1],
        [2, 2],
      ],
    },
  };
  for (const { judge } of scorings.all)
    expect(judge({ claim: "observation", text: many, truth, names: ["box"] }, 0).score).toBeLessThan(0.01);
});

describe("F1", () => {
  test("exact: one of two boxes right, one invented target", () => {
    // Boxes: stated 2, true 2, one pair: P = R = 1/2, F1 = 1/2.
    const boxes = [at("above", "left"), at("below", null)];
    expect(f1(boxes, [at("above", "left"), at("below", "same")], exactly)).toBe(0.5);
    // Three stated, one true, one pair: P = 1/3, R = 1, F1 = 2·(1/3)/(4/3) = 1/2.
    expect(
      f1([at("above", "left"), at("same", "left"), at("below", "left")], [at("above", "left")], exactly),
    ).toBe(0.5);
  });

  test("soft: each axis counts one half", () => {
    // Pairs (above,left)-(above,right): ½; (below,null)-(below,left): ½. Σ = 1, P = R = 1/2, F1 = 1/2.
    expect(
      f1([at("above", "left"), at("below", null)], [at("above", "right"), at("below", "left")], byAxis),
    ).toBe(0.5);
    // What was not said earns nothing, not even against what was not said.
    expect(f1([at(null, null)], [at(null, null)], byAxis)).toBe(0);
  });

  test("empty lists: 1 when both are, 0 when one is", () => {
    for (const similarity of [exactly, byAxis]) {
      expect(f1([], [], similarity)).toBe(1);
      expect(f1([at("above", "left")], [], similarity)).toBe(0);
      expect(f1([], [at("above", "left")], similarity)).toBe(0);
    }
  });

  test("kinds are weighted among those that are there or named", () => {
    const goal = rel("goal", at("below", "right"));
    const hole = rel("hole", at("same", "right"));
    const score = (stated: Relation[], truth: Relation[]) =>
      scoreRelations(stated, truth, SOFT_WEIGHTS, byAxis).score;
    expect(score([goal], [goal, hole])).toBeCloseTo(0.7);
    expect(score([hole], [goal, hole])).toBeCloseTo(0.3);
    // Half the goal: F1 = 2·½/2 = ½, so 0.7·½ + 0.3.
    expect(score([rel("goal", at("below", null)), hole], [goal, hole])).toBeCloseTo(0.65);
    expect(score([goal], [goal])).toBe(1);
    expect(score([], [])).toBe(1);
    expect(score([rel("wall", at("same", "left"))], [goal])).toBe(0);
  });
});

describe("scorings of one claim", () => {
  // Player in the middle; box above left, target straight below, both two steps away.
  const room: GroundTruth = {
    rows: 6,
    cols: 6,
    player: [3, 3],
    entities: { box: [[2, 2]], target: [[5, 3]], wall: [] },
  };
  const lake: GroundTruth = {
    rows: 4,
    cols: 4,
    player: [0, 0],
    entities: {
      goal: [[3, 3]],
      hole: [
        [0, 1],
        [2, 0],
      ],
    },
  };
  const ask = (text: string, truth: GroundTruth, names: string[], claim: JudgeQuestion["claim"]) => ({
    claim,
    text,
    truth,
    names,
  });
  const inRoom = (id: string, text: string, claim: JudgeQuestion["claim"] = "observation", tolerance = 0) =>
    scorings.get(id).judge(ask(text, room, ["player", "box", "target"], claim), tolerance);
  const onLake = (id: string, text: string, names = ["player", "goal"]) =>
    scorings.get(id).judge(ask(text, lake, names, "observation"), 0);
  const foretold = (id: string, text: string, names = ["player"]) =>
    scorings.get(id).judge(ask(text, lake, names, "prediction"), 0).score;

  test("exact F1 in Sokoban: half for the box, half for the target", () => {
    expect(inRoom("exact_f1", "The box is above left of you, the target directly below.")).toMatchObject({
      status: "match",
      score: 1,
    });
    // "below" alone does not say the column, so the target earns nothing.
    expect(inRoom("exact_f1", "The box is above left of you, the target below.")).toMatchObject({
      status: "partial",
      score: 0.5,
      reason: "F1 target 0.00, box 1.00",
      fields: [
        { name: "target", predicted: "below", truth: "below, same column", ok: false },
        { name: "box", predicted: "above, left", truth: "above, left", ok: true },
      ],
    });
    expect(
      inRoom("exact_f1", "player at row 3 col 3 ; box at row 2 col 2 ; target at row 5 col 3").score,
    ).toBe(1);
    expect(inRoom("exact_f1", "I see a room.")).toMatchObject({ status: "unreadable", score: 0 });
  });

  test.each(["vagen", "exact_f1", "soft_f1"])("%s counts the things of a user's own environment", (id) => {
    const cave: GroundTruth = {
      rows: 6,
      cols: 6,
      player: [3, 3],
      entities: { key: [[2, 2]], door: [[5, 3]], wall: [[0, 0]] },
    };
    const inCave = (text: string, names = ["player", "key", "door"]) =>
      scorings.get(id).judge(ask(text, cave, names, "observation"), 0).score;
    expect(inCave("The key is above left of you, the door directly below.")).toBe(1);
    expect(inCave("The key is above left of you, the door directly above.")).toBeCloseTo(
      id === "exact_f1" ? 0.5 : 0.75,
    );
    expect(inCave("The key is above left of you.")).toBeCloseTo(0.5);
    expect(inCave("The key is below right of you, the door right.")).toBe(0);
    // Walls count where the claim has to give them.
    expect(inCave("The key is above left of you, the door directly below.", ["wall"])).toBeCloseTo(2 / 3);
  });

  test("soft F1 on the lake: 0.7 for the goal, 0.3 for the holes", () => {
    expect(onLake("soft_f1", "The goal is down right. Holes: directly right, directly below.").score).toBe(1);
    // Goal: one axis of two, F1 ½. Holes: Σ = ½ + ½ of two and two, F1 ½. Together ½.
    expect(onLake("soft_f1", "The goal is below. Holes: right, below.").score).toBeCloseTo(0.5);
    // No holes named: 0.7 where they are asked for, nothing lost where they are not.
    const text = "player at row 0 col 0 ; goal at row 3 col 3";
    expect(onLake("soft_f1", text, ["player", "goal", "hole"]).score).toBeCloseTo(0.7);
    expect(onLake("soft_f1", text).score).toBe(1);
  });

  test("a foretold cell of the player says where everything lies that cannot move", () => {
    expect(foretold("exact_f1", "player at row 0 col 0")).toBe(1);
    // From row 0 col 2 the goal still is below right; both holes are elsewhere: half of 1, half of 0.
    expect(foretold("exact_f1", "player at row 0 col 2")).toBeCloseTo(0.5);
    // On the goal: nothing of the goal; of the holes "above" or "left" would have to be right, and is not.
    expect(foretold("soft_f1", "player at row 3 col 3")).toBe(0);
    // What cannot move neither pays nor costs when it is repeated.
    expect(foretold("soft_f1", "player at row 3 col 3 ; goal at row 3 col 3")).toBe(0);
    expect(foretold("soft_f1", "player at row 0 col 0 ; goal at row 0 col 0")).toBe(1);
    // Directions alone are judged by what they name, and nothing named is nothing foreseen.
    expect(foretold("soft_f1", "The goal will be below me on the right.")).toBe(1);
    expect(foretold("soft_f1", "The goal will be above me on the right.")).toBeCloseTo(0.5);
    expect(foretold("soft_f1", "player at row 0 col 0 ; player at row 3 col 3")).toBe(0);
  });

  test("the rubric wants everything that matters, its main direction, and specific words", () => {
    const isYes = (text: string, claim: JudgeQuestion["claim"] = "observation", tolerance = 0) =>
      inRoom("rubric", text, claim, tolerance).score;
    expect(isYes("The box is above you and the target below.")).toBe(1);
    // Combined with a wrong side: the target's main direction is below.
    expect(isYes("The box is above left and the target below left.")).toBe(1);
    expect(isYes("The box is above you.")).toBe(0);
    expect(isYes("The box is right of you and the target below.")).toBe(0);
    expect(isYes("The box and the target are close.")).toBe(0);
    // A prediction may not be wrong, but slightly to the side of what is straight ahead.
    expect(isYes("The box is above right, the target below.", "prediction")).toBe(0);
    expect(isYes("The box is above left, the target below left.", "prediction")).toBe(1);
  });

  test("the rubric's places may be off by the tolerance", () => {
    const text = "player at row 3 col 3 ; box at row 2 col 1 ; target at row 5 col 3";
    expect(inRoom("rubric", text).score).toBe(0);
    expect(inRoom("rubric", text, "observation", 1).score).toBe(1);
    expect(inRoom("rubric", `${text} ; box at row 4 col 4`, "observation", 1).score).toBe(0);
  });

  test("cells are the scoring of before", () => {
    expect(
      inRoom("cells", "player at row 3 col 3 ; box at row 2 col 2 ; target at row 5 col 4").score,
    ).toBeCloseTo(2 / 3);
  });
});
