// Experiments of AReaL's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingTask, ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import { isVagenConfig } from "./parse/file.ts";

const text = readFileSync(join(import.meta.dirname, "testing/examples/areal.yaml"), "utf8");
const read = (changed = text) => importVagen([{ name: "experiment.yaml", text: changed }]);

describe("an experiment with questions about pictures", () => {
  const { generation, config, findings } = read();

  test("is recognised", () => {
    expect(generation).toBe("areal");
    expect(isVagenConfig(text)).toBe(true);
  });

  test("becomes visual-math in AReaL's own workflow", () => {
    expect(config).toMatchObject({
      name: "triangles",
      seed: 5,
      env: { name: "visual-math", config: { format_reward: 0.1, success_reward: 0.9 } },
      rollout: {
        workflow: "areal",
        prompt_format: "boxed",
        max_turns: 3,
        turn_discount: 0.9,
        train_batch_size: 128,
        n_trajectory: 4,
        max_head_offpolicyness: 4,
        response_length: 1024,
        temperature: 0.8,
        top_p: 0.95,
      },
      reward: { scale_by_turns: false, use_state_reward: false },
      judge: { name: "off" },
      trainer: { total_updates: 120, save_freq: 40, test_freq: 20 },
    });
    expect((config.env.config as { questions: string[] }).questions).toContain("perimeter");
  });

  test("keeps objective, normalisation and optimiser", () => {
    expect(config.actor).toMatchObject({
      lr: 2e-6,
      weight_decay: 0.01,
      beta2: 0.999,
      clip_ratio: 0.4,
      clip_ratio_high: 0.45,
      ppo_mini_batch_size: 64,
      use_decoupled_loss: true,
      behav_imp_weight_cap: 5,
      use_kl_loss: false,
    });
    expect(config.algorithm).toMatchObject({
      adv_estimator: "reinforce_plus_plus",
      gamma: 1,
      lam: 1,
      use_kl_in_reward: false,
      reward_scaling: 10,
      reward_bias: -0.5,
      reward_clip: 20,
      reward_norm_mean_level: "group",
      reward_norm_std_level: "group",
      adv_norm_mean_level: "batch",
      adv_norm_std_level: "none",
      whiten_advantages: true,
      filter: "off",
    });
  });

  test("refuses nothing and knows every key", () => {
    expect(ofKind(findings, "refused")).toEqual([]);
    expect(ofKind(findings, "unknown")).toEqual([]);
  });
});

test("a misspelt key is named with the one that was meant", () => {
  const { findings } = read(text.replace("behav_imp_weight_cap", "behave_imp_weight_cap"));
  expect(ofKind(findings, "unknown")).toMatchObject([
    { key: "actor.behave_imp_weight_cap", remark: "Did you mean actor.behav_imp_weight_cap?" },
  ]);
});

test("questions without pictures are a task that the studio does not have", () => {
  const { findings } = read(text.replaceAll("hiyouga/geometry3k", "openai/gsm8k"));
  expect(missingTask(findings)?.remark).toContain('train_dataset.path is "openai/gsm8k"');
});

test("counting is asked where the data set counts", () => {
  const { config } = read(text.replaceAll("hiyouga/geometry3k", "BUAADreamer/clevr_count_70k"));
  expect(config.env.config).toMatchObject({ questions: ["count"] });
});

test("a λ that follows from the length names its function", () => {
  const path = "gae_lambda: areal.trainer.ppo.lambda_fn.vapo\n  gae_lambda_kwargs: { alpha: 0.05 }";
  const { findings } = read(text.replace("kl_ctl: 0.0", `kl_ctl: 0.0\n  ${path}`));
  const found = findings.filter(({ key }) => key.startsWith("actor.gae_lambda"));
  expect(found.map(({ key, value }) => [key, value])).toEqual([
    ["actor.gae_lambda", "areal.trainer.ppo.lambda_fn.vapo"],
    ["actor.gae_lambda_kwargs.alpha", 0.05],
  ]);
  expect(found.every(({ kind }) => kind === "applied" || kind === "unsupported")).toBe(true);
});
