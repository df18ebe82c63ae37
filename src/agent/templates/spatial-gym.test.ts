// What a teacher of SpatialGym says and does: it looks until its map has what the question needs.
import { describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import { readOffset } from "../../envs/navigation/offsets.ts";
import { tangentOf } from "../../envs/navigation/pose.ts";
import { asSpatial, mapOffset, objectsIn, seenIn, spatialClaims } from "../../envs/spatial-gym/claims.ts";
import { config, QUESTION_KINDS } from "../../envs/spatial-gym/config.ts";
import { STEP } from "../../envs/spatial-gym/map.ts";
import { SpatialGym } from "../../envs/spatial-gym/spatial-gym.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { chooseActions, writeReply } from "../demonstrate.ts";
import { spatialGymTemplate as template } from "./spatial-gym.ts";
import { MOST_STEPS, stepsToAnswer } from "./spatial-gym-working.ts";

function begin(seed: number, options: object = {}): SpatialGym {
  const env = new SpatialGym(config.parse(options));
  env.reset(seed);
  return env;
}

const EXPERT = {
  randomFraction: 0,
  expertFraction: 1,
  format: "grounding_worldmodeling",
  turnsLeft: 1,
} as const;

const next = (env: SpatialGym) =>
  template.expert!(env.groundTruth(), env.oracle() ?? [], { actions: 1, turns: 1 });

it("a teacher answers once it has seen what the question names, and within three looks", () => {
  for (let seed = 0; seed < 12; seed++) {
    const env = begin(seed, { task: "distance" });
    let actions = next(env);
    for (; !actions[0].startsWith("Answer"); actions = next(env)) {
      const seen = seenIn(env.groundTruth());
      const [, asked] = env.question().split(": ");
      const named = [...asked.matchAll(/the (\w+)/g)].map(([, name]) => name);
      expect(named.every((name) => seen.includes(name))).toBe(false);
      for (const action of actions) env.step(action);
    }
    expect(env.groundTruth().facts.observations).toBeLessThanOrEqual(3);
    expect(env.step(actions[0]).success).toBe(true);
  }
});

describe("a teacher in two rooms", () => {
  /** Plays on as the teacher, so many actions a turn, and returns its answer. */
  function explore(env: SpatialGym, perTurn = 3): string {
    for (;;) {
      const actions = next(env).slice(0, perTurn);
      if (actions[0]!.startsWith("Answer")) return actions[0]!;
      for (const action of actions) expect(env.step(action).note).toBe("");
    }
  }

  it("goes to look in the second room, and answers within seven looks", () => {
    for (const task of QUESTION_KINDS)
      for (let seed = 0; seed < 4; seed++) {
        const env = begin(seed, { task, rooms: 2 });
        const answer = explore(env, 1 + (seed % 3));
        const { x, z, start_x, start_z, observations } = env.groundTruth().facts;
        expect([x, z]).not.toEqual([start_x, start_z]);
        expect(observations).toBeLessThanOrEqual(7);
        expect(env.step(answer).success).toBe(true);
      }
  });

  it.each([
    ["a look twice", ["Observe()"]],
    ["a look three times", ["Observe()", "Observe()"]],
    ["half a quarter", ["Rotate(45)", "Observe()"]],
  ])("finds everything after %s", (_, before) => {
    for (let seed = 0; seed < 6; seed++) {
      const env = begin(seed, { task: "direction", rooms: 2, max_exp_steps: 40 });
      for (const action of before) env.step(action);
      expect(env.step(explore(env)).success, `seed ${seed}`).toBe(true);
    }
  });

  it("has words for every place", () => {
    for (let seed = 0; seed < 5; seed++) {
      const truth = asSpatial(begin(seed, { task: "map", objects: 6, rooms: 2 }).groundTruth());
      for (const from of objectsIn(truth))
        for (const { name } of objectsIn(truth))
          for (const steps of mapOffset(truth, name, from.name))
            expect(Math.abs(steps)).toBeLessThanOrEqual(MOST_STEPS);
    }
  });
});

it("a teacher of one action a turn looks where it has turned to", () => {
  const env = begin(0, { task: "map" });
  const [first] = next(env);
  expect(first).toBe("Rotate(90)");
  env.step(first);
  expect(next(env)).toEqual(["Observe()"]);
});

it("a teacher without looks left guesses, because it knows no more than a good agent can", () => {
  let right = 0;
  for (let seed = 0; seed < 40; seed++) {
    const env = begin(seed, { task: "direction", max_exp_steps: 1 });
    for (const action of ["Rotate(180)", "Observe()"]) env.step(action);
    const [action] = chooseActions(env, rng(seed), { ...EXPERT, envId: "spatial-gym", maxActions: 3 });
    right += Number(env.step(action).success);
  }
  expect(right).toBeGreaterThan(15);
  expect(right).toBeLessThan(38);
});

it("any action at random is about the objects and the answers of the task", () => {
  const random = rng(1);
  let answers = 0;
  for (let seed = 0; seed < 200; seed++) {
    const env = begin(seed % 10, { task: seed % 2 ? "order" : "map" });
    const action = template.anyAction!(env.groundTruth(), random);
    const { note, terminated } = env.step(action);
    answers += Number(terminated);
    expect(note).not.toMatch(/asked|answer with|not one of/);
  }
  // One kind of action in five.
  expect(answers).toBeGreaterThan(20);
  expect(answers).toBeLessThan(60);
});

it("a map is drawn when all objects have been seen", () => {
  const env = begin(1, { task: "map" });
  for (let actions = next(env); !actions[0].startsWith("Map("); actions = next(env))
    for (const action of actions) env.step(action);
  const truth = asSpatial(env.groundTruth());
  expect(seenIn(truth)).toHaveLength(objectsIn(truth).length);
  expect(env.step(env.oracle()![0]).success).toBe(true);
});

it("a reply has the view, the map from the start, and what is known from the view to come", () => {
  const env = begin(3);
  for (const action of ["Rotate(90)", "Observe()"]) env.step(action);
  const truth = asSpatial(env.groundTruth());
  const actions = ["Rotate(90)", "Observe()"];
  const reply = writeReply("spatial-gym", truth, actions, "grounding_worldmodeling");
  const map = template.facts(truth);
  expect(map.split(" ; ")).toHaveLength(4);
  expect(reply).toContain(`<observation>${template.describe(truth)}</observation>`);
  expect(reply).toContain(
    `<reasoning>${map}${template.working!(truth)} ; so Rotate(90) | Observe()</reasoning>`,
  );
  const after = actions.reduce(template.advance, truth);
  expect(reply).toContain(`<prediction>${template.predict(after)}</prediction>`);
});

/** What the words before an answer lead to: the hours or distances of one object or two. */
function answerFrom(kind: string, [first, second]: readonly { name: string; number: number }[]): string {
  const sideOf = (hour: number) => ["ahead", "right", "back", "left"][Math.round((hour + 12) / 3) % 4];
  switch (kind) {
    case "direction":
      return sideOf(first.number);
    case "perspective":
      return sideOf(second.number - first.number);
    default:
      // Whichever is nearer, or comes first from ahead: no object is there, so that 12 comes last.
      return first.number < second.number ? first.name : second.name;
  }
}

it.each(QUESTION_KINDS)("the words before an answer to a question of %s lead to it", (task) => {
  let right = 0;
  for (let seed = 0; seed < 20; seed++) {
    const env = begin(seed, { task });
    let actions = next(env);
    for (; !actions[0].startsWith("Answer"); actions = next(env)) {
      expect(template.working!(env.groundTruth())).toBe("");
      for (const action of actions) env.step(action);
    }
    const said = template.working!(env.groundTruth());
    const objects = [...said.matchAll(/ ; (\w+) \d[^;]* (\d+) (?:o'clock|steps away)/g)];
    const numbers = objects.map(([, name, number]) => ({ name, number: Number(number) }));
    right += Number(`Answer(${answerFrom(task, numbers)})` === actions[0]);
  }
  // Whole steps and hours are rounded: a close call can be lost.
  expect(right).toBeGreaterThanOrEqual(19);
});

it.each([
  ["1 ahead 1 right", 2],
  ["1 back 1 right", 5],
  ["1 back 1 left", 8],
  ["1 ahead 1 left", 11],
])("an object at %s lies between two hours and gets the later one, %i o'clock", (words, hour) => {
  const truth = asSpatial(begin(0, { task: "direction" }).groundTruth());
  const [z, x] = readOffset(words)!.map((steps) => (steps * STEP) / 100);
  const start = { start_x: 0, start_z: 0, start_yaw: 0 };
  const facts = { ...truth.facts, ...start, objects: `lamp ${x} ${z} ${x} ${z}` };
  expect(stepsToAnswer({ ...truth, facts }, ["lamp"])).toContain(`lamp ${words} at ${hour} o'clock`);
});

it("what is worked out between two objects is right", () => {
  for (let seed = 0; seed < 12; seed++) {
    const env = begin(seed, { task: "perspective" });
    for (let actions = next(env); !actions[0].startsWith("Answer"); actions = next(env))
      for (const action of actions) env.step(action);
    const said = template.working!(env.groundTruth());
    const [, ahead, right] = /^ ; from the \w+ minus (.*) minus (\d+ \w+) ;/.exec(said)!;
    const origin = readOffset(`${ahead} ${right}`)!;
    const each = [
      ...said.matchAll(
        / ; \w+ ([^,;]+), ([^,;]+) minus [^,;]+ is ([^,;]+) , ([^,;]+) minus [^,;]+ is ([^,;]+), ([^,;]+) at/g,
      ),
    ];
    expect(each).toHaveLength(2);
    for (const [, place, oneAhead, ahead, oneRight, right, offset] of each) {
      expect(`${oneAhead} ${oneRight}`).toBe(place);
      expect(`${ahead} ${right}`).toBe(offset);
      const [a, d] = [place, offset].map((words) => readOffset(words)!);
      expect(d).toEqual([a[0] - origin[0], a[1] - origin[1]]);
    }
  }
});

it("a prediction is right about every turn that looks, whatever is done before and after the look", () => {
  const rules = spatialClaims(tangentOf(90));
  for (const rest of [[], ["Rotate(45)"], ["Term()"], ["Rotate(90)", "Observe()"]])
    for (let seed = 0; seed < 6; seed++) {
      const env = begin(seed);
      const [before, actions] = [env.groundTruth(), ["Rotate(90)", "Observe()", ...rest]];
      const said = template.predict(actions.reduce(template.advance, before));
      for (const action of actions) env.step(action);
      expect(judgeStatements(said, "prediction", env.groundTruth(), rules, before).score).toBe(1);
    }
});
