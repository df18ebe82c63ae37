import { describe, expect, it } from "vitest";
import { RunConfig, type RunConfigInput } from "../config/run-config.ts";
import { totalUpdates } from "../config/run-length.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import { buildRun } from "../run/build-run.ts";
import { findMetric } from "../ui/metrics/dictionary.ts";
import type { TrainingFact } from "./events.ts";
import type { Run } from "./run.ts";
import { train } from "./trainer.ts";

/** The smallest run that does everything: SFT, PPO with several micro-batches a step, validation, exact KL. */
const tiny = (overrides: RunConfigInput = {}): RunConfig =>
  RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 5 } },
    rollout: { train_batch_size: 4, max_turns: 3, response_length: 40 },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: 2, one_turn_updates: 1, train_batch_size: 2 },
    actor: { ppo_mini_batch_size: 2 },
    trainer: { total_updates: 2, test_freq: 0, val_size: 2, save_freq: 2, micro_batch_tokens: 256 },
    ...overrides,
  });

/** PPO alone, with two turns in a row, the KL in the reward under control, and values beyond cut episodes. */
function rowsPerTurn(): RunConfig {
  const config = tiny({
    algorithm: {
      adv_estimator: "bi_level_gae",
      use_kl_in_reward: true,
      kl_ctrl_type: "adaptive",
      horizon: 100,
      bootstrap_truncated: true,
    },
    actor: { ppo_mini_batch_size: 2, use_kl_loss: false },
  });
  config.sft.total_updates = 0;
  config.trainer.harness = "no_concat";
  config.rollout.window_size = 1;
  return config;
}

/** Attempts at questions, each a row of its own, groups of two, with a tool to ask. */
const attempts = (): RunConfig =>
  tiny({
    env: { name: "visual-math", config: { grid_size: 4, max_answer: 12 } },
    rollout: {
      workflow: "areal",
      export_style: "individual",
      prompt_format: "boxed",
      max_turns: 2,
      turn_discount: 0.9,
      response_length: 24,
      train_batch_size: 4,
      n_trajectory: 2,
      use_multi_turn_reward: false,
    },
    reward: { scale_by_turns: false, use_state_reward: false },
    algorithm: { adv_estimator: "masked_gae", reward_norm_mean_level: "group" },
    judge: { name: "off" },
  });

/** Conversations that are closed after about two turns. */
const summarised = (): RunConfig =>
  tiny({
    env: { name: "frozenlake", config: { max_actions_per_step: 1 } },
    rollout: { train_batch_size: 4, max_turns: 6, response_length: 30, prompt_format: "no_think" },
    trainer: { ...tiny().trainer, harness: "compact", compact_budget: 130 },
  });

/** Log-probabilities and values come from decoding, as in the presets. */
const unscored = (): RunConfig => tiny({ actor: { ppo_mini_batch_size: 2, recompute_logprob: false } });

/** A critic whose optimiser takes more and smaller steps than the policy's. */
const separateCritic = (): RunConfig =>
  tiny({
    model: { ...tiny().model, critic: "separate" },
    critic: { ppo_epochs: 2, ppo_mini_batch_size: 1 },
  });

async function collect(run: Run, signal = new AbortController().signal): Promise<TrainingFact[]> {
  const events: TrainingFact[] = [];
  for await (const event of train(run, signal)) events.push(event);
  return events;
}

const reportsOf = (events: readonly TrainingFact[]) =>
  events.flatMap((e) => (e.type === "validation" ? e.reports : []));

const updatesValidated = (events: readonly TrainingFact[]) => reportsOf(events).map(({ update }) => update);

const metricsOf = (events: readonly TrainingFact[]) => events.filter((e) => e.type === "metrics");

