// Test aid only: the events of a whole run as the trainer would send them, with curves of the usual shape. Never
// imported by the product.

import type { RunConfig } from "../../config/run-config.ts";
import { sftUpdates } from "../../config/run-length.ts";
import { rng } from "../../core/rng.ts";
import { wilsonInterval } from "../../core/wilson.ts";
import type { DeviceInfo, MemoryPlan, Stage, TrainerEvent } from "../../training/events.ts";
import { fakeTrajectory } from "./fake-trajectory.ts";

export const fakeDevice: DeviceInfo = {
  vendor: "test",
  architecture: "fake",
  description: "Recorded device",
  software: false,
  features: [],
};

export const fakePlan: MemoryPlan = {
  total: 112 * 2 ** 20,
  parts: {
    activations: 71 * 2 ** 20,
    kv_cache: 22 * 2 ** 20,
    optimizer: 9 * 2 ** 20,
    parameters: 6 * 2 ** 20,
    gradients: 4 * 2 ** 20,
  },
  parameters: 131_584,
  largestBuffer: 16 * 2 ** 20,
  limit: 128 * 2 ** 20,
};

/** Every event of a run up to update `upTo`; deterministic. */
export function fakeRun(runId: string, config: RunConfig, upTo: number): TrainerEvent[] {
  const warmup = sftUpdates(config);
  const total = warmup + config.trainer.total_updates;
  const random = rng(config.seed).fork("fake run");
  const noise = (size: number) => (random.float() - 0.5) * 2 * size;
  const events: TrainerEvent[] = [
    {
      type: "run_started",
      runId,
      config,
      device: fakeDevice,
      memory: fakePlan,
      update: 0,
      totalUpdates: total,
      time: 0,
    },
    { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: warmup },
    { type: "stage", stage: "ppo", firstUpdate: warmup + 1, lastUpdate: total },
  ];
  let [tokens, episodes, wallMs] = [0, 0, 0];
  for (let update = 1; update <= Math.min(upTo, total); update++) {
    const stage: Stage = update <= warmup ? "warmup" : "ppo";
    const p = (update - warmup) / config.trainer.total_updates;
    tokens += stage === "warmup" ? 5800 : 21_000;
    episodes += stage === "warmup" ? 16 : 64;
    wallMs += stage === "warmup" ? 240 + noise(30) : 4200 + noise(500);
    events.push({
      type: "metrics",
      stage,
      update,
      values: stage === "warmup" ? sftValues(update / warmup, noise) : ppoValues(p, noise, config.env.name),
      tokens,
      episodes,
      wallMs,
    });
    if (stage === "ppo") events.push(...ppoEvents(runId, config, update, p));
  }
  return events;
}

/** What an update of PPO reports besides its metrics: three episodes; every 20 updates validations and a checkpoint. */
function ppoEvents(runId: string, config: RunConfig, update: number, p: number): TrainerEvent[] {
  const envId = config.env.name;
  const episodes = [0, 1, 2].map((i): TrainerEvent => {
    const seed = 1 + ((update * 7 + i) % 900);
    const trajectory = fakeTrajectory({ id: `u${update}-${i}`, envId, seed, skill: 0.35 + 0.6 * p });
    return { type: "trajectory", update, source: "train", trajectory };
  });
  const isValidated = (update - sftUpdates(config)) % 20 === 0;
  const validations = isValidated
    ? [1, 0].map((temperature) => validation(envId, update, p, temperature))
    : [];
  const checkpoint = {
    type: "checkpoint",
    update,
    bytes: 1.6e6,
    name: `${runId}-${update}.safetensors`,
  } as const;
  return [...episodes, ...validations, ...(update % 20 === 0 ? [checkpoint] : [])];
}

function validation(envId: string, update: number, p: number, temperature: number): TrainerEvent {
  const rate = 0.36 + 0.48 * (1 - Math.exp(-2.4 * p)) + (temperature === 0 ? 0.06 : 0);
  const successes = Math.round(rate * 256);
  const metrics = {
    [`val/success/${envId}`]: successes / 256,
    "val/surroundings_accuracy": 0.96 + 0.02 * p,
    "val/surroundings_miss/hole": 0.14 - 0.08 * p,
    "val/surroundings_miss/free": 0.02,
    "val/surroundings_false_alarm/hole": 0.04 - 0.02 * p,
    "val/surroundings_false_alarm/free": 0.03,
  };
  const interval = wilsonInterval(successes, 256);
  return {
    type: "validation",
    report: { update, stage: "ppo", episodes: 256, successes, interval, temperature, metrics },
  };
}

type Noise = (size: number) => number;

