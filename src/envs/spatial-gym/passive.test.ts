// Passive exploration: the agent is shown what an agent sees that follows the script, and answers.
import { describe, expect, it } from "vitest";
import type { StudioError } from "../../core/errors.ts";
import { drawPictures } from "../pictures.ts";
import { objectsIn, seenIn } from "./claims.ts";
import { config, presets } from "./config.ts";
import { examplesIn } from "./examples.ts";
import { spatialGym } from "./index.ts";
import { SpatialGym } from "./spatial-gym.ts";

function begin(seed: number, options: object): SpatialGym {
  const env = new SpatialGym(config.parse(options));
  env.reset(seed);
  return env;
}

const PASSIVE = { exp_type: "passive" };
const SPLIT = "; ";

/** The script with which a question begins, and the rest of it. */
function partsOf(env: SpatialGym): [script: string[], question: string] {
  const [script, ...rest] = env.question().split(SPLIT);
  return [script!.split(" | "), rest.join(SPLIT)];
}

describe.each([1, 2])("passive exploration with rooms: %i", (rooms) => {
  const options = { rooms, max_exp_steps: 20 };

  it("shows what the script shows an active agent, and asks the same", () => {
    for (let seed = 0; seed < 4; seed++) {
      const [passive, active] = [begin(seed, { ...options, ...PASSIVE }), begin(seed, options)];
      const [[first, ...script], question] = partsOf(passive);
      expect([first, question]).toEqual(["Observe()", active.question()]);
      const [pictures, texts] = [[active.render(8)], [active.text()]];
      for (const action of script) {
        expect(active.step(action)).toMatchObject({ effective: true, note: "" });
        if (action !== "Observe()") continue;
        pictures.push(active.render(8));
        texts.push(active.text());
      }
      expect(pictures).toHaveLength(4 * rooms);
      expect(drawPictures(passive, 8)).toEqual(pictures);
      expect(passive.text()).toBe(texts.join("\n\n"));
      expect(seenIn(passive.groundTruth())).toEqual(seenIn(active.groundTruth()));
    }
  });

  it("shows every object of the task", () => {
    for (let seed = 0; seed < 8; seed++) {
      const truth = begin(seed, { ...options, ...PASSIVE, objects: 6 }).groundTruth();
      expect(seenIn(truth)).toEqual(objectsIn(truth).map(({ name }) => name));
    }
  });

  it("begins at the start, costs nothing, and leaves only the answer", () => {
    const env = begin(3, { ...options, ...PASSIVE });
    const { facts } = env.groundTruth();
    expect(facts).toMatchObject({
      exploring: false,
      observations: 0,
      x: facts.start_x,
      yaw: facts.start_yaw,
    });
    expect([facts.look_x, facts.look_z, facts.look_yaw]).toEqual([facts.x, facts.z, facts.yaw]);
    for (const action of ["Observe()", "Rotate(90)", "Term()", `JumpTo(${seenIn(env.groundTruth())[0]})`])
      expect(env.step(action)).toMatchObject({
        effective: false,
        reward: 0,
        note: "the exploration has ended; only the answer is left",
      });
    expect(env.oracle()).toEqual([`Answer(${facts.answer})`]);
    expect(env.step(env.oracle()![0]!)).toMatchObject({ success: true, reward: 1 });
  });

  it("shows all views again after an action without effect", () => {
    const env = begin(3, { ...options, ...PASSIVE });
    const before = { pictures: drawPictures(env, 8), text: env.text(), question: env.question() };
    for (const action of ["Observe()", "Rotate(90)"])
      expect(env.step(action)).toMatchObject({ effective: false, terminated: false });
    expect({ pictures: drawPictures(env, 8), text: env.text(), question: env.question() }).toEqual(before);
  });

  it("leads to a map that is paid as if the exploration had been ended with Term()", () => {
    for (let seed = 0; seed < 4; seed++) {
      const env = begin(seed, { ...presets.lite, ...options, ...PASSIVE, map_success: 0.6 });
      const plan = env.oracle()!;
      expect(plan).toHaveLength(1);
      const { success, reward } = env.step(plan[0]!);
      expect(success).toBe(true);
      expect(reward).toBeGreaterThan(7);
    }
  });

  it("refuses fewer observations than the script makes", () => {
    const looks = 4 * rooms - 1;
    const check = (max_exp_steps: number, exp_type: string) =>
      spatialGym.check!(config.parse({ rooms, max_exp_steps, exp_type }));
    const refused = expect.objectContaining<Partial<StudioError>>({
      code: "invalid_config",
      hint: `Use at least ${looks}, or exp_type: active.`,
    });
    expect(() => check(looks - 1, "passive")).toThrow(refused);
    expect(() => check(looks, "passive")).not.toThrow();
    expect(() => check(1, "active")).not.toThrow();
  });
});

it("offers people nothing but answers", () => {
  expect(examplesIn(begin(1, PASSIVE).groundTruth())).toEqual([
    expect.stringMatching(/^Answer\(/),
    expect.stringMatching(/^Answer\(/),
  ]);
  expect(spatialGym.playHelp!.actions).toContain("passive exploration");
});
