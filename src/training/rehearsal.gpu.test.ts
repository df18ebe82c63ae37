// Rehearsal in a run: it teaches what is stated, repeats bit for bit, and is continued where a run was stopped.
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { RunConfig } from "../config/run-config.ts";
import { shortRun, tinySeeing } from "./testing/short-run.ts";

const config = (rehearsal_steps: number, critic_warmup = 0, total_updates = 3) =>
  RunConfig.parse({
    rollout: { train_batch_size: 2, max_turns: 2, response_length: 120 },
    model: tinySeeing,
    sft: { total_updates: 0, train_batch_size: 8, rehearsal_steps },
    actor: { lr: 0.01, ppo_mini_batch_size: 2, ppo_epochs: 1 },
    trainer: { total_updates, critic_warmup, test_freq: 0, val_size: 2, save_freq: 10 },
  });

const lossesOf = ({ metrics }: Awaited<ReturnType<typeof shortRun>>) =>
  metrics.flatMap((values) => values["rehearsal/loss"] ?? []);

it("teaches what demonstrations state, and is continued where a run was stopped", async () => {
  const whole = await shortRun(config(8));
  const losses = lossesOf(whole);
  expect(losses).toHaveLength(3);
  expect(losses[2]).toBeLessThan(0.8 * losses[0]!);
  const resumed = await shortRun(config(8), whole.early);
  expect(lossesOf(resumed)).toEqual(losses.slice(1));
  expect(resumed.last.tensors).toEqual(whole.last.tensors);
});

it("waits while the critic goes first", async () => {
  const { early, metrics } = await shortRun(config(1, 1));
  const ofPolicy = metrics.filter((values) => "actor/pg_loss" in values);
  expect(ofPolicy.map((values) => "rehearsal/loss" in values)).toEqual([false, true, true]);
  expect(early!.tensors).toEqual((await shortRun(config(0, 1, 1))).early!.tensors);
});

it("is left out by default, and otherwise changes the policy and not the critic", async () => {
  const without = await shortRun(config(0, 0, 1));
  expect(lossesOf(without)).toEqual([]);
  const rehearsed = await shortRun(config(1, 0, 1));
  expect(rehearsed.metrics[0]!["actor/pg_loss"]).toBe(without.metrics[0]!["actor/pg_loss"]);
  const changed = [...without.early!.tensors].flatMap(([name, tensor]) =>
    isDeepStrictEqual(tensor, rehearsed.early!.tensors.get(name)) ? [] : [name],
  );
  expect(changed).toContain("param.embed.weight");
  expect(changed.filter((name) => name.includes("value"))).toEqual([]);
});

it("never begins a run whose demonstrations state nothing", async () => {
  const { rollout, model, sft, actor, trainer } = config(1);
  const guessing = checkedRunConfig({
    env: { name: "visual-math" },
    judge: { name: "off" },
    rollout: { ...rollout, prompt_format: "free_think" },
    model: { ...model, pixel_shuffle: 1 },
    sft: { ...sft, random_fraction: 1, one_turn_updates: 0 },
    actor,
    trainer,
  });
  await expect(shortRun(guessing)).rejects.toThrow("state no facts that could be rehearsed");
});
