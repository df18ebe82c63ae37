// Experiments of AReaL's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimators } from "../../rl/advantage/index.ts";
import { missingTask, ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import { isVagenConfig } from "./parse/file.ts";
import { reportText } from "./report.ts";

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
  const { findings } = read(text.replace("behav_imp_weight_cap", "behaved_imp_weight_cap"));
  expect(ofKind(findings, "unknown")).toMatchObject([
    { key: "actor.behaved_imp_weight_cap", remark: "Did you mean actor.behave_imp_weight_cap?" },
  ]);
});

test("an episode has two attempts where the file does not say", () => {
  expect(read(text).config.rollout.max_turns).toBe(3);
  expect(read(text.replace(/.*max_turns: 3\n/, "")).config.rollout.max_turns).toBe(2);
});

test("questions without pictures are a task that the studio does not have", () => {
  const { findings } = read(text.replaceAll("hiyouga/geometry3k", "openai/gsm8k"));
  expect(missingTask(findings)?.remark).toContain('train_dataset.path is "openai/gsm8k"');
});

test("counting is asked where the data set counts", () => {
  const { config } = read(text.replaceAll("hiyouga/geometry3k", "BUAADreamer/clevr_count_70k"));
  expect(config.env.config).toMatchObject({ questions: ["count"] });
});

/** The experiment with these lines after those about the KL. */
const withActor = (lines: string, rest = "") =>
  read(text.replace("kl_ctl: 0.0", `kl_ctl: 0.0\n${lines.replace(/^/gm, "  ")}`) + rest);
const CRITIC = "critic: { path: Qwen/Qwen2.5-VL-7B-Instruct }\n";

describe("with a critic", () => {
  test.each([
    ["gae_timestep_unit: token", "masked_gae"],
    ["gae_timestep_unit: turn", "areal_turn_gae"],
  ])("%s is %s, with γ and λ of their own", (unit, estimator) => {
    const { config, findings } = withActor(`${unit}\ndiscount: 0.8\ngae_lambda: 0.9`, CRITIC);
    expect(config.algorithm).toMatchObject({ adv_estimator: estimator, gamma: 0.8, lam: 0.9 });
    expect(ofKind(findings, "unsupported").map(({ key }) => key)).not.toContain("actor.gae_timestep_unit");
  });

  test("a λ that follows from the length names its function", () => {
    const lines =
      "gae_lambda: areal.trainer.ppo.lambda_fn.vapo\ngae_lambda_kwargs: { alpha: 0.06 }\ndiscount: 0.8";
    const { config, findings } = withActor(lines, CRITIC);
    expect(config.algorithm).toMatchObject({ lam_by_length: "vapo", vapo_alpha: 0.06, gamma: 0.8 });
    const found = findings.filter(({ key }) => key.startsWith("actor.gae_lambda"));
    expect(found.map(({ kind, key }) => [kind, key])).toEqual([
      ["applied", "actor.gae_lambda"],
      ["applied", "actor.gae_lambda_kwargs.alpha"],
    ]);
  });
});

describe("without a critic, where values are 0", () => {
  /** Advantages of five tokens of the policy, the last of which has a reward of 1. */
  function advantagesOf({ algorithm }: ReturnType<typeof read>["config"]) {
    const tokens = {
      rewards: [0, 0, 0, 0, 1],
      values: [0, 0, 0, 0, 0],
      gaeMask: [1, 1, 1, 1, 1],
      turnEndMask: [0, 0, 0, 0, 1],
      starts: [0, 5],
    };
    const { adv_estimator, gamma, lam, high_level_gamma, carry_across_turns } = algorithm;
    const params = { gamma, lambda: lam, turnGamma: high_level_gamma, carry: carry_across_turns };
    return Array.from(estimators.get(adv_estimator).estimate(tokens, params).advantages);
  }

  test.each([
    ["gae_lambda: 0.9", 0.9],
    ["discount: 0.9", 0.9],
    ["gae_lambda: 0.9\ndiscount: 0.8", 0.72],
    ["discount: 0.8\ngae_lambda: 0.9", 0.72],
    ["gae_lambda: 1", 1],
  ])("%j discounts a reward from token to token by %d", (lines, factor) => {
    const { config, findings } = withActor(lines);
    expect(config.algorithm.gamma).toBe(factor);
    const wanted = [4, 3, 2, 1, 0].map((steps) => factor ** steps);
    for (const [i, advantage] of advantagesOf(config).entries()) expect(advantage).toBeCloseTo(wanted[i]!);
    expect(ofKind(findings, "refused")).toEqual([]);
  });

  test("the report says what becomes of λ", () => {
    const { findings } = withActor("gae_lambda: 0.9");
    expect(findings.filter(({ key }) => key === "actor.gae_lambda")).toEqual([
      {
        kind: "applied",
        key: "actor.gae_lambda",
        value: 0.9,
        path: "algorithm.gamma",
        ours: 0.9,
        remark: expect.stringContaining("discounted by discount × gae_lambda"),
      },
    ]);
  });

  test.each([
    ["actor.gae_lambda", "gae_lambda: areal.trainer.ppo.lambda_fn.vapo", /no λ by length/],
    ["actor.gae_timestep_unit", "gae_timestep_unit: turn", /from token to token only/],
  ])("%s has no counterpart: %s", (key, line, why) => {
    const { config, findings } = withActor(`${line}\ndiscount: 0.8`);
    expect(config.algorithm).toMatchObject({
      adv_estimator: "reinforce_plus_plus",
      gamma: 0.8,
      lam_by_length: "off",
    });
    expect(ofKind(findings, "unsupported")).toContainEqual(
      expect.objectContaining({ key, remark: expect.stringMatching(why) }),
    );
  });
});

