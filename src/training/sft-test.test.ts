// The criterion that ends SFT, on replies whose facts are right, in a run of several environments.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { factsRight } from "../rl/facts.ts";
import { levelTests } from "../run/level-tests.ts";
import { buildTask } from "../run/task.ts";
import { Demonstrations } from "./demonstrations.ts";
import type { TrainingFact } from "./events.ts";
import { testSft } from "./sft-test.ts";

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

/** What two tests of SFT report of a policy whose replies hold an answer and nothing else. */
async function tested(prompt_format: string) {
  const config = checkedRunConfig({
    rollout: { prompt_format },
    sft: { total_updates: 4, one_turn_updates: 2, test_freq: 1, test_levels: 4, target_accuracy: 0.9 },
    trainer: { train_seeds: "1-20", val_seeds: "10001-10008" },
  });
  const demoTask = buildTask(config);
  let replies = 0;
  const policy = scriptedPolicy(() => {
    replies++;
    return demoTask.vocabulary.encode("<answer>Right</answer><eos>");
  });
  const run = {
    config,
    demoTask,
    policy: { ...policy, slots: 4 },
    ...levelTests(demoTask, () => config),
  };
  const facts: TrainingFact[] = [];
  const metrics = [];
  const played = [];
  for (const update of [1, 3, 4]) {
    const test = testSft(run, update);
    let step = await test.next();
    for (; !step.done; step = await test.next()) facts.push(step.value);
    metrics.push(step.value);
    played.push(replies);
  }
  return { metrics, played, warnings: facts.filter(({ type }) => type === "warning") };
}

it("does not end SFT by the form of replies alone, and says so once", async () => {
  const { metrics, played, warnings } = await tested("no_think");
  expect(metrics).toEqual([{}, {}, {}]);
  expect(warnings).toEqual([
    {
      type: "warning",
      update: 3,
      code: "sft_target_unjudged",
      ...{ message: expect.stringContaining("sft.target_accuracy cannot end SFT. It does all 4 updates.") },
      ...{ hint: expect.stringContaining("rollout.prompt_format"), parts: expect.anything() },
    },
  ]);
  // The second test would show no more.
  expect(played[1]).toBeGreaterThan(0);
  expect(played[2]).toBe(played[1]);
});

it("counts malformed replies as wrong where the format has claims", async () => {
  const { metrics, warnings } = await tested("grounding");
  expect(metrics).toEqual([{}, { "sft/facts_right": 0 }, { "sft/facts_right": 0 }]);
  expect(warnings).toEqual([]);
});
