// VAGEN's services were run on claims; the studio pays the same for each.
import { describe, expect, it } from "vitest";
import type { Cell, GroundTruth } from "../core/types.ts";
import golden from "./golden/vagen-scores.json" with { type: "json" };
import type { Claim } from "./judge.ts";
import { verdictOnRelations } from "./relation-judge.ts";
import type { Horizontal, Relation, Vertical } from "./relations.ts";
import { scorings } from "./scorings.ts";

type Row = [
  env: "frozenlake" | "sokoban",
  rows: number,
  cols: number,
  player: Cell,
  entities: Record<string, Cell[]>,
  relations: [name: string, vertical: Vertical | null, horizontal: Horizontal | null][],
  score: number,
];

/** The game's name for VAGEN's kind. */
const kindOf = (env: Row[0], name: string) => (env === "frozenlake" && name === "target" ? "goal" : name);

function questionOf([env, rows, cols, player, entities, relations]: Row, claim: Claim) {
  const named = Object.entries(entities).map(([name, cells]) => [kindOf(env, name), cells]);
  const truth: GroundTruth = { rows, cols, player, entities: Object.fromEntries(named) };
  const stated: Relation[] = relations.map(([name, vertical, horizontal]) => ({
    name: kindOf(env, name),
    vertical,
    horizontal,
  }));
  // The names that a claim has to give by the studio's own scoring decide nothing here.
  const names = claim === "prediction" ? ["player"] : ["player", "goal", "box"];
  return { question: { claim, text: written(stated), truth, names }, stated };
}

/** The claim as the list of records that VAGEN's structured format asks for. */
const written = (stated: readonly Relation[]): string =>
  JSON.stringify(
    stated.map(({ name, vertical, horizontal }) => ({
      object_id: name,
      vertical_relation: vertical,
      horizontal_relation: horizontal,
    })),
  );

const cases = golden.cases as unknown as Row[];
/** Cases of each game in the file, so that none is lost silently. */
const COUNTS = { frozenlake: 139, sokoban: 161 };

describe.each(["frozenlake", "sokoban"] as const)("claims about %s", (env) => {
  const own = cases.filter(([of]) => of === env);

  it.each(["observation", "prediction"] as const)("score as in VAGEN, as %s", (claim) => {
    expect(own).toHaveLength(COUNTS[env]);
    for (const row of own) {
      const { question, stated } = questionOf(row, claim);
      const score = row.at(-1) as number;
      const byModel = verdictOnRelations("vagen", stated, question, "model");
      expect(byModel.score, JSON.stringify(row)).toBeCloseTo(score, 9);
      expect(scorings.get("vagen").judge(question, 0).score, JSON.stringify(row)).toBeCloseTo(score, 9);
    }
  });
});

/** Player, things, what is claimed of them, and 2Σ/(|stated| + |truth|) of each kind, weighted. */
const LAKE = ["frozenlake", 3, 3, [0, 0], { target: [[2, 2]], hole: [[1, 1]] }] as const;
const ROOM = ["sokoban", 6, 6, [2, 2], { target: [[3, 1]], box: [[1, 1]] }] as const;

it.each([
  [
    "one thing in two records",
    LAKE,
    [
      ["target", "below", null],
      ["target", null, "right"],
      ["hole", "below", "right"],
    ],
    0.7 / 3 + 0.3,
  ],
  [
    "a record without a direction",
    LAKE,
    [
      ["target", null, null],
      ["target", "below", "right"],
      ["hole", "below", "right"],
    ],
    (0.7 * 2) / 3 + 0.3,
  ],
  [
    "a second box without a direction",
    ROOM,
    [
      ["target", "below", "left"],
      ["box", "above", "left"],
      ["box", null, null],
    ],
    0.5 + (0.5 * 2) / 3,
  ],
] as const)("%s costs precision", (_, state, relations, score) => {
  const { question } = questionOf([...state, relations, score] as unknown as Row, "observation");
  expect(scorings.get("vagen").judge(question, 0).score).toBeCloseTo(score, 9);
});

it.each([
  ["a hole in Sokoban", ROOM, ["hole", "wall", "ghost"]],
  ["a box in FrozenLake", LAKE, ["box"]],
] as const)(
  "counts no kind that the game does not score: %s",
  (_, [env, rows, cols, player, entities], others) => {
    const relations = Object.entries(entities).map(([name]) => [
      name,
      name === "box" ? "above" : "below",
      env === "sokoban" ? "left" : "right",
    ]);
    for (const name of others) {
      const row = [
        env,
        rows,
        cols,
        player,
        entities,
        [...relations, [name, "above", "left"]],
        1,
      ] as unknown as Row;
      const { question, stated } = questionOf(row, "observation");
      expect(verdictOnRelations("vagen", stated, question, "model").score, name).toBe(1);
      expect(scorings.get("vagen").judge(question, 0).score, name).toBe(1);
    }
  },
);