/** The experiment with these lines in its actor's section, in the place of those about norms and the decoupled objective. */
function actorWith(lines: string) {
  const kept = text.replace(
    /^ {2}(reward_norm|adv_norm|use_decoupled_loss|behav_imp_weight_cap|recompute_logprob).*\n/gm,
    "",
  );
  return read(kept.replace("  kl_ctl: 0.0\n", `  kl_ctl: 0.0\n${lines.replace(/^/gm, "  ")}\n`));
}
/** Keys that the report does not know. */
const unknownKeys = (lines: string) => ofKind(actorWith(lines).findings, "unknown");

describe("the decoupled objective", () => {
  const settings = (lines: string) => {
    const { use_decoupled_loss, recompute_logprob, behav_imp_weight_cap, behav_imp_weight_mode } =
      actorWith(lines).config.actor;
    return [use_decoupled_loss, recompute_logprob, behav_imp_weight_cap, behav_imp_weight_mode];
  };
  const refused = (lines: string) =>
    ofKind(actorWith(lines).findings, "refused").map(({ key, remark }) => [key, remark]);

  test.each(["", "use_decoupled_loss: true", "use_decoupled_loss: true\nrejection_sampling: null"])(
    "has no weights without rejection_sampling: %j",
    (lines) => {
      expect(settings(lines).slice(0, 2)).toEqual([false, true]);
      expect(unknownKeys(lines)).toEqual([]);
    },
  );

  test.each([
    ["use_decoupled_loss: false", [false, false]],
    ["use_decoupled_loss: false\nrecompute_logprob: true", [false, true]],
    ["use_decoupled_loss: true\nbehave_imp_weight_cap: 3", [true, true, 3, "mask"]],
    ["use_decoupled_loss: true\nbehav_imp_weight_cap: 3", [true, true, 3, "mask"]],
    ["rejection_sampling: {}", [true, true, 5, "mask"]],
    ["rejection_sampling: { upper: 2.5 }", [true, true, 2.5, "mask"]],
    [
      "rejection_sampling: { level: token, metric: ratio, action: clamp, lower: 0, upper: 4 }",
      [true, true, 4, "clamp"],
    ],
  ])("has the weights that are asked for: %j", (lines, expected) => {
    expect(settings(lines).slice(0, expected.length)).toEqual(expected);
    expect(refused(lines)).toEqual([]);
    expect(unknownKeys(lines)).toEqual([]);
  });

  test.each(["metric: kl_k1", "level: sequence"])(
    "has no weights where the studio lacks them: %s",
    (line) => {
      const lines = `rejection_sampling: { ${line}, upper: 0.5 }`;
      const [name, value] = line.split(": ");
      expect(settings(lines).slice(0, 3)).toEqual([false, true, 5]);
      expect(refused(lines)).toEqual([
        [
          `actor.rejection_sampling.${name}`,
          `actor.rejection_sampling.${name} is "${value}"; the studio weighs each token by its ratio. Set level to token and metric to ratio, or leave rejection_sampling out: now no token is weighed.`,
        ],
      ]);
    },
  );

  test("has no lower bound", () => {
    expect(refused("rejection_sampling: { lower: 0.2 }")).toEqual([
      [
        "actor.rejection_sampling.lower",
        "actor.rejection_sampling.lower is 0.2; the studio bounds weights from above only. Set it to null.",
      ],
    ]);
  });

  test.each(["rejection_sampling: { upper: null }", "rejection_sampling: { upper: null, metric: kl_k2 }"])(
    "does not take an empty upper bound for the default one: %s",
    (lines) => {
      expect(refused(lines)).toContainEqual([
        "actor.rejection_sampling.upper",
        "actor.rejection_sampling.upper is null; AReaL takes only a number above 1 there, and so does the studio. Write the largest ratio, or leave the key out, which means 5.",
      ]);
    },
  );

  test("an override with null turns the section of a file off", () => {
    const file = {
      name: "e.yaml",
      text: text.replace(/ {2}behav_imp_weight_cap.*\n/, "  rejection_sampling: { upper: 3 }\n"),
    };
    expect(importVagen([file]).config.actor).toMatchObject({
      use_decoupled_loss: true,
      behav_imp_weight_cap: 3,
    });
    const { config } = importVagen([file], { overrides: ["actor.rejection_sampling=null"] });
    expect(config.actor).toMatchObject({ use_decoupled_loss: false, behav_imp_weight_cap: 5 });
  });
});

