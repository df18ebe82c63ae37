import { expect, test } from "vitest";
import type { Cell, Turn, Verdict } from "../core/types.ts";
import { surroundingsMetrics } from "./surroundings.ts";

/** A turn whose neighbours are given as "truth" or "truth/what the reply says". */
function turn(status: Verdict["status"], ...neighbours: string[]): Turn {
  const fields = neighbours.map((neighbour, i) => {
    const [truth, predicted = truth] = neighbour.split("/");
    return { name: String(i), truth, predicted, ok: truth === predicted };
  });
  const score = fields.filter(({ ok }) => ok).length / 4;
  return { verdicts: { surroundings: { status, score, fields } } } as unknown as Turn;
}

test("metrics of the neighbours, worked out by hand", () => {
  const turns = [
    turn("match", "edge", "hole", "free", "goal"),
    turn("partial", "edge", "hole/free", "free/hole", "stuck box/not stated"),
    turn("format"),
    { verdicts: {} } as Turn,
  ];
  expect(surroundingsMetrics(turns)).toEqual({
    surroundings_accuracy: (1 + 1 / 4) / 2,
    "surroundings_accuracy/all": 1 / 2,
    "surroundings_miss/edge": 0,
    "surroundings_false_alarm/edge": 0,
    "surroundings_miss/hole": 1 / 2,
    "surroundings_false_alarm/hole": 1 / 6,
    "surroundings_miss/free": 1 / 2,
    "surroundings_false_alarm/free": 1 / 6,
    "surroundings_miss/goal": 0,
    "surroundings_false_alarm/goal": 0,
    "surroundings_miss/stuck_box": 1,
    "surroundings_false_alarm/stuck_box": 0,
  });
});

test("a reply that states no neighbour misses all of them", () => {
  const silent = ["edge", "hole", "free", "goal"].map((truth) => `${truth}/not stated`);
  expect(surroundingsMetrics([turn("unreadable", ...silent)])).toMatchObject({
    surroundings_accuracy: 0,
    "surroundings_miss/hole": 1,
    "surroundings_false_alarm/hole": 0,
  });
});

test("a kind that is only claimed has false alarms and no misses", () => {
  const metrics = surroundingsMetrics([turn("partial", "free/hole", "free", "free", "free")]);
  expect(metrics["surroundings_false_alarm/hole"]).toBe(1 / 4);
  expect(metrics).not.toHaveProperty(["surroundings_miss/hole"]);
});

test("nothing is measured where nothing was judged", () => {
  expect(surroundingsMetrics([turn("format"), turn("off")])).toEqual({});
});

test("what is claimed by its place has errors, too, where it is beside the player or said to be", () => {
  const observed = (target: Cell, said: readonly Cell[], status: Verdict["status"] = "partial") => {
    const { verdicts } = turn("match", "wall", "free", "free", "box");
    const fields = [
      { name: "player", cells: [[2, 2]] },
      { name: "box", cells: [[2, 3]] },
      { name: "target", cells: said },
    ];
    const before = { rows: 6, cols: 6, player: [2, 2], entities: { target: [target], box: [[2, 3]] } };
    return { before, verdicts: { ...verdicts, observation: { status, fields } } } as unknown as Turn;
  };
  const metrics = surroundingsMetrics([
    observed([3, 2], [[3, 2]]),
    observed([3, 2], [[4, 2]]),
    observed([4, 4], [[2, 1]]),
    // Without a judged observation there is nothing to count.
    observed([3, 2], [], "off"),
  ]);
  expect(metrics).toMatchObject({
    "surroundings_miss/target": 1 / 2,
    "surroundings_false_alarm/target": 1 / 10,
    // Stated as a neighbour, and counted as one.
    "surroundings_miss/box": 0,
    "surroundings_false_alarm/box": 0,
  });
  expect(Object.keys(metrics).filter((name) => /player/.test(name))).toEqual([]);
});
