import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { Turn } from "../core/types.ts";
import { openJudging } from "./judging.ts";
import { RunTasks } from "./run-tasks.ts";
import { buildTask } from "./task.ts";

const WEIGHT = "reward.grounding_reward_weight";

const config = checkedRunConfig({
  env: { name: "frozenlake" },
  rollout: { max_turns: 1 },
  reward: { grounding_reward_weight: 0.25 },
  sft: { total_updates: 9, one_turn_updates: 1 },
  trainer: { val_sets: { more: { seeds: "900-901" } } },
});

async function tasksOfRun(): Promise<RunTasks> {
  const judging = await openJudging(config, undefined);
  return new RunTasks(config, { task: buildTask(config), judging, ended: new AbortController().signal });
}

const turn = { parsed: {}, executed: [], taskReward: 0, verdicts: { observation: { score: 1 } } };
const observed = ({ scoreTurn }: RunTasks["task"]) =>
  scoreTurn(turn as unknown as Turn).rewards.state_estimation;

it("pays every task by the weights that the configuration has now", async () => {
  const tasks = await tasksOfRun();
  const all = () => [tasks.task, tasks.evalTask, tasks.demoTask, tasks.evalSets[0]!.task].map(observed);
  expect(all()).toEqual([0.25, 0.25, 0.25, 0.25]);
  const judges = [tasks.task.judge, tasks.evalTask.judge, tasks.demoTask.judge];
  tasks.applyChanges({ [WEIGHT]: 2 });
  expect(all()).toEqual([2, 2, 2, 2]);
  expect([tasks.task.judge, tasks.evalTask.judge, tasks.demoTask.judge]).toEqual(judges);
});

it("leaves out changes that need a restart, and says which it applied", async () => {
  const tasks = await tasksOfRun();
  expect(tasks.applyChanges({ "model.hidden_size": 8, [WEIGHT]: 2 })).toEqual([WEIGHT]);
  expect(tasks.config.model).toEqual(config.model);
  expect(tasks.config.reward.grounding_reward_weight).toBe(2);
});

it("ends SFT with an update, whose learning rate keeps its schedule", async () => {
  const tasks = await tasksOfRun();
  tasks.endSft(4);
  expect(tasks.config.sft).toMatchObject({ total_updates: 4, lr_decay_updates: 9 });
});