describe("the policy loss does not depend on the order of the keys", () => {
  const SAPO = "use_sapo_loss: true";
  test.each([
    [[SAPO, "importance_sampling_level: token"], "sapo"],
    [["use_sapo_loss: false", "importance_sampling_level: sequence"], "gspo"],
    [["use_sapo_loss: false", "importance_sampling_level: token"], "vanilla"],
    [[SAPO], "sapo"],
    [["importance_sampling_level: sequence"], "gspo"],
  ])("%j is %s", (lines, mode) => {
    for (const order of [lines, lines.toReversed()])
      expect(actorWith(order.join("\n")).config.actor.loss_mode).toBe(mode);
  });

  test("sapo is never decoupled, and has no ratio of a sequence", () => {
    const { config, findings } = actorWith(
      `${SAPO}\nimportance_sampling_level: sequence\nbehav_imp_weight_cap: 5`,
    );
    expect(config.actor).toMatchObject({
      loss_mode: "sapo",
      use_decoupled_loss: false,
      recompute_logprob: false,
    });
    expect(ofKind(findings, "refused")).toMatchObject([{ key: "actor.importance_sampling_level" }]);
  });
});

describe("an override", () => {
  const overridden = (override: string) => {
    const bare = text.replace(/ {2}behav_imp_weight_cap.*\n/, "").replace(/ {2}adv_norm:.*\n( {4}.*\n)*/, "");
    const file = {
      name: "experiment.yaml",
      text: bare.replace("  kl_ctl: 0.0\n", "  kl_ctl: 0.0\n  adv_norm: null\n"),
    };
    const { config, findings } = importVagen([file], { overrides: [override] });
    return { ...config, findings };
  };

  test("with a section as its value sets the keys of the section", () => {
    const { actor, findings } = overridden(
      "actor.rejection_sampling={level: token, metric: ratio, upper: 3}",
    );
    expect(actor).toMatchObject({ use_decoupled_loss: true, behav_imp_weight_cap: 3 });
    expect(ofKind(findings, "unknown")).toEqual([]);
    const sequence = overridden("actor.rejection_sampling={level: sequence}");
    expect(sequence.actor.use_decoupled_loss).toBe(false);
  });

  test("of a section's key takes the place of the section's null", () => {
    const { algorithm, findings } = overridden("actor.adv_norm.mean_level=group");
    expect(algorithm).toMatchObject({ adv_norm_mean_level: "group", whiten_advantages: true });
    expect(findings.some(({ key }) => key === "actor.adv_norm")).toBe(false);
  });
});