describe("the trainer", () => {
  it("goes through SFT and PPO with finite metrics, and ends with a validation", async () => {
    const run = await buildRun("test", tiny(), await requestNodeGpu());
    const events = await collect(run);
    const metrics = metricsOf(events);
    expect(metrics.map((m) => m.update)).toEqual([1, 2, 3, 4]);
    expect(metrics.map((m) => m.stage)).toEqual(["warmup", "warmup", "ppo", "ppo"]);
    for (const { values } of metrics)
      for (const [name, value] of Object.entries(values)) expect(Number.isFinite(value), name).toBe(true);
    // Decoding with a cache and the training forward are different kernels: f32 rounding only.
    expect(metrics[2]!.values["training/rollout_probs_diff_mean"]).toBeLessThan(1e-4);
    expect(Math.abs(metrics[2]!.values["actor/ppo_kl"] as number)).toBeLessThan(0.05);
    expect(reportsOf(events).map(({ temperature }) => temperature)).toEqual([1, 0, 1, 0]);
    expect(run.update).toBe(4);
    const reports = reportsOf(events).map((report) => report.metrics);
    for (const values of [...metrics.map((m) => m.values), ...reports])
      for (const key of Object.keys(values))
        expect(findMetric(key), `${key} is not in the metric dictionary`).toBeDefined();
    run.dispose();
  });

  it("logs nothing under a KL in the reward and groups that the metric dictionary lacks", async () => {
    const config = tiny({ algorithm: { use_kl_in_reward: true } });
    config.rollout.n_trajectory = 2;
    config.sft.total_updates = 0;
    config.trainer.total_updates = 1;
    const run = await buildRun("test", config, await requestNodeGpu());
    const [metrics] = metricsOf(await collect(run));
    run.dispose();
    expect(metrics!.values).toHaveProperty("critic/kl");
    expect(metrics!.values).toHaveProperty(["custom_metrics/train/reward_variance"]);
    for (const key of Object.keys(metrics!.values)) expect(findMetric(key), key).toBeDefined();
  });

  it.each([
    ["one conversation", tiny()],
    ["a row per turn", rowsPerTurn()],
    ["AReaL's attempts", attempts()],
    ["conversations with summaries", summarised()],
    ["a critic that reads the state", tiny({ critic: { asymmetric: true } })],
    ["values and log-probabilities from decoding", unscored()],
    ["a separate critic with its own epochs and minibatches", separateCritic()],
    [
      "a critic that changes the backbone a little",
      tiny({ critic: { detach_trunk: false, trunk_grad_scale: 0.1 } }),
    ],
  ])("continues from a checkpoint bit for bit as if it had never stopped: %s", async (_, config) => {
    const last = totalUpdates(config);
    const straight = await buildRun("test", config, await requestNodeGpu());
    // Saved on its way, as a supervisor saves a run.
    let checkpoint: Checkpoint | undefined;
    const events: TrainingFact[] = [];
    for await (const event of train(straight, new AbortController().signal)) {
      events.push(event);
      if (event.type === "metrics" && event.update === last - 1)
        checkpoint = structuredClone(await straight.save());
    }
    const [newest] = metricsOf(events).slice(-1);
    // Without it the update had no forward pass before its steps.
    expect("training/rollout_probs_diff_mean" in newest!.values).toBe(config.actor.recompute_logprob);
    const want = await straight.save();
    straight.dispose();
    expect(checkpoint!.meta.update).toBe(last - 1);

    const second = await buildRun("test", config, await requestNodeGpu(), checkpoint);
    await collect(second);
    const got = await second.save();
    second.dispose();
    expect(got.meta.update).toBe(want.meta.update);
    expect(got.meta.stateCritic).toEqual(want.meta.stateCritic);
    expect(got.meta.stateCritic !== undefined).toBe(config.critic.asymmetric);
    for (const [name, { data }] of want.tensors) expect(got.tensors.get(name)?.data, name).toEqual(data);
  });

  it("validates at the end if the total is set below the updates done", async () => {
    const run = await buildRun(
      "test",
      tiny({ trainer: { ...tiny().trainer, total_updates: 9 } }),
      await requestNodeGpu(),
    );
    const events: TrainingFact[] = [];
    for await (const event of train(run, new AbortController().signal)) {
      events.push(event);
      // Between two updates, when the one before was not the last.
      if (event.type === "checkpoint_due" && event.update === 4)
        run.applyChanges({ "trainer.total_updates": 1 });
    }
    run.dispose();
    expect(updatesValidated(events)).toEqual([2, 2, 4, 4]);
    expect(run.update).toBe(4);
  });

  it("drops a validation that a stop cuts, and continues bit for bit as if it had never stopped", async () => {
    const straight = await buildRun("test", tiny(), await requestNodeGpu());
    await collect(straight);
    const want = await straight.save();
    straight.dispose();

    // The first validation comes before PPO. What its turns have left on the device must not get into the run.
    const first = await buildRun("test", tiny(), await requestNodeGpu());
    const stop = new AbortController();
    const events: TrainingFact[] = [];
    for await (const event of train(first, stop.signal)) {
      events.push(event);
      if (event.type === "phase" && event.phase === "validate" && event.done > 0) stop.abort();
    }
    const saved = structuredClone(await first.save());
    first.dispose();
    expect(events.at(-1)).toMatchObject({ type: "phase", phase: "validate", update: 2, of: 4 });
    expect(updatesValidated(events)).toEqual([]);
    expect(saved.meta).toMatchObject({ update: 2, counters: { validatedUpdate: -1 } });

    const second = await buildRun("test", tiny(), await requestNodeGpu(), saved);
    expect(updatesValidated(await collect(second))).toEqual([2, 2, 4, 4]);
    const got = await second.save();
    second.dispose();
    for (const [name, { data }] of want.tensors) expect(got.tensors.get(name)?.data, name).toEqual(data);
  });

  it.each([
    ["after SFT", 2],
    ["as it starts", 0],
  ])("validates a run without PPO %s, once", async (_, sft) => {
    const config = tiny();
    config.trainer.total_updates = 0;
    config.sft.total_updates = sft;
    const run = await buildRun("test", config, await requestNodeGpu());
    const events = await collect(run);
    const saved = structuredClone(await run.save());
    run.dispose();
    expect(updatesValidated(events)).toEqual([sft, sft]);
    // A run that does PPO after all begins it without another one.
    config.trainer.total_updates = 1;
    const longer = await buildRun("test", config, await requestNodeGpu(), saved);
    expect(updatesValidated(await collect(longer))).toEqual([sft + 1, sft + 1]);
    longer.dispose();
  });

  it("makes a validation that a stop prevented, and only once", async () => {
    const first = await buildRun("test", tiny(), await requestNodeGpu());
    for await (const event of train(first, new AbortController().signal))
      if (event.type === "metrics" && event.update === 4) break;
    const unvalidated = structuredClone(await first.save());
    first.dispose();

    const second = await buildRun("test", tiny(), await requestNodeGpu(), unvalidated);
    expect(updatesValidated(await collect(second))).toEqual([4, 4]);
    expect(updatesValidated(await collect(second))).toEqual([]);
    second.dispose();
  });
});
