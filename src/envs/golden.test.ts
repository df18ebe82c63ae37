// The pictures of boards and the levels of visual math, byte for byte as they were before environments could be anything but boards.
import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { rng } from "../core/rng.ts";
import type { Frame } from "../core/types.ts";
import type { Env, EnvSpec } from "./env.ts";
import frozenlakePictures from "./frozenlake/golden/pictures.json" with { type: "json" };
import { frozenlake } from "./frozenlake/index.ts";
import sokobanPictures from "./sokoban/golden/pictures.json" with { type: "json" };
import { sokoban } from "./sokoban/index.ts";
import { mathAlgebra } from "./visual-math/algebra.ts";
import visualMathLevels from "./visual-math/golden/levels.json" with { type: "json" };
import visualMathPictures from "./visual-math/golden/pictures.json" with { type: "json" };
import { setAlgebra } from "./visual-math/grade.ts";
import { visualMath } from "./visual-math/index.ts";

const digest = ({ data }: Frame) => createHash("sha1").update(data).digest("hex");

/** Pixels per tile: for the model, for people, and between the two. A level has three pictures, so each size meets every kind of state. */
const SIZES = [8, 12, 16, 64];

/** Levels from 0 to `levels` − 1 of each of some configurations. */
function* begun(spec: EnvSpec, configs: readonly object[], levels: number): Generator<[Env, number]> {
  for (const config of configs)
    for (let seed = 0; seed < levels; seed++) {
      const env = spec.create(spec.config.parse(config));
      env.reset(seed);
      yield [env, seed];
    }
}

/** The pictures of levels at their start, after random actions, and when they are solved; one size after another. */
function picturesOf(spec: EnvSpec, configs: readonly object[]): string[] {
  const pictures: string[] = [];
  const look = (env: Env) => pictures.push(digest(env.render(SIZES[pictures.length % SIZES.length])));
  for (const [env, seed] of begun(spec, configs, 3)) {
    look(env);
    const choice = rng(seed).fork("moves");
    for (let i = 0, over = false; i < 3 && !over; i++) over = env.step(choice.pick(spec.actions)).terminated;
    look(env);
    env.reset(seed);
    for (const action of env.oracle() ?? []) env.step(action);
    look(env);
  }
  return pictures;
}

beforeAll(async () => {
  await visualMath.load?.();
  setAlgebra(mathAlgebra);
});

it("draws FrozenLake as ever", () => {
  const configs = [{}, { size: 8 }, { size: 5, is_slippery: true, p: 0.6 }];
  expect(picturesOf(frozenlake, configs)).toEqual(frozenlakePictures);
});

it("draws Sokoban as ever", () => {
  const configs = [{}, { dim_room: [7, 8], num_boxes: 2 }, { dim_room: [10, 10], num_boxes: 3 }];
  expect(picturesOf(sokoban, configs)).toEqual(sokobanPictures);
});

/** Every kind of question. */
const EVERY_QUESTION = { questions: ["count", "length", "longer", "perimeter", "area", "share", "diagonal"] };

it("draws visual math as ever", () => {
  const configs = [{}, { ...EVERY_QUESTION, difficulty: "hard", grid_size: 8 }, { difficulty: "easy" }];
  expect(picturesOf(visualMath, configs)).toEqual(visualMathPictures);
});

it("asks the questions of visual math as ever", () => {
  const asked = [...begun(visualMath, [{}, EVERY_QUESTION], 20)].map(([env]) => [
    env.question?.(),
    env.oracle()?.[0],
  ]);
  expect(asked).toEqual(visualMathLevels);
});
