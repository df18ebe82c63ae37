import { beforeAll, describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import type { Trajectory } from "../../core/types.ts";
import { envs } from "../../envs/index.ts";
import type { Navigation } from "../../envs/navigation/navigation.ts";
import { demonstrationBatch } from "../players.ts";
import { compactObservation } from "../prompt.ts";
import { testTask } from "../test-task.ts";
import { navigationTemplate } from "./navigation.ts";

const spec = envs.get("navigation");
beforeAll(() => spec.load?.());

function begin(seed: number): Navigation {
  const env = spec.create(spec.config.parse({})) as Navigation;
  env.reset(seed);
  return env;
}

const expert = (env: Navigation, actions = 5, turns = 6) =>
  navigationTemplate.expert!(env.groundTruth(), env.oracle()!, { actions, turns });

const isAhead = (env: Navigation) => env.groundTruth().facts.target_direction === "ahead";

describe("the expert", () => {
  it("turns towards a target that it has seen, and round to the right to find one", () => {
    for (let seed = 0; seed < 10; seed++)
      for (const [turn, back] of [
        ["turn_left", "turn_right"],
        ["turn_right", "turn_left"],
      ] as const) {
        const env = begin(seed);
        expect(isAhead(env)).toBe(true);
        env.step(turn);
        // Straight ahead before, it is to one side now.
        if (!isAhead(env)) expect(expert(env)).toEqual([back]);
      }
    const truth = begin(0).groundTruth();
    const unknown = { ...truth, facts: { ...truth.facts, known: false, yaw: (truth.facts.yaw + 90) % 360 } };
    expect(navigationTemplate.expert!(unknown, ["move_forward"], { actions: 5, turns: 6 })).toEqual([
      "turn_right",
    ]);
  });

  it("has the target ahead in almost every picture, and loses no level to it", async () => {
    const task = testTask("navigation", { maxTurns: 6 });
    const episodes = Array.from({ length: 60 }, (_, i) => ({
      id: `e${i}`,
      seed: i,
      groupId: "g",
      rngKey: i,
    }));
    const skill = { randomFraction: 0, expertFraction: 1 };
    const batch: Trajectory[] = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 0 });
    expect(batch.every(({ success }) => success)).toBe(true);
    const turns = batch.flatMap((trajectory) => trajectory.turns);
    const ahead = turns.filter(
      ({ before }) => "facts" in before && before.facts?.target_direction === "ahead",
    );
    expect(ahead.length / turns.length).toBeGreaterThan(0.95);
  });

  it("follows the plan in the last turn, and where a turn has one action", () => {
    for (let seed = 0; seed < 10; seed++) {
      const env = begin(seed);
      const plan = env.oracle()!;
      expect(expert(env, 5, 1)).toEqual(plan);
      expect(expert(env, 1)).toEqual(plan.slice(0, 1));
    }
  });
});

describe("an observation", () => {
  const { describe: say, misread, predict } = navigationTemplate;
  const lastClaim = (words: string) => words.split(" ; ").at(-1);

  it("lists what is in view, nearest first, and then says where the target is in the same words", () => {
    const truth = begin(0).groundTruth();
    const words = say(truth);
    const { target } = truth.facts;
    expect(words).toMatch(
      new RegExp(`^sees .*\\b(${target} \\d+ ahead \\d+ (?:left|right)).* ; target \\1$`),
    );
    expect(words.split(" ; ")).toHaveLength(truth.things.length + 1);
    expect(predict(truth)).toBe(lastClaim(words));
  });

  it("says of a target out of view where it was, and of one never seen that it is not seen", () => {
    const truth = begin(0).groundTruth();
    const elsewhere = { ...truth, things: truth.things.filter(({ name }) => name !== truth.facts.target) };
    expect(lastClaim(say(elsewhere))).toBe(lastClaim(say(truth)));
    const unseen = { ...truth, things: [], facts: { ...truth.facts, known: false } };
    expect(say(unseen)).toBe("target not seen");
  });

  it("has one place for the target, also where it is misread", () => {
    const truth = begin(0).groundTruth();
    for (let seed = 0; seed < 20; seed++) {
      const words = say(misread!(truth, rng(seed)));
      expect(words).toContain(`${lastClaim(words)!.replace("target ", "")} ;`);
    }
  });
});

it("reads which of its actions had no effect", () => {
  const env = begin(0);
  const executed = ["look_up", "look_up", "turn_left"].map((name) => {
    const { effective, note } = env.step(name);
    const mention = spec.mention?.(name, effective);
    return { name, ...(mention !== undefined && { mention }), valid: true, effective, note };
  });
  expect(compactObservation({ turn: 1, executed, board: "<image>" })).toBe(
    "turn 2 after look_up, look_up blocked, turn_left<image>",
  );
});
