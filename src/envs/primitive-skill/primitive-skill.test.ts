import { beforeAll, describe, expect, it, vi } from "vitest";
import { EnvError, type StudioError } from "../../core/errors.ts";
import type { Vec3 } from "../../core/raster/solid.ts";
import { rng } from "../../core/rng.ts";
import { config, type PrimitiveSkillConfig, presets } from "./config.ts";
import golden from "./golden/states.json" with { type: "json" };
import { playGolden } from "./golden.ts";
import { FRAME_RATE } from "./motion.ts";
import { loadEngine, loadPhysics, Simulator } from "./physics.ts";
import { placedNear } from "./placement.ts";
import { PrimitiveSkill } from "./primitive-skill.ts";
import { SKILL_NAMES } from "./skills.ts";
import { TASK_IDS, type TaskId } from "./task-ids.ts";
import { TASKS } from "./tasks.ts";

beforeAll(() => loadPhysics());

function begin(seed: number, overrides: Partial<PrimitiveSkillConfig> = {}): PrimitiveSkill {
  const env = new PrimitiveSkill(config.parse(overrides));
  env.reset(seed);
  return env;
}

const look = (env: PrimitiveSkill) => [env.save(), env.state(), env.question(), env.render(8)];

function errorOf(run: () => unknown): StudioError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return error as StudioError;
  }
  throw new Error("nothing was thrown");
}

/** Plays a list of skills and returns the sum of the rewards. */
const score = (env: PrimitiveSkill, skills: readonly string[]): number =>
  skills.reduce((sum, skill) => sum + env.step(skill).reward, 0);

describe("starts in which two cubes have nearly the same depth", () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

  it.each(["AlignTwoCube", "PlaceTwoCube", "StackThreeCube"] as const)("are the only ones of %s", (id) => {
    for (const gap of [1, 12])
      for (const seed of seeds) {
        const random = rng(seed).fork(id);
        const objects = placedNear(() => TASKS[id].place(random), gap);
        const depths = objects.map(({ position }) => 1000 * position[0]).sort((a, b) => a - b);
        const gaps = depths.slice(1).map((x, i) => x - depths[i]!);
        expect(Math.min(...gaps), `seed ${seed}`).toBeLessThanOrEqual(gap);
      }
  });

  it("leave a seed's start as it is where that fits, and the drawer's always", () => {
    const start = (max_depth_gap: number, env_id: TaskId) =>
      seeds.map((seed) => begin(seed, { env_id, max_depth_gap }).groundTruth());
    expect(start(250, "StackThreeCube")).toEqual(start(0, "StackThreeCube"));
    expect(start(1, "StackThreeCube")).not.toEqual(start(0, "StackThreeCube"));
    expect(start(1, "PutAppleInDrawer")).toEqual(start(0, "PutAppleInDrawer"));
  });
});

describe("the physics", () => {
  it("comes to the stored states, bit for bit", () => {
    expect(playGolden()).toEqual(golden);
  });

  it("does not depend on other episodes of the same task", () => {
    const skills = ["pick(116,-197,20)", "place(4,-85,62)", "push(135,-160,20,135,-60,20)"];
    const alone = begin(1, { env_id: "StackThreeCube" });
    const [one, other] = [begin(1, { env_id: "StackThreeCube" }), begin(2, { env_id: "StackThreeCube" })];
    for (const skill of skills) {
      alone.step(skill);
    }
    for (const skill of skills) {
      one.step(skill);
      other.step("pick(0,0,20)");
      other.oracle();
    }
    expect(look(one)).toEqual(look(alone));
  });

  it("continues from a saved state exactly", () => {
    const env = begin(3, { env_id: "PutAppleInDrawer" });
    env.step(env.oracle()![0]);
    const saved = structuredClone(env.save());
    const copy = new PrimitiveSkill(config.parse({ env_id: "PutAppleInDrawer" }));
    copy.restore(JSON.parse(JSON.stringify(saved)));
    expect(look(copy)).toEqual(look(env));
    const next = "place(-500,-540,300)";
    expect(copy.step(next)).toEqual(env.step(next));
    expect(look(copy)).toEqual(look(env));
  });

  it("lets a badly placed cube fall", () => {
    const env = begin(1, { env_id: "StackThreeCube" });
    const { green_cube_position: green } = env.state().positions;
    env.step("pick(116,-197,20)");
    env.step(`place(${green[0]},${green[1] + 26},62)`);
    const [, , height] = env.state().positions.red_cube_position;
    expect(height).toBeLessThan(50);
  });

  it("lets a cube slip that is held at its upper edge", () => {
    const env = begin(1, { env_id: "StackThreeCube" });
    expect(env.step("pick(116,-197,40)")).toMatchObject({
      note: "the fingers hold nothing",
      effective: true,
    });
    expect(env.state().held).toBeNull();
    const heights = env.moments().map(({ objects }) => objects[0].position[2]);
    expect(Math.max(...heights)).toBeGreaterThan(0.1);
    expect(env.state().positions.red_cube_position[2]).toBeLessThan(25);
  });

  it("grasps nothing above a cube", () => {
    const { note, effective } = begin(1, { env_id: "StackThreeCube" }).step("pick(116,-197,52)");
    expect(note).toBe("the fingers hold nothing");
    expect(effective).toBe(false);
  });
});

