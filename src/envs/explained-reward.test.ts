// Explanations of rewards, checked on real games: they must contain the numbers of the game.
import { beforeAll, describe, expect, it } from "vitest";
import type { PaidTurn } from "./explained-reward.ts";
import { envs, loadEnv } from "./index.ts";

beforeAll(() =>
  Promise.all(["svg", "navigation", "spatial-gym", "sokoban"].map(loadEnv)).then(() => undefined),
);

/** Plays turns of a level, each a list of actions. @returns what is said of each */
function explained(
  id: string,
  options: object,
  seed: number,
  turns: readonly (readonly string[])[],
): string[] {
  const spec = envs.get(id);
  const config = spec.config.parse(options);
  const game = spec.create(config);
  game.reset(seed);
  return turns.map((actions) => {
    const before = game.groundTruth();
    let taskReward = 0;
    const executed = actions.map((name) => {
      const { reward, effective, note } = game.step(name);
      taskReward += reward;
      return { name, valid: true, effective, note };
    });
    return spec.explainReward!({ before, after: game.groundTruth(), executed, taskReward }, config);
  });
}

const turnWith = (turn: Partial<PaidTurn>): PaidTurn => ({
  before: { frame: "floor", things: [] },
  after: { frame: "floor", things: [] },
  executed: [{ name: "a", valid: true, effective: true, note: "" }],
  taskReward: 0,
  ...turn,
});

describe("a drawing", () => {
  const red = (side: number) =>
    `<svg viewBox="0 0 64 64"><rect width="${side}" height="${side}" fill="red"/></svg>`;
  const icon = () => {
    const game = envs.get("svg").create(envs.get("svg").config.parse({}));
    game.reset(1);
    return String(game.groundTruth().facts?.icon);
  };
  const SUM =
    /^the drawing scores 0\.4 × MS-SSIM ([\d.]+) \+ 0\.3 × edges ([\d.]+) \+ 0\.3 × colour ([\d.]+) = ([\d.]+)/;

  it("is paid the weighted sum of its measures, and later ones what they add", () => {
    const [first, exact] = explained("svg", { success_reward: 0.5 }, 1, [[red(20)], [icon()]]);
    const [, ssim, edges, colour, score] = SUM.exec(first!)!.map(Number) as number[];
    expect(0.4 * ssim! + 0.3 * edges! + 0.3 * colour!).toBeCloseTo(score!, 2);
    expect(first).toMatch(/= [\d.]+$/);
    expect(exact).toBe(
      `the drawing scores 0.4 × MS-SSIM 1 + 0.3 × edges 1 + 0.3 × colour 1 = 1, of which earlier drawings have earned ${score}, and success adds 0.5`,
    );
  });
  it("earns nothing where an earlier one was as good, unless every drawing is paid", () => {
    const twice = [[red(20)], [red(20)]];
    expect(explained("svg", {}, 1, twice)[1]).toMatch(/, no more than an earlier drawing$/);
    const [first, second] = explained("svg", { paid: "every_drawing" }, 1, twice);
    expect(second).toBe(first);
  });
  it("names what is weighed, and says where there is none", () => {
    const [structure] = explained("svg", { edge_weight: 0, structural_weight: 5 }, 1, [[red(20)]]);
    expect(structure).toMatch(/0\.3 × colour [\d.]+ \+ 5 × structure [\d.]+ =/);
    expect(structure).not.toContain("edges");
    expect(explained("svg", {}, 1, [[]])).toEqual(["there is no valid drawing to pay"]);
  });
});

it("says how far the target of a walk is, and from where on it pays", () => {
  const [far] = explained("navigation", {}, 3, [["turn_right"]]);
  expect(far).toMatch(/^the [a-z ]+ is \d+\.\d\d m away; within 1 m pays 1$/);
  const spec = envs.get("navigation");
  const after: PaidTurn["after"] = {
    frame: "floor",
    things: [],
    facts: { target: "bed", target_x: 1, target_z: 2, x: 1, z: 2.5 },
  };
  const near = turnWith({ after, taskReward: 10 });
  expect(spec.explainReward!(near, spec.config.parse({}))).toBe("the bed is 0.50 m away, within 1 m");
});

it("tells stages, success and skills apart", () => {
  const spec = envs.get("primitive-skill");
  const config = spec.config.parse({ success_reward: 1, skill_cost: 0.1 });
  const words = (taskReward: number, success = false) => {
    const after: PaidTurn["after"] = { frame: "floor", things: [], facts: { success } };
    return spec.explainReward!(turnWith({ after, taskReward }), config);
  };
  expect(words(6.9, true)).toBe("+6 for stages reached, +1 for success and −0.1 for 1 skill");
  expect(words(-2.1)).toBe("−2 for stages lost and −0.1 for 1 skill");
  expect(words(-0.1)).toBe("1 skill");
});

it("tells looks and the answer apart", () => {
  const options = { observe_cost: 0.02, success_reward: 1 };
  const [look, turned, given] = explained("spatial-gym", options, 5, [
    ["Rotate(90)", "Observe()"],
    ["Rotate(90)"],
    [],
  ]);
  expect(look).toBe("1 look");
  expect([turned, given]).toEqual(Array(2).fill("only looks and the answer count"));
  const spec = envs.get("spatial-gym");
  const game = spec.create(spec.config.parse(options));
  game.reset(5);
  const { answer, options: words } = game.groundTruth().facts as { answer: string; options: string };
  const wrong = words.split(" ").find((word) => word !== answer);
  expect(explained("spatial-gym", options, 5, [["Observe()", `Answer(${answer})`]])).toEqual([
    "+1 for the right answer and −0.02 for 1 look",
  ]);
  expect(explained("spatial-gym", options, 5, [[`Answer(${wrong})`]])).toEqual(["the answer is wrong"]);
  const unpaid = { ...options, success_reward: 0 };
  expect(explained("spatial-gym", unpaid, 5, [[`Answer(${answer})`]])).toEqual([
    "the right answer pays nothing",
  ]);
});

it("tells moves and boxes apart where moves cost something", () => {
  const spec = envs.get("sokoban");
  const words = (taskReward: number, preset: string) =>
    spec.explainReward!(turnWith({ taskReward }), spec.config.parse(spec.presets[preset]!));
  expect(words(10.9, "legacy")).toBe("+11 for boxes on targets and −0.1 for 1 move");
  expect(words(-1.1, "legacy")).toBe("−1 for a box off its target and −0.1 for 1 move");
  expect(words(1, "lite")).toBe("");
});
