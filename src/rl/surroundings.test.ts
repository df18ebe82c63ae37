import { describe, expect, test } from "vitest";
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

const metricsOfTurns = (...turns: Turn[]) => surroundingsMetrics([{ envId: "frozenlake", turns }]);

test("metrics of the neighbours, worked out by hand", () => {
  const turns = [
    turn("match", "edge", "hole", "free", "goal"),
    turn("partial", "edge", "hole/free", "free/hole", "stuck box/not stated"),
    turn("format"),
    { verdicts: {} } as Turn,
  ];
  expect(metricsOfTurns(...turns)).toEqual({
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
  expect(metricsOfTurns(turn("unreadable", ...silent))).toMatchObject({
    surroundings_accuracy: 0,
    "surroundings_miss/hole": 1,
    "surroundings_false_alarm/hole": 0,
  });
});

test("a kind that is only claimed has false alarms and no misses", () => {
  const metrics = metricsOfTurns(turn("partial", "free/hole", "free", "free", "free"));
  expect(metrics["surroundings_false_alarm/hole"]).toBe(1 / 4);
  expect(metrics).not.toHaveProperty(["surroundings_miss/hole"]);
});

test("nothing is measured where nothing was judged", () => {
  expect(metricsOfTurns(turn("format"), turn("off"))).toEqual({});
});

describe("what is claimed by its place only", () => {
  const observed = (target: Cell, said: readonly Cell[] | null, status: Verdict["status"] = "partial") => {
    const { verdicts } = turn("match", "wall", "free", "free", "stuck box");
    const fields =
      said === null
        ? []
        : [
            { name: "player", cells: [[2, 2]] },
            { name: "target", cells: said },
          ];
    const before = { rows: 6, cols: 6, player: [2, 2], entities: { target: [target], box: [[2, 3]] } };
    return { before, verdicts: { ...verdicts, observation: { status, fields } } } as unknown as Turn;
  };
  const metricsOf = (...turns: Turn[]) =>
    surroundingsMetrics([{ envId: "sokoban", turns }], new Map([["sokoban", ["target"]]]));

  test("has errors where it is beside the player, or is said to be", () => {
    const metrics = metricsOf(
      observed([3, 2], [[3, 2]]),
      observed([3, 2], [[4, 2]]),
      observed([4, 4], [[2, 1]]),
      // Without a judged observation there is nothing to count.
      observed([3, 2], [], "off"),
    );
    expect(metrics).toMatchObject({
      "surroundings_miss/target": 1 / 2,
      "surroundings_false_alarm/target": 1 / 10,
      "surroundings_miss/stuck_box": 0,
    });
    expect(Object.keys(metrics).filter((name) => /player|\/box/.test(name))).toEqual([]);
  });

  test("is missed by an observation that places nothing", () => {
    expect(metricsOf(observed([3, 2], null, "unreadable"))["surroundings_miss/target"]).toBe(1);
  });

  test("is not counted where the judge compares no cells, nor in an environment that has no such thing", () => {
    const unplaced = observed([3, 2], [[3, 2]]);
    const verdict = unplaced.verdicts.observation!;
    const fields = verdict.fields.map(({ cells: _, ...field }) => field);
    const turns = [{ ...unplaced, verdicts: { ...unplaced.verdicts, observation: { ...verdict, fields } } }];
    expect(metricsOf(...turns)).not.toHaveProperty(["surroundings_miss/target"]);
    const other = surroundingsMetrics(
      [{ envId: "frozenlake", turns: [observed([3, 2], [])] }],
      new Map([["sokoban", ["target"]]]),
    );
    expect(other).not.toHaveProperty(["surroundings_miss/target"]);
  });
});