describe("the motion of a skill", () => {
  it("has 30 frames a second, from near home over the goal and back", () => {
    const env = begin(1);
    expect(env.moments()).toEqual([]);
    env.step("pick(133,67,20)");
    const frames = env.moments();
    // Down and up again over 0.3 m at 0.5 m/s, and half a second for the fingers.
    expect(frames.length / FRAME_RATE).toBeGreaterThan(1.7);
    expect(frames.length / FRAME_RATE).toBeLessThan(4);
    const lowest = Math.min(...frames.map(({ hand }) => hand[2]));
    expect(lowest).toBeGreaterThan(0.014);
    expect(lowest).toBeLessThan(0.026);
    for (const { hand } of [frames[0], frames[frames.length - 1]]) expect(hand[2]).toBeGreaterThan(0.28);
    expect(structuredClone(frames)).toEqual(frames);
    expect(frames.at(-1)).toEqual(env.snapshot());
    const motion = env.motion()!;
    expect(motion.seconds).toBe(frames.length / FRAME_RATE);
    expect(motion.picture(1, 8)).not.toEqual(env.render(8));
    // Before its start and after its end it stands still, also when the game has gone on.
    env.step("place(0,0,60)");
    expect(motion.picture(-1, 8)).toEqual(motion.picture(0, 8));
    expect(motion.picture(99, 8)).toEqual(motion.picture(motion.seconds, 8));
  });
});

/** Two skills near what is listed, but off by up to 25 mm. */
function carelessSkills(env: PrimitiveSkill, env_id: TaskId, seed: number): string[] {
  const random = rng(seed).fork(`careless ${env_id}`);
  const places = Object.values(env.state().positions);
  const near = () => random.pick(places).map((value) => value + random.int(51) - 25);
  const points = { pick: near, place: near, push: () => [...near(), ...near()] };
  return [1, 2].map(() => {
    const name = random.pick(SKILL_NAMES);
    return `${name}(${points[name]()})`;
  });
}

/** Whether a place lies in the workspace, or is one of those that do not move. */
const isInReach =
  (env_id: TaskId) =>
  (place: Vec3): boolean =>
    place[2] === 0 ||
    place.every(
      (value, axis) => value >= TASKS[env_id].workspace[axis][0] && value <= TASKS[env_id].workspace[axis][1],
    );

