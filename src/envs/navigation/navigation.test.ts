import { describe, expect, it } from "vitest";
import { choosePreset } from "../../config/env-preset.ts";
import { EnvError, type StudioError } from "../../core/errors.ts";
import { rng } from "../../core/rng.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { ACTIONS, readAction } from "./actions.ts";
import { navigationClaims, seenThings, targetSeen, targetWords } from "./claims.ts";
import { config, type NavigationConfig, presets } from "./config.ts";
import { drawHome } from "./draw-home.ts";
import type { Home } from "./home.ts";
import { navigation as spec } from "./index.ts";
import { Navigation } from "./navigation.ts";
import { tangentOf } from "./pose.ts";
import { TASK_SETS } from "./task-sets.ts";
import { put, twoRooms } from "./testing.ts";

const parse = (overrides: Partial<NavigationConfig> = {}) => config.parse(overrides);

function begin(
  seed: number,
  overrides: Partial<NavigationConfig> = {},
  homes: readonly Home[] = [],
): Navigation {
  const env = new Navigation(parse(overrides), homes);
  env.reset(seed);
  return env;
}

const look = (env: Navigation) => ({ truth: env.groundTruth(), text: env.text(), frame: env.render(8) });

function errorOf(run: () => unknown): StudioError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return error as StudioError;
  }
  throw new Error("nothing was thrown");
}