describe("a normalisation that a file gives in part", () => {
  const levels = (lines: string, norm: "reward_norm" | "adv_norm") => {
    const { algorithm } = actorWith(lines).config;
    return [algorithm[`${norm}_mean_level`], algorithm[`${norm}_std_level`]];
  };

  test.each([
    ["reward_norm: { mean_level: group }", ["group", "batch"]],
    ["reward_norm: { std_level: group }", ["batch", "group"]],
    ["reward_norm: { mean_level: group, std_level: null }", ["group", "none"]],
    ["reward_norm: {}", ["batch", "batch"]],
    ["reward_norm: null", ["none", "none"]],
    ["", ["none", "none"]],
  ])("rewards: %j", (lines, expected) => {
    expect(levels(lines, "reward_norm")).toEqual(expected);
    expect(unknownKeys(lines)).toEqual([]);
  });

  test.each([
    ["adv_norm: { std_level: group }", ["batch", "group"], true],
    ["adv_norm: { mean_level: group }", ["group", "batch"], true],
    ["adv_norm: { mean_level: group, std_level: null }", ["group", "none"], true],
    ["adv_norm: {}", ["batch", "batch"], true],
    ["adv_norm: null", ["batch", "batch"], false],
    ["", ["batch", "batch"], false],
  ])("advantages: %j", (lines, expected, whitened) => {
    expect(levels(lines, "adv_norm")).toEqual(expected);
    expect(actorWith(lines).config.algorithm.whiten_advantages).toBe(whitened);
    expect(ofKind(actorWith(lines).findings, "refused")).toEqual([]);
    expect(unknownKeys(lines)).toEqual([]);
  });
});

describe("a number of AReaL's that the studio has one value of", () => {
  const found = (lines: string, key: string) =>
    actorWith(lines).findings.find((finding) => finding.key === key);

  test.each(["reward_norm", "adv_norm"])("is ignored in %s where it is that value", (norm) => {
    const lines = `${norm}: { std_level: group, std_unbiased: true, eps: 1.0e-5 }`;
    for (const name of ["std_unbiased", "eps"])
      expect(found(lines, `actor.${norm}.${name}`)).toMatchObject({
        kind: "ignored",
        remark: "The studio always does it this way.",
      });
  });

  test.each(["reward_norm", "adv_norm"])("is unsupported in %s where it is another one", (norm) => {
    const lines = `${norm}: { std_level: group, std_unbiased: false, eps: 0.1 }`;
    for (const name of ["std_unbiased", "eps"])
      expect(found(lines, `actor.${norm}.${name}`)).toMatchObject({ kind: "unsupported" });
  });

  test("is not read where no deviation is taken", () => {
    const lines = "adv_norm: { std_level: null, std_unbiased: false, eps: 0.1 }";
    for (const name of ["std_unbiased", "eps"])
      expect(found(lines, `actor.adv_norm.${name}`)).toMatchObject({
        kind: "ignored",
        remark: "No deviation is taken.",
      });
  });

  test.each([
    ["true", "unsupported", /reply that was cut is paid/],
    ["false", "ignored", /always does it this way/],
  ])("is what a reply without an end earns: %s", (value, kind, remark) => {
    const line = `mask_no_eos_with_zero: ${value}`;
    expect(found(line, "actor.mask_no_eos_with_zero")).toMatchObject({
      kind,
      remark: expect.stringMatching(remark),
    });
  });
});

test("the report says that the studio clamps only k3", () => {
  const remark = (key: string, ...lines: string[]) => {
    const changed = text.replace("  kl_ctl: 0.0\n", lines.map((line) => `  ${line}\n`).join(""));
    return read(changed).findings.find((finding) => finding.key === key)?.remark;
  };
  const clamped = /clamps every estimate .* ±10, the studio those of k3 only/;
  expect(remark("actor.kl_ctl", "kl_ctl: 0.1")).toMatch(clamped);
  expect(remark("actor.kl_estimator", "kl_ctl: 0.1", "kl_estimator: k2")).toMatch(clamped);
  expect(remark("actor.kl_ctl", "kl_ctl: 0.1", "kl_estimator: k3")).toBeUndefined();
  expect(remark("actor.kl_estimator", "kl_ctl: 0.1", "kl_estimator: k3")).toBeUndefined();
  expect(remark("actor.kl_ctl", "kl_ctl: 0")).toBeUndefined();
});

test("the report names AReaL, and says which refused value is a default", () => {
  const imported = read("actor: { reward_scaling: 50, optimizer: { lr: 1e-5 } }");
  const refused = ofKind(imported.findings, "refused").map(({ key, remark }) => [key, remark]);
  expect(refused).toEqual([
    ["actor.reward_scaling", expect.stringMatching(/^algorithm\.reward_scaling is 50; /)],
    [
      "actor.reward_clip",
      expect.stringMatching(/^A default that the files leave out\. algorithm\.reward_clip is 20; /),
    ],
  ]);
  const report = reportText(imported);
  expect(report).toMatch(/^AReaL: 2 refused, /);
  expect(report).not.toContain("VAGEN");
});