describe("the oracle", () => {
  it.each(TASK_IDS)("solves %s within its turns, and its plan succeeds", (env_id) => {
    for (const seed of [0, 1, 7, 5000, 2 ** 40 + 3]) {
      const env = begin(seed, { env_id });
      const plan = env.oracle()!;
      expect(plan.length).toBeLessThanOrEqual(4);
      const results = plan.map((skill) => env.step(skill));
      expect(results.at(-1)).toMatchObject({ success: true, terminated: true });
      expect(results.slice(0, -1).some(({ terminated }) => terminated)).toBe(false);
      expect(env.oracle()).toEqual([]);
    }
  });

  it("plans as many skills as are needed, and simulates none of them twice", () => {
    const carriedOut = vi.spyOn(Simulator.prototype, "restore");
    const simulated = (run: () => void) => {
      const before = carriedOut.mock.calls.length;
      run();
      return carriedOut.mock.calls.length - before;
    };
    const plan = begin(4, { env_id: "StackThreeCube" }).oracle()!;
    expect(plan).toHaveLength(4);
    const env = begin(4, { env_id: "StackThreeCube" });
    expect(simulated(() => expect(env.oracle(2)).toEqual(plan.slice(0, 2)))).toBe(2);
    expect(simulated(() => env.step(plan[0]))).toBe(0);
    expect(simulated(() => expect(env.oracle(2)).toEqual(plan.slice(1, 3)))).toBe(1);
    expect(simulated(() => expect(env.oracle()).toEqual(plan.slice(1)))).toBe(1);
    carriedOut.mockRestore();
  });

  it("does not change the state", () => {
    const env = begin(4, { env_id: "StackThreeCube" });
    const before = look(env);
    env.oracle();
    expect(look(env)).toEqual(before);
  });

  it("solves from half-finished and mistaken states", () => {
    const states = [
      ["StackThreeCube", ["pick(116,-197,20)"]],
      ["StackThreeCube", ["pick(135,-60,20)", "place(4,-85,62)"]],
      ["StackThreeCube", ["pick(135,-60,20)", "place(4,-30,20)"]],
      ["PlaceTwoCube", ["pick(-98,-16,20)", "place(80,100,20)"]],
      ["AlignTwoCube", ["push(133,0,20,133,60,20)"]],
      ["PutAppleInDrawer", ["pick(-117,177,35)", "place(-300,0,60)"]],
    ] as const;
    for (const [env_id, skills] of states) {
      const env = begin(1, { env_id });
      for (const skill of skills) env.step(skill);
      for (const skill of env.oracle() ?? []) env.step(skill);
      expect(env.state().success, `${env_id} ${skills}`).toBe(true);
    }
  });

  it.each(TASK_IDS)("solves %s after careless skills, as long as everything is in reach", (env_id) => {
    let solved = 0;
    // Until four were in reach.
    for (let seed = 0; seed < 10 && solved < 4; seed++) {
      const env = begin(seed, { env_id });
      for (const skill of carelessSkills(env, env_id, seed)) if (env.step(skill).terminated) break;
      const { positions, drawerOpen, success } = env.state();
      if (success || (drawerOpen ?? 240) < 200 || !Object.values(positions).every(isInReach(env_id)))
        continue;
      for (const skill of env.oracle() ?? []) env.step(skill);
      expect(env.state().success, `seed ${seed}`).toBe(true);
      solved++;
    }
    expect(solved).toBeGreaterThan(3);
  });

  it("has no plan when too few skills are left, or an object is out of reach", () => {
    const env = begin(1, { env_id: "StackThreeCube", max_steps: 4 });
    env.step("pick(-100,200,200)");
    expect(env.oracle()).toBeNull();
    const pushed = begin(1);
    pushed.step("push(115,110,20,115,190,20)");
    expect(pushed.state().positions.green_cube_position[1]).toBeGreaterThan(220);
    expect(pushed.oracle()).toBeNull();
  });
});

describe("rewards", () => {
  it("sum up to 10 and the success reward, whatever the stages paid", () => {
    for (const env_id of TASK_IDS)
      for (const stage_rewards of ["all", "reference"] as const) {
        const env = begin(1, { env_id, stage_rewards });
        expect(score(env, env.oracle()!)).toBeCloseTo(20, 9);
      }
  });

  it("are those of both generations", () => {
    const sums = (["lite", "legacy"] as const).map((name) => {
      const env = begin(1, { ...presets[name], env_id: "StackThreeCube" });
      return env.oracle()!.map((skill) => env.step(skill).reward);
    });
    // Legacy: 10 − 0.1 · 4 skills.
    expect(sums).toEqual([
      [0, 0, 0, 20],
      [-0.1, -0.1, -0.1, 9.9],
    ]);
  });

  it("pay stages when they are reached and take them back when they are lost", () => {
    const env = begin(1, { env_id: "PlaceTwoCube" });
    const rewards = ["pick(-98,-16,20)", "place(-60,-60,20)"].map((skill) => env.step(skill).reward);
    expect(rewards).toEqual([2, -2]);
  });
});

describe("limits", () => {
  it("ends after max_steps skills and says so", () => {
    const env = begin(1, { max_steps: 2 });
    expect(env.step("pick(0,0,200)")).toMatchObject({ terminated: false, effective: false });
    expect(env.step("pick(0,0,200)")).toMatchObject({
      terminated: true,
      success: false,
      note: "the fingers hold nothing; that was the last of 2 skills",
    });
    expect(errorOf(() => env.step("pick(0,0,200)")).code).toBe("reset_needed");
  });

  it("clips coordinates to the workspace and says so", () => {
    const [clipped, within] = [begin(1), begin(1)];
    expect(clipped.step("pick(133,67,-400)").note).toBe("clipped to the workspace: pick(133,67,10)");
    within.step("pick(133,67,10)");
    expect(look(clipped)).toEqual(look(within));
  });

  it("says when the hand is blocked", () => {
    const env = begin(1, { env_id: "PutAppleInDrawer" });
    expect(env.step("push(-500,-300,150,-500,-600,60)").note).toContain("blocked");
  });
});