function sftValues(p: number, noise: Noise): Record<string, number> {
  const learned = 1 / (1 + Math.exp(-(p - 0.3) * 22));
  return {
    "sft/loss": 1.6 * (1 - learned) + 0.06 + Math.abs(noise(0.04)),
    "sft/token_accuracy": 0.35 + 0.62 * learned + noise(0.01),
    "sft/facts_right": 0.98 * learned,
    "actor/grad_norm": 0.8 - 0.5 * learned + Math.abs(noise(0.15)),
    "actor/lr": 4e-3 * Math.min(1, p * 20) * (0.525 + 0.475 * Math.cos(Math.PI * p)),
    "critic/vf_loss": 0.18 - 0.08 * learned + Math.abs(noise(0.02)),
    "critic/vf_explained_var": 0.25 * learned + noise(0.04),
    "train/success/frozenlake": 0.4 + noise(0.05),
    "timing_s/gen": 0.03,
    "timing_s/update_actor": 0.21 + noise(0.02),
    "timing_s/step": 0.24 + noise(0.02),
    "perf/throughput": 24_000 + noise(1500),
  };
}

function ppoValues(p: number, noise: Noise, env: string): Record<string, number> {
  const rise = 1 - Math.exp(-2.4 * p);
  const success = 0.36 + 0.48 * rise + noise(0.06);
  const parts = {
    "reward/task": success,
    "reward/format": 0.018 + noise(0.001),
    "reward/state_estimation": 0.16 + 0.01 * rise + noise(0.01),
    "reward/transition_modeling": 0.15 + 0.015 * rise + noise(0.012),
  };
  const score = Object.values(parts).reduce((a, b) => a + b, 0);
  return {
    ...parts,
    [`train/success/${env}`]: success,
    [`train/score/${env}`]: score,
    "train/done": 0.8 + 0.1 * rise + noise(0.03),
    "num_turns/mean": 3.6 - 0.7 * rise + noise(0.15),
    grounding_accuracy: 0.985 + noise(0.008),
    worldmodeling_accuracy: 0.965 + 0.015 * rise + noise(0.012),
    "grounding_accuracy/player": 0.99,
    surroundings_accuracy: 0.97 + 0.015 * rise + noise(0.004),
    "surroundings_miss/hole": 0.1 - 0.06 * rise + Math.abs(noise(0.01)),
    "surroundings_miss/free": 0.01 + Math.abs(noise(0.004)),
    "surroundings_false_alarm/hole": 0.03 - 0.02 * rise + Math.abs(noise(0.004)),
    "surroundings_false_alarm/free": 0.02 + Math.abs(noise(0.004)),
    "train/format_correct": 0.994 + noise(0.004),
    "train/action_is_valid": 0.992 + noise(0.005),
    "train/action_is_effective": 0.78 + 0.12 * rise + noise(0.03),
    "critic/score/mean": score,
    "critic/score/max": 1.35,
    "critic/score/min": 0.08,
    "critic/vf_explained_var": 0.12 + 0.1 * rise + noise(0.06),
    "critic/vf_explained_var/turn_start": 0.08 + 0.08 * rise + noise(0.06),
    "critic/vf_explained_var/turn_end": 0.16 + 0.14 * rise + noise(0.06),
    "critic/vf_loss": 0.12 - 0.03 * rise + Math.abs(noise(0.01)),
    "critic/vf_clipfrac": Math.abs(noise(0.01)),
    "critic/values/mean": 0.5 + 0.3 * rise,
    "critic/returns/mean": 0.52 + 0.31 * rise + noise(0.03),
    "critic/advantages/mean": noise(1e-7),
    "actor/ppo_kl": 8e-4 + Math.abs(noise(7e-4)),
    "actor/kl_loss": 0.004 + 0.02 * rise + Math.abs(noise(0.002)),
    "actor/entropy": 0.042 - 0.024 * rise + Math.abs(noise(0.004)),
    "actor/pg_loss": noise(0.006),
    "actor/pg_clipfrac": 0.003 + Math.abs(noise(0.002)),
    "actor/grad_norm": 0.2 + Math.abs(noise(0.12)),
    "actor/lr": 4e-4,
    "critic/lr": 1e-3,
    "training/rollout_probs_diff_mean": 3e-6 + Math.abs(noise(1e-6)),
    "training/skipped_steps": 0,
    "response_length/mean": 31.2 + noise(0.3),
    "response_length/clip_ratio": 0,
    "timing_s/gen": 2.3 + noise(0.3),
    "timing_s/adv": 0.4 + noise(0.05),
    "timing_s/update_actor": 1.5 + noise(0.1),
    "timing_s/step": 4.2 + noise(0.4),
    "perf/throughput": 5000 + noise(400),
    "perf/tflop": p,
  };
}
