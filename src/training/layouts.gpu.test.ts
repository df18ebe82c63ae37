// The layout compact on the GPU: where nothing is closed an update is that of concat, bit for bit; where conversations are closed, a
// reply and a summary are scored in the context that they were sampled from.
import { expect, it } from "vitest";
import { CONCAT } from "../agent/layout.ts";
import { RunConfig } from "../config/run-config.ts";
import { sequenceSpans, summaryMask } from "../core/token-sequences.ts";
import type { Trajectory } from "../core/types.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { buildRun } from "../run/build-run.ts";
import { findMetric } from "../ui/metrics/dictionary.ts";
import type { TrainingFact } from "./events.ts";
import type { Run } from "./run.ts";
import { train } from "./trainer.ts";

const configOf = (trainer: Partial<RunConfig["trainer"]>, rollout = {}): RunConfig =>
  RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 1 } },
    rollout: {
      // As many as in trainer.gpu.test.ts, whose kernels serve here too.
      train_batch_size: 4,
      max_turns: 7,
      response_length: 20,
      prompt_format: "no_think",
      ...rollout,
    },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: 0, train_batch_size: 4 },
    algorithm: { adv_estimator: "masked_gae", bootstrap_truncated: true, use_kl_in_reward: true },
    actor: { ppo_mini_batch_size: 2, use_kl_loss: false },
    trainer: { harness: "compact", total_updates: 2, test_freq: 0, val_size: 2, ...trainer },
  });

/** Metrics without times, episodes, and the weights of a run that was trained to its end. */
async function trained(run: Run) {
  const facts: TrainingFact[] = [];
  for await (const fact of train(run, new AbortController().signal, "all")) facts.push(fact);
  const metrics = facts.flatMap((fact) => (fact.type === "metrics" ? [fact.values] : []));
  const untimed = metrics.map((values) =>
    Object.fromEntries(
      Object.entries(values).filter(([key]) => !/^(timing_s|perf|conversations)\//.test(key)),
    ),
  );
  const episodes = facts.flatMap((fact) =>
    fact.type === "trajectory" && fact.source === "train" ? [fact.trajectory] : [],
  );
  const { tensors } = await run.save();
  run.dispose();
  return { metrics, untimed, episodes, tensors };
}

const build = async (config: RunConfig) => buildRun("layouts", config, await requestNodeGpu());

it("equals concat bit for bit where no conversation is closed", async () => {
  const config = configOf({ compact_budget: 5000 });
  const compact = await trained(await build(config));
  const run = await build(config);
  const concat = await trained({ ...run, task: { ...run.task, layout: CONCAT } });
  expect(compact.metrics[0]).toMatchObject({ "conversations/mean": 1, "conversations/closed_share": 0 });
  expect(compact.untimed).toEqual(concat.untimed);
  expect(compact.episodes).toEqual(concat.episodes);
  expect(compact.tensors).toEqual(concat.tensors);
});

const spansOf = (episodes: readonly Trajectory[]) =>
  episodes.flatMap((episode) => [...sequenceSpans(episode)]);

it.each([
  ["its budget", { compact_budget: 90, compact_summary_budget: 8 }, {}],
  ["its room", { compact_budget: 0, compact_summary_budget: 4 }, { max_episode_tokens: 110 }],
])("trains on conversations that %s has closed", async (_, trainer, rollout) => {
  const { metrics, episodes } = await trained(await build(configOf(trainer, rollout)));
  const [first] = metrics;
  expect(first!["conversations/mean"]).toBeGreaterThan(1.5);
  // A wrong context, a wrong position or a reply that was cut differently would show here.
  expect(first!["training/rollout_probs_diff_mean"]).toBeLessThan(1e-5);
  for (const values of metrics)
    for (const [key, value] of Object.entries(values)) {
      expect(Number.isFinite(value), key).toBe(true);
      expect(findMetric(key), key).toBeDefined();
    }
  expect(spansOf(episodes).some(({ summaryFrom }) => summaryFrom !== undefined)).toBe(true);
  for (const { tokens } of episodes) {
    const inSummary = summaryMask(tokens);
    const own = [...inSummary.keys()].filter((t) => inSummary[t]);
    expect(own.every((t) => tokens.lossMask?.[t] === 1 && tokens.values[t] !== 0)).toBe(true);
    if (own.length > 0) expect(own.some((t) => tokens.advantages[t] !== 0)).toBe(true);
  }
});
