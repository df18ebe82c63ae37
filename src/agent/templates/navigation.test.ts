import { beforeAll, describe, expect, it } from "vitest";
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
