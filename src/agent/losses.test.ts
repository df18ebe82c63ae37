// How often and where episodes were lost: worked examples on a lake and in rooms.
import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { lossMetrics } from "./losses.ts";

/** An episode with these actions on level 1; only what the metrics read. */
function played(envId: string, config: object, turns: readonly string[][]): Trajectory {
  const spec = envs.get(envId);
  const env = spec.create(spec.config.parse(config));
  env.reset(1);
  let success = false;
  const recorded = turns.map((names) => {
    const before = env.groundTruth();
    const executed = names.map((name) => {
      success = env.step(name).success;
      return { name, valid: true };
    });
    return { before, after: env.groundTruth(), executed };
  });
  return { envId, seed: 1, success, turns: recorded } as unknown as Trajectory;
}

const gameOf = (envId: string, envConfig: object, maxTurns: number) => ({
  spec: envs.get(envId),
  envConfig,
  maxTurns,
});

/** The start on the left, the goal three steps to the right, a hole below the start. */
const lake = { desc: ["SFFG", "HFFF"], max_actions_per_step: 1 };
const onLake = (turns: string[][]) => played("frozenlake", lake, turns);

test("a batch with every kind of outcome", () => {
  const batch = [
    onLake([["Right"], ["Right"], ["Right"]]),
    // A hole in the second of two turns: lost with its last turn.
    onLake([["Left"], ["Down"]]),
    // Three turns are needed, and the first of four is wasted twice.
    onLake([["Left"], ["Left"], ["Right"], ["Right"]]),
    onLake([["Left"], ["Right"], ["Left"], ["Right"]]),
  ];
  expect(lossMetrics(batch, gameOf("frozenlake", lake, 4))).toEqual({
    // The third after turn 2 of 4, the fourth after turn 3 of 4.
    "pivot/lost_early": 2 / 4,
    "pivot/turn": (2 + 2 + 3) / 3,
    "pivot/deadlock": 1 / 3,
  });
});

test("without a failure there is no turn to speak of", () => {
  const batch = [onLake([["Right"], ["Right"], ["Right"]])];
  expect(lossMetrics(batch, gameOf("frozenlake", lake, 4))).toEqual({ "pivot/lost_early": 0 });
});

test("nothing is counted where no solver decides: several crates, questions, extensions", async () => {
  await loadEnv("visual-math");
  const rooms = { num_boxes: 2 };
  expect(lossMetrics([played("sokoban", rooms, [["Up"]])], gameOf("sokoban", rooms, 1))).toEqual({});
  expect(lossMetrics([played("visual-math", {}, [["3"]])], gameOf("visual-math", {}, 1))).toEqual({});
  expect(lossMetrics([], gameOf("frozenlake", lake, 1))).toEqual({});
});

test("a walk through a home is lost when the straight way to the target is too long", async () => {
  await loadEnv("navigation");
  const config = { resolution: 32, max_actions_per_step: 5, max_steps: 30 };
  const idle = ["turn_left", "turn_right"];
  // The target of an evaluation task is 2.51 to 3.00 m away: 6 or 7 steps of 0.3 m to 1 m from it.
  const walked = played("navigation", config, [idle, idle, idle]);
  expect(lossMetrics([walked], gameOf("navigation", config, 3))).toEqual({
    "pivot/lost_early": 1,
    "pivot/turn": 2,
    "pivot/deadlock": 0,
  });
  // Four of the eight actions are done after the second turn.
  const short = { ...config, max_steps: 8 };
  expect(
    lossMetrics([played("navigation", short, [idle, idle])], gameOf("navigation", short, 9)),
  ).toMatchObject({
    "pivot/deadlock": 1,
  });
});

test("an episode that only lacks turns is a timeout, on VAGEN's own rooms too", () => {
  const config = { levels: "lite", min_solution_steps: [1, 5], max_actions_per_step: 3 };
  // Seed 1: the crate is pushed up a corridor to its target; a turn that does nothing leaves two moves.
  const idle = played("sokoban", config, [[], []]);
  expect(lossMetrics([idle], gameOf("sokoban", config, 2))).toEqual({
    "pivot/lost_early": 0,
    "pivot/turn": 2,
    "pivot/deadlock": 0,
  });
});