describe("an episode", () => {
  it("is the same for the same seed and actions", () => {
    const play = () => {
      const env = begin(42, { eval_set: "base_train" });
      const choice = rng(42).fork("test");
      return Array.from({ length: 12 }, () => [env.step(choice.pick(ACTIONS)), look(env)]);
    };
    expect(play()).toEqual(play());
  });

  it("does not remember earlier ones", () => {
    const env = begin(5);
    env.step("turn_left");
    env.reset(6);
    expect(look(env)).toEqual(look(begin(6)));
  });

  it.each(TASK_SETS)(
    "of %s is solved by both of its plans, each one action shorter after every step",
    (set) => {
      for (const seed of [1, 14, 2 ** 40 + 3])
        for (const preset of Object.values(presets))
          for (const plan of ["oracle", "walk"] as const) {
            const env = begin(seed, { ...preset, eval_set: set });
            const actions = env[plan]() ?? [];
            expect(actions.length).toBeGreaterThan(0);
            actions.forEach((action, i) => {
              const result = env.step(action);
              const isLast = i === actions.length - 1;
              expect(result).toEqual({
                reward: isLast ? preset.success_reward : 0,
                terminated: isLast,
                success: isLast,
                effective: true,
                note: "",
              });
              expect(env[plan]()).toHaveLength(actions.length - 1 - i);
            });
          }
    },
  );

  it("keeps the target ahead on every step of the oracle, as far as a shortest plan can", () => {
    const ahead: boolean[] = [];
    for (let seed = 0; seed < 30; seed++) {
      const env = begin(seed);
      for (const action of env.oracle()!) {
        ahead.push(env.groundTruth().facts.target_direction === "ahead");
        env.step(action);
      }
    }
    expect(ahead.length).toBeGreaterThan(150);
    expect(ahead.filter(Boolean).length / ahead.length).toBeGreaterThan(0.9);
  });

  it("ends after 30 actions, the last of which may still succeed", () => {
    const env = begin(3);
    const plan = env.oracle()!;
    const idle = ["turn_left", "turn_right"];
    for (let i = 0; i < 30 - plan.length; i++) expect(env.step(idle[i % 2]).terminated).toBe(false);
    // Turns come back to the same yaw in pairs; one more is left over where the number is odd.
    const rest = env.oracle()!;
    for (const action of rest.slice(0, -1)) expect(env.step(action).terminated).toBe(false);
    expect(env.step(rest.at(-1)!)).toMatchObject({ terminated: true, success: true, note: "" });

    const other = begin(3);
    for (let i = 0; i < 29; i++)
      expect(other.step("turn_left")).toMatchObject({ terminated: false, note: "" });
    expect(other.oracle()).toBeNull();
    expect(other.step("turn_left")).toEqual({
      reward: 0,
      terminated: true,
      success: false,
      effective: true,
      note: "that was the last of 30 actions",
    });
    expect(errorOf(() => other.step("turn_left")).code).toBe("reset_needed");
    expect(() => look(other)).not.toThrow();
  });

  it("changes the truth and, where the view is not plain, the picture with every effective action", () => {
    let pictures = 0;
    let actions = 0;
    for (let seed = 0; seed < 8; seed++) {
      const env = begin(seed);
      const choice = rng(seed).fork("test");
      let before = look(env);
      for (let i = 0; i < 20; i++) {
        const { effective, note, terminated } = env.step(choice.pick(ACTIONS));
        const after = look(env);
        expect(JSON.stringify(after.truth) !== JSON.stringify(before.truth)).toBe(effective);
        const isNew = after.frame.data.some((value, at) => value !== before.frame.data[at]);
        if (!effective) expect(isNew).toBe(false);
        expect(note !== "").toBe(!effective);
        actions += Number(effective);
        pictures += Number(effective && isNew);
        if (terminated) break;
        before = after;
      }
    }
    expect(pictures).toBeGreaterThan(actions * 0.97);
  });

  it("keeps its instruction, and hands out plain data that it does not change", () => {
    const env = begin(4);
    const question = env.question();
    const seen = { ...look(env), plan: env.oracle(), result: env.step("turn_left") };
    expect(structuredClone(seen)).toEqual(seen);
    const copy = structuredClone(seen.truth);
    for (const action of env.oracle() ?? []) env.step(action);
    expect(seen.truth).toEqual(copy);
    expect(env.question()).toBe(question);
  });

  it("writes the visible objects as text, in steps from the agent", () => {
    const home = twoRooms([put("sofa", 300, 550, 2)]);
    const env = begin(2, {}, [home]);
    const { x, z, yaw, clear_ahead } = env.groundTruth().facts;
    for (let turns = 0; turns < 4; turns++) {
      const { facts, things } = env.groundTruth();
      const lines = env.text().split("\n");
      expect(lines.pop()).toBe(`clear ${facts.clear_ahead}`);
      expect(lines).toHaveLength(things.length);
      if (facts.yaw === 0) {
        // Looking along z, x grows to the right.
        const [ahead, right] = [Math.round((5.5 - z) / 0.3), Math.round((3 - x) / 0.3)];
        expect(lines).toEqual([`sofa ${ahead} ahead ${Math.abs(right)} ${right < 0 ? "left" : "right"}`]);
      }
      env.step("turn_left");
    }
    expect(env.groundTruth().facts).toMatchObject({ x, z, yaw, clear_ahead });
  });

  it("does not punish what is said of more objects than a state lists", () => {
    const env = begin(112, { eval_set: "base_train" });
    const truth = env.groundTruth();
    expect(truth.things).toHaveLength(5);
    expect(env.text().split("\n")).toHaveLength(6);
    const further = truth.facts.further!.split(";").map((text) => text.split(" "));
    expect(further).toHaveLength(3);
    const all = [
      ...truth.things,
      ...further.map(([name, x, z]) => ({ name: name!, at: [Number(x), Number(z)] })),
    ];
    const sees = seenThings({ ...truth, things: all }).join(" ; ");
    const rules = navigationClaims(truth.facts.step, tangentOf(100));
    const score = (text: string) => judgeStatements(text, "observation", truth, rules).score;
    expect(score(`target ${targetWords(truth)} ; sees ${sees}`)).toBe(1);
    expect(score(`target ${targetWords(truth)} ; sees ${seenThings(truth).join(" ; ")}`)).toBe(1);
  });

  it("has objects in view by the share of the picture that they fill", () => {
    // In the default picture each of these views has an object of less than 3 pixels; in one of 256 × 256 pixels it has more.
    for (const seed of [2, 9, 123, 132, 713, 1067]) {
      const inView = (resolution: number) => {
        const env = begin(seed, { resolution, eval_set: "base_train" });
        const { visible, further } = env.state();
        return {
          kinds: [...visible, ...further].map(({ kind }) => kind),
          known: env.groundTruth().facts.known,
        };
      };
      expect(inView(256), `${seed}`).toEqual(inView(64));
    }
  });

  it("says in which of four sectors the target is, and how far away", () => {
    const env = begin(2, {}, [twoRooms([put("sofa", 300, 550, 2)])]);
    const sectors = new Set<string>();
    for (let turns = 0; turns < 4; turns++) {
      const { target } = env.state();
      const truth = env.groundTruth();
      const { x, z, target_x, target_z, target_direction, target_distance } = truth.facts;
      expect(target_distance).toBeCloseTo(Math.hypot(target_x - x, target_z - z), 2);
      expect({ target_direction, target_distance }).toEqual({
        target_direction: target.direction,
        target_distance: target.distance,
      });
      expect(targetSeen(truth)).toEqual({ direction: target.direction, distance: target.distance });
      sectors.add(target.direction);
      env.step("turn_left");
    }
    expect([...sectors].sort()).toEqual(["ahead", "back", "left", "right"]);
  });
});

