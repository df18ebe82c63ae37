// What a teacher of SpatialGym says and does: it looks until its map has what the question needs.
import { expect, it } from "vitest";
import { asSpatial, objectsIn, seenIn } from "../../envs/spatial-gym/claims.ts";
import { config } from "../../envs/spatial-gym/config.ts";
import { SpatialGym } from "../../envs/spatial-gym/spatial-gym.ts";
import { writeReply } from "../demonstrate.ts";
import { spatialGymTemplate as template } from "./spatial-gym.ts";

function begin(seed: number, options: object = {}): SpatialGym {
  const env = new SpatialGym(config.parse(options));
  env.reset(seed);
  return env;
}

const next = (env: SpatialGym) => template.expert!(env.groundTruth(), env.oracle() ?? []);

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

it("a teacher of one action a turn looks where it has turned to", () => {
  const env = begin(0, { task: "map" });
  const [first] = next(env);
  expect(first).toBe("Rotate(90)");
  env.step(first);
  expect(next(env)).toEqual(["Observe()"]);
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
  expect(reply).toContain(`<reasoning>${map} ; so Rotate(90) | Observe()</reasoning>`);
  const after = actions.reduce(template.advance, truth);
  expect(reply).toContain(`<prediction>${template.predict(after)}</prediction>`);
  for (const action of actions) env.step(action);
  expect(template.predict(env.groundTruth())).toBe(template.predict(after));
});
