// Every representation of a state, on every grid world: as written down by hand here, and scored in full by the rule judge
// where it is right only.
import { describe, expect, test } from "vitest";
import { STATE_FORMATS } from "../config/run-config.ts";
import { rng } from "../core/rng.ts";
import type { GroundTruth, SceneTruth, WorldTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { wordsOf } from "../envs/worlds.ts";
import { scorings } from "../judge/scorings.ts";
import { judgeStatements } from "../judge/statements.ts";
import { claimsOf } from "./claims.ts";
import { stateFormats } from "./states.ts";
import { templates } from "./templates/index.ts";
import { vocabularyFor } from "./vocabulary.ts";

const lake: GroundTruth = {
  rows: 3,
  cols: 4,
  player: [1, 0],
  entities: {
    goal: [[2, 1]],
    hole: [
      [0, 0],
      [1, 3],
    ],
  },
};
const room: GroundTruth = {
  rows: 6,
  cols: 6,
  player: [1, 1],
  entities: {
    box: [
      [3, 2],
      [2, 3],
    ],
    target: [
      [1, 1],
      [2, 3],
    ],
    wall: [[4, 2]],
  },
};
const grids = envs.all.filter(({ id }) => templates.get(id).grid !== undefined);
const written = (id: string, env: string, truth: SceneTruth) => {
  const [format, template] = [stateFormats.get(id), templates.get(env)];
  return [format.describe(template, truth), format.predict(template, truth)];
};

test("the representations are those that a run can choose", () => {
  expect(stateFormats.ids).toEqual(STATE_FORMATS);
});

test("every environment whose state has places can write them down", () => {
  expect(grids.map(({ id }) => id)).toEqual(
    envs.all.filter(({ claims, isWorld }) => claims.length > 0 && !isWorld).map(({ id }) => id),
  );
});

test("a dictionary lists cells by name; of a prediction, what can move", () => {
  expect(written("structured", "frozenlake", lake)).toEqual([
    '{"player": [1, 0], "goal": [2, 1]}',
    '{"player": [1, 0]}',
  ]);
  expect(written("structured", "sokoban", room)).toEqual([
    '{"player": [1, 1], "box": [[2, 3], [3, 2]], "target": [[1, 1], [2, 3]]}',
    '{"player": [1, 1], "box": [[2, 3], [3, 2]]}',
  ]);
});

test("a board is drawn with the game's own symbols", () => {
  const [onIce, sameOnIce] = written("symbolic", "frozenlake", lake);
  expect([onIce, sameOnIce]).toEqual(["O___\nP__O\n_G__", onIce]);
  expect(written("symbolic", "frozenlake", { ...lake, player: [2, 1] })[0]).toBe("O___\n___O\n_√__");
  expect(written("symbolic", "frozenlake", { ...lake, player: [1, 3] })[0]).toBe("O___\n___X\n_G__");
  expect(written("symbolic", "sokoban", room)[0]).toBe("######\n#S___#\n#__√_#\n#_X__#\n#_#__#\n######");
});

describe("the dictionary of a world", () => {
  const table: WorldTruth = {
    frame: "workspace",
    things: [
      { name: "green cube", at: [62, -55, 20] },
      { name: "left target", at: [80, -100, 0] },
      { name: "red cube", at: [-31, 7, 20] },
    ],
  };
  const text =
    '{"red_cube_position": (-31,7,20), "green_cube_position": (62,-55,20), "left_target_position": (80,-100,0)}';
  const rules = wordsOf("primitive-skill")!.claimRules!(envs.get("primitive-skill").config.parse({}));
  const scoreOf = (claim: string) => judgeStatements(claim, "observation", table, rules).score;

  test("has VAGEN's keys, in the order of the names and not of the list that the agent is given", () => {
    expect(written("structured", "primitive-skill", table)).toEqual([text, text]);
  });

  test("is judged as the words are", () => {
    expect(scoreOf(text)).toBe(1);
    expect(scoreOf(text.replaceAll(",", ", ").replaceAll('"', "'"))).toBe(1);
    expect(scoreOf(text.replaceAll("(", "[").replaceAll(")", "]"))).toBe(1);
    expect(scoreOf(text.replace("-31", "-61"))).toBe(0.5);
    expect(scoreOf(text.replace('"red_cube_position"', '"blue_cube_position"'))).toBeCloseTo(1 / 3);
  });

  test("is written in tokens of its own", () => {
    const spec = envs.get("primitive-skill");
    const config = spec.config.parse({ env_id: "PlaceTwoCube" });
    const vocabulary = vocabularyFor(spec, config, 3, { stateFormat: "structured" });
    const ids = vocabulary.encode(text);
    expect(vocabulary.decode(ids)).toBe(text);
    expect(ids.length).toBeLessThan(45);
    expect(vocabularyFor(spec, config, 3).encode(text).length).toBeGreaterThan(60);
  });

  test.each(envs.all.map(({ id, hasDictionary = false }) => [id, hasDictionary] as const))(
    "exists where the specification says so: %s",
    (id, hasDictionary) => {
      expect(templates.get(id).dictionary !== undefined).toBe(hasDictionary);
    },
  );
});

test("a list of relations gives every thing as seen from the player, in the observation and the prediction", () => {
  const record = (name: string, vertical: string, horizontal: string) =>
    `{"object_id": "${name}", "vertical_relation": "${vertical}", "horizontal_relation": "${horizontal}"}`;
  const list = `[${[record("goal", "below", "right"), record("hole", "above", "same"), record("hole", "same", "right")].join(", ")}]`;
  expect(written("relations", "frozenlake", lake)).toEqual([list, list]);
  expect(written("relations", "sokoban", room)[0]).toBe(
    `[${[record("box", "below", "right"), record("box", "below", "right"), record("target", "same", "same"), record("target", "below", "right")].join(", ")}]`,
  );
});

test.each(["relations", "symbolic"] as const)("%s earn VAGEN's score in full", (format) => {
  for (const { id } of grids)
    for (const truth of states(id)) {
      for (const [i, text] of written(format, id, truth).entries()) {
        const claim = (["observation", "prediction"] as const)[i]!;
        expect(scorings.get("vagen").judge({ claim, text, truth, names: [] }, 0).score).toBe(1);
      }
    }
});

/** States as they are met in play, each with the one behind a few steps more. */
function states(envId: string, config: object = {}): GroundTruth[] {
  const spec = envs.get(envId);
  const env = spec.create(spec.config.parse(config));
  return Array.from({ length: 40 }, (_, seed) => {
    env.reset(seed);
    const random = rng(seed);
    let running = true;
    for (let i = 0; i < seed % 5 && running; i++) running = !env.step(random.pick(spec.actions)).terminated;
    return env.groundTruth() as GroundTruth;
  });
}

test.each(grids.map(({ id }) => id))("the drawn board of %s is the game's own text", (id) => {
  const spec = envs.get(id);
  const env = spec.create(spec.config.parse({}));
  for (let seed = 1; seed <= 40; seed++) {
    env.reset(seed);
    for (let random = rng(seed), i = 0; i < 4; i++) {
      expect(written("symbolic", id, env.groundTruth() as GroundTruth)[0]).toBe(
        env.text().replaceAll(" ", ""),
      );
      if (env.step(random.pick(spec.actions)).terminated) break;
    }
  }
});

const F1 = ["exact_f1", "soft_f1"];
const cases = grids.flatMap(({ id }) =>
  STATE_FORMATS.flatMap((format) =>
    // A list of relations gives no cells, and the rubric asks only for main directions.
    (format === "relations" ? F1 : ["cells", ...F1, "rubric"]).map(
      (scoring) => [id, format, scoring] as const,
    ),
  ),
);
describe.each(cases)("%s, %s, scored by %s", (id, format, scoring) => {
  const template = templates.get(id);
  const names = claimsOf(envs.get(id), "grounding_worldmodeling", format);
  const all = id === "sokoban" ? states(id, { num_boxes: 2, dim_room: [7, 7] }) : states(id);
  const score = (claim: "observation" | "prediction", said: GroundTruth, truth: GroundTruth) => {
    const { describe, predict } = stateFormats.get(format);
    const text = (claim === "observation" ? describe : predict)(template, said);
    return scorings.get(scoring).judge({ claim, text, truth, names: names[claim] }, 0).score;
  };

  test("a true claim scores in full", () => {
    for (const truth of all) {
      expect(score("observation", truth, truth)).toBe(1);
      expect(score("prediction", truth, truth)).toBe(1);
    }
  });

  test("a claim about another state does not", () => {
    for (const [i, truth] of all.entries()) {
      const said = all[(i + 1) % all.length]!;
      // F1 sees directions only: states that look alike from the player are the same to it.
      if (F1.includes(scoring) && looksAlike(said, truth, names.observation)) continue;
      expect(score("observation", said, truth)).toBeLessThan(1);
    }
  });

  test("a prediction that nothing has moved does not, where something has", () => {
    for (const truth of all) {
      for (const action of template.actions) {
        const after = template.advance(truth, action) as GroundTruth;
        if (after === truth) continue;
        if (F1.includes(scoring) && looksAlike(truth, after, Object.keys(truth.entities))) continue;
        expect(score("prediction", truth, after)).toBeLessThan(1);
      }
    }
  });
});

/** Whether these things lie in the same directions from the player. The F1 scores never ask for walls. */
function looksAlike(a: GroundTruth, b: GroundTruth, names: readonly string[]): boolean {
  const directions = ({ player, entities }: GroundTruth) =>
    names
      .filter((name) => name !== "player" && name !== "wall")
      .map((name) =>
        entities[name].map(([r, c]) => `${Math.sign(r - player[0])} ${Math.sign(c - player[1])}`).sort(),
      );
  return JSON.stringify(directions(a)) === JSON.stringify(directions(b));
}