describe("moves", () => {
  /** Empty but for a sofa against the far wall, as the only target; the agent begins wherever the seed puts it. */
  const home = twoRooms([put("sofa", 300, 550, 2)]);

  const poseOf = (env: Navigation) => env.groundTruth().facts;

  it("end within the success threshold, not within the nearest centimetre of it", () => {
    const distances = Array.from({ length: 40 }, (_, seed) => {
      // The grid has squared distances of whole decimetres: 0.995 m, then 1 m.
      const env = begin(seed, { success_threshold: 0.999, max_steps: 100 }, [home]);
      for (const action of env.oracle()!) env.step(action);
      const { x, z } = poseOf(env);
      return Math.hypot(x - 3, z - 5.5);
    });
    expect(Math.max(...distances)).toBeLessThan(0.999);
    expect(distances.some((distance) => distance > 0.8)).toBe(true);
  });

  it("go by the step length of the generation, relative to the yaw", () => {
    for (const [names, length] of [
      ["lite", 0.3],
      ["legacy", 0.5],
    ] as const) {
      const env = begin(2, { ...presets[names] }, [home]);
      for (let turns = 0; turns < 4; turns++) {
        const [ahead, back, right, left] = ACTIONS;
        for (const [action, x, z] of [
          [ahead, 0, 1],
          [back, 0, -1],
          [right, 1, 0],
          [left, -1, 0],
        ] as const) {
          const before = poseOf(env);
          const { effective, terminated } = env.step(action);
          const { x: newX, z: newZ, yaw } = poseOf(env);
          const [sine, cosine] = [
            Math.round(Math.sin((yaw * Math.PI) / 180)),
            Math.round(Math.cos((yaw * Math.PI) / 180)),
          ];
          const [dx, dz] = effective ? [x * cosine + z * sine, z * cosine - x * sine] : [0, 0];
          expect(newX - before.x).toBeCloseTo(dx * length, 9);
          expect(newZ - before.z).toBeCloseTo(dz * length, 9);
          if (terminated) return;
        }
        env.step("turn_right");
      }
    }
  });

  it("turn by 90 degrees and tilt by 30, no further than AI2-THOR's agent can", () => {
    const env = begin(2, {}, [home]);
    const { yaw } = poseOf(env);
    env.step("turn_right");
    expect(poseOf(env).yaw).toBe((yaw + 90) % 360);
    env.step("turn_left");
    env.step("turn_left");
    expect(poseOf(env).yaw).toBe((yaw + 270) % 360);
    const horizons = ["look_down", "look_down", "look_down", "look_up", "look_up", "look_up", "look_up"].map(
      (action) => {
        const { effective, note } = env.step(action);
        expect(note).toBe(effective ? "" : `cannot look further ${action.slice(5)}`);
        return [poseOf(env).horizon, effective];
      },
    );
    expect(horizons).toEqual([
      [30, true],
      [60, true],
      [60, false],
      [30, true],
      [0, true],
      [-30, true],
      [-30, false],
    ]);
  });

  it("are blocked by walls and things, which are named, and then change nothing", () => {
    const notes = new Set<string>();
    for (let seed = 0; seed < 6; seed++)
      for (const action of ACTIONS.slice(0, 4)) {
        const env = begin(seed, { max_steps: 100 }, [home]);
        for (let i = 0; i < 25; i++) {
          const before = look(env);
          const result = env.step(action);
          if (result.terminated) break;
          if (result.effective) continue;
          expect(look(env)).toEqual(before);
          notes.add(result.note);
          break;
        }
      }
    expect([...notes].sort()).toEqual(["blocked by a wall", "blocked by the sofa"]);
  });

  it("never enter a wall or a thing, however the agent plays", () => {
    for (let seed = 0; seed < 6; seed++) {
      const env = begin(seed, { max_steps: 100, success_threshold: 0.5 }, [drawHome("kitchen", seed)]);
      const choice = rng(seed).fork("test");
      const { things } = drawHome("kitchen", seed);
      for (let i = 0; i < 99; i++) {
        if (env.step(choice.pick(ACTIONS)).terminated) break;
        const { x, z } = poseOf(env);
        for (const thing of things.filter(({ y, kind }) => y === 0 && kind !== "rug" && kind !== "door")) {
          const half = Math.min(thing.size[0], thing.size[2]) / 2;
          const distance = Math.max(Math.abs(x * 100 - thing.x), Math.abs(z * 100 - thing.z));
          expect(distance, thing.name).toBeGreaterThan(half);
        }
      }
    }
  });
});