describe("what the agent is given", () => {
  it("lists positions without names, in VAGEN's order if it is asked for", () => {
    const env = begin(1, { env_id: "PlaceTwoCube", positions: "listed" });
    expect(env.question()).toBe(
      "Put the red cube on the left target and the green cube on the right target" +
        " (80,-100,0) (80,100,0) (-98,-16,20) (-17,93,20)",
    );
    expect(Object.keys(env.state().positions)).toEqual([
      "left_target_position",
      "right_target_position",
      "red_cube_position",
      "green_cube_position",
    ]);
    expect(structuredClone(env.state())).toEqual(env.state());
  });

  it("shuffles the positions by the seed, so that only the picture tells them apart", () => {
    const firsts = new Set(
      [1, 2, 3, 4, 5, 6].map((seed) => {
        const env = begin(seed, { env_id: "StackThreeCube" });
        const [first] = env.groundTruth().things;
        env.reset(seed);
        expect(env.groundTruth().things[0]).toEqual(first);
        return first.name;
      }),
    );
    expect(firsts.size).toBe(3);
  });

  it("has no positions where they are hidden", () => {
    const env = begin(1, { env_id: "PutAppleInDrawer", positions: "hidden" });
    expect(env.question()).toBe("Put the apple into the drawer, then close the drawer  open 240");
    expect(env.otherQuestion(0)).not.toContain("(");
    expect(
      env
        .groundTruth()
        .things.map(({ name }) => name)
        .sort(),
    ).toEqual(["apple", "drawer"]);
  });

  it("says how far the drawer is open", () => {
    expect(begin(1, { env_id: "PutAppleInDrawer" }).question()).toMatch(/ open 240$/);
  });

  it("has names in the text, and what the fingers hold", () => {
    expect(begin(1).text()).toBe("red cube (133,67,20)\ngreen cube (115,181,20)\nholds nothing");
  });
});

describe("bad input", () => {
  it("is refused with the field, the value and a remedy", () => {
    const env = begin(1);
    const error = errorOf(() => env.step("grasp(1,2,3)"));
    expect(error.code).toBe("invalid_action");
    expect(error.message).toContain("grasp(1,2,3)");
    expect(error.hint).toContain("pick(x,y,z)");
  });

  it("needs a reset first", () => {
    const env = new PrimitiveSkill(config.parse({}));
    for (const run of [
      () => env.step("pick(0,0,20)"),
      () => env.render(8),
      () => env.oracle(),
      () => env.save(),
    ])
      expect(errorOf(run).code).toBe("reset_needed");
    expect(() => env.reset(-1)).toThrow("seed");
  });

  it("refuses pictures without a usable size", () => {
    const env = begin(1);
    for (const size of [0, -1, 1.5, Number.NaN, 4096]) expect(() => env.render(size)).toThrow(/patchPx/);
  });

  it("refuses a state of another task, or a damaged one", () => {
    const env = begin(1);
    expect(errorOf(() => env.restore(begin(1, { env_id: "StackThreeCube" }).save())).code).toBe(
      "invalid_config",
    );
    const saved = env.save();
    const { order, ...unordered } = saved;
    for (const damaged of [
      { ...saved, state: saved.state.with(3, Number.NaN) },
      { ...saved, state: 3 },
      { ...saved, order: order.with(0, order[1]) },
      { ...saved, order: [...order, 4] },
      { ...saved, skills: 11 },
      { ...saved, skills: 0.5 },
      unordered,
    ])
      expect(errorOf(() => env.restore(damaged)).code).toBe("invalid_config");
    env.restore(saved);
  });

  const failureOf = async (wasm: Promise<Uint8Array<ArrayBuffer>>): Promise<StudioError> => {
    const error = await loadEngine(() => wasm).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EnvError);
    return error as StudioError;
  };

  it("explains a WebAssembly that does not arrive", async () => {
    const { code, message, hint } = await failureOf(Promise.reject(new Error("HTTP 404")));
    expect(code).toBe("not_loaded");
    expect(message).toBe("PrimitiveSkill could not load its physics, MuJoCo: HTTP 404.");
    expect(hint).toContain("mujoco.wasm");
  });

  it("explains a WebAssembly that is damaged, and prints nothing besides", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { message } = await failureOf(Promise.resolve(new Uint8Array(8)));
    expect(message).toMatch(/^PrimitiveSkill could not load its physics, MuJoCo: .*CompileError/);
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });
});

it("survives any skills within and outside of the workspace", () => {
  for (const env_id of TASK_IDS) {
    const env = begin(1, { env_id });
    const random = rng(9).fork(env_id);
    const number = () => random.int(1400) - 700;
    for (let i = 0; i < 10; i++) {
      const name = random.pick(["pick", "place", "push"]);
      const skill = `${name}(${Array.from({ length: name === "push" ? 6 : 3 }, number)})`;
      const { reward, terminated } = env.step(skill);
      expect(Number.isFinite(reward)).toBe(true);
      expect(env.save().state.every(Number.isFinite)).toBe(true);
      if (terminated) break;
    }
  }
});
