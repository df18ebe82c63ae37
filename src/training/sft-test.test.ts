// The criterion that ends SFT, on replies whose facts are right, in a run of several environments.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { loadEnv } from "../envs/index.ts";
import { factsRight } from "../rl/facts.ts";
import { levelTests } from "../run/level-tests.ts";
import { buildTask } from "../run/task.ts";
import { Demonstrations } from "./demonstrations.ts";

const config = checkedRunConfig({
  envs: {
    sokoban: { config: { min_solution_steps: [1, 5] } },
    rooms: { name: "navigation", config: { eval_set: "base_train", resolution: 64 } },
  },
  rollout: { response_length: 120 },
  sft: { one_turn_updates: 0, train_batch_size: 12 },
  trainer: { train_seeds: "1-200", val_seeds: "10001-10008" },
});

await loadEnv("navigation");

it("is met by demonstrations, although the environments make different claims", async () => {
  const demoTask = buildTask(config);
  const trajectories = await new Demonstrations({
    config,
    demoTask,
    ...levelTests(demoTask, () => config),
  }).take(1);
  const claims = (entry: string | undefined) =>
    Object.keys(trajectories.find((one) => one.entry === entry)!.turns[0]!.verdicts);
  expect(claims(undefined)).toContain("surroundings");
  expect(claims("rooms")).toContain("observation");
  expect(claims("rooms")).not.toContain("surroundings");
  expect(factsRight(trajectories)).toBe(1);
});