describe("settings", () => {
  it("play a part of the tasks where that is wanted", () => {
    const questions = (overrides: Partial<NavigationConfig>) =>
      Array.from({ length: 9 }, (_, seed) => begin(seed, overrides).question());
    const all = questions({});
    expect(questions({ down_sample_ratio: 0.5 }).slice(0, 5)).toEqual([...all.slice(0, 4), all[8]]);
    expect(new Set(questions({ down_sample_ratio: 1 / 60 }))).toEqual(new Set([all[0]]));
  });

  it("begin no task that is solved already, however near counts", () => {
    const success_threshold = 1.9;
    expect(config.safeParse({ success_threshold: 2 }).success).toBe(false);
    for (let seed = 0; seed < 30; seed++)
      for (const eval_set of ["base", "base_train"] as const)
        expect(() => begin(seed, { success_threshold, eval_set }).step("turn_left")).not.toThrow();
  });

  it("leave steps enough for the nearest start", () => {
    const training = { eval_set: "base_train" } as const;
    expect(() => spec.check!(parse({ max_steps: 3, ...training }))).toThrow(
      /env.config.max_steps is 3; no start is fewer than 4 steps of 0.3 m/,
    );
    expect(() => spec.check!(parse({ max_steps: 5 }))).toThrow(/no start is fewer than 6 steps of 0.3 m/);
    for (const fitting of [
      { max_steps: 4, ...training },
      { max_steps: 6 },
      { max_steps: 1, step_length: 1, ...training },
      { max_steps: 3, step_length: 0.2, success_threshold: 1.4, ...training },
      presets.legacy,
    ])
      expect(() => spec.check!(parse(fitting))).not.toThrow();
  });

  it("have the constants of both generations", () => {
    const lite = parse(presets.lite);
    expect(parse()).toEqual(lite);
    expect(lite).toMatchObject({
      fov: 100,
      step_length: 0.3,
      success_threshold: 1,
      max_steps: 30,
      max_actions_per_step: 5,
      format_reward: 0.01,
      episode_format_reward: 0,
      success_reward: 1,
      max_objects_in_state: 5,
    });
    expect(parse(presets.legacy)).toMatchObject({
      fov: 100,
      step_length: 0.5,
      success_threshold: 1.5,
      max_steps: 30,
      max_actions_per_step: 5,
      format_reward: 0.5,
      episode_format_reward: 0,
      success_reward: 10,
    });
    expect(parse().resolution % 8).toBe(0);
  });

  it("of a generation replace what was set before", () => {
    const changed = {
      fov: 60,
      max_steps: 99,
      max_objects_in_state: 1,
      success_threshold: 0.5,
      resolution: 128,
    };
    for (const preset of ["lite", "legacy"] as const) {
      const env = choosePreset({ name: "navigation", preset: "none", config: changed }, spec, preset);
      const values = { fov: 100, max_steps: 30, max_objects_in_state: 5, resolution: 128 };
      expect(env.config).toMatchObject({ ...values, ...presets[preset] });
      expect(env.config).not.toHaveProperty("eval_set");
    }
  });

  it("describe every field, and refuse what cannot be", () => {
    for (const [name, field] of Object.entries(config.shape)) expect(field.description, name).toBeTruthy();
    for (const wrong of [
      { resolution: 60 },
      { resolution: 24 },
      { step_length: 0.25 },
      { step_length: 0 },
      { fov: 170 },
      { eval_set: "easy" },
      { max_steps: 0 },
    ])
      expect(config.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  it("read the names of both generations in any letter case", () => {
    expect(ACTIONS).toHaveLength(8);
    expect(readAction(" Move_Forward ")).toBe("move_forward");
    expect(readAction("MOVEAHEAD")).toBe("move_forward");
    expect(readAction("lookdown")).toBe("look_down");
    for (const text of ["", "jump", "move", "move forward"]) expect(readAction(text)).toBeNull();
    for (const action of ACTIONS) expect(readAction(action)).toBe(action);
  });

  it("refuse an unknown action by name, and stay as they were", () => {
    const env = begin(1);
    const before = look(env);
    for (const action of ["Jump", "", "moveahead", "Move_forward"]) {
      const error = errorOf(() => env.step(action));
      expect(error.code).toBe("invalid_action");
      expect(error.message).toContain(`"${action}"`);
      expect(error.hint).toContain(ACTIONS.join(", "));
    }
    expect(look(env)).toEqual(before);
  });

  it("ask for a reset first, refuse odd seeds and sizes, and homes without a target", () => {
    const env = new Navigation(parse());
    for (const call of [
      () => env.step("turn_left"),
      () => env.render(8),
      () => env.text(),
      () => env.groundTruth(),
      () => env.oracle(),
      () => env.walk(),
      () => env.question(),
    ])
      expect(errorOf(call).code).toBe("reset_needed");
    for (const seed of [-1, 0.5, Number.NaN]) expect(() => begin(seed)).toThrow(/seed/);
    for (const size of [0, -8, 8.5, 5000]) expect(() => begin(1).render(size)).toThrow(/patchPx/);
    expect(errorOf(() => begin(1, {}, [twoRooms([])])).code).toBe("unsolvable_level");
  });
});
