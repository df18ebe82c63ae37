// Entries that Lite plays on a server: which environment they are, and the options that only VAGEN's client reads.
import { describe, expect, it } from "vitest";
import { type Finding, ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import { reportText } from "./report.ts";

const read = (options: string, name = "RemoteEnv") =>
  importVagen([
    {
      name: "train.yaml",
      text: `envs: [{ name: ${name}, n_envs: 4, seed: [1, 4, 1], max_turns: 3, config: { ${options} } }]`,
    },
  ]);

const byKey = (findings: readonly Finding[], option: string) =>
  findings.find(({ key }) => key === `envs[0].config.${option}`);

describe("a remote environment", () => {
  it.each([
    ["base_urls: x, eval_set: base", "navigation"],
    ["url_file: urls.txt, eval_set: base", "navigation"],
    ["eval_set: base", "navigation"],
    ["base_urls: x, per_turn_format_reward: 0.01", "navigation"],
    ["base_urls: x, env_id: StackThreeCube", "primitive-skill"],
    ["base_urls: x, mask_success: true", "primitive-skill"],
    ["base_urls: x, dataset_name: starvector/svg-icons-simple", "svg"],
    ["base_urls: x, structural_weight: 10.0, dreamsim_weight: 0.0", "svg"],
    ["base_urls: x, dreamsim_weight: 5.0", "svg"],
  ])("with { %s } is %s", (options, env) => {
    const { config, findings } = read(options);
    expect(config.env.name).toBe(env);
    expect([...ofKind(findings, "unknown"), ...ofKind(findings, "refused")]).toEqual([]);
  });

  it("of EB-ALFRED is not taken for Navigation", () => {
    const { findings } = read("base_urls: x, eval_set: base, resolution: 500, max_env_steps: 30");
    expect(ofKind(findings, "refused")).toMatchObject([
      {
        key: "envs[0].name",
        remark: expect.stringMatching(
          /^envs\[0\]\.name is "RemoteEnv" with the options of EB-ALFRED, but the studio has no such environment\./,
        ),
      },
    ]);
  });

  it("whose options say nothing is refused", () => {
    const { findings } = read("base_urls: x, task: maze");
    expect(ofKind(findings, "refused")).toMatchObject([
      { remark: expect.stringMatching(/^envs\[0\]\.name is "RemoteEnv", but the studio has/) },
    ]);
  });
});

describe("options of VAGEN's client", () => {
  const CLIENT =
    "base_urls: x, url_file: f, timeout: 120, retries: 6, backoff: 2.0, max_delay: 64.0, backoff_jitter_min: 0.7, backoff_jitter_range: 0.6, log_retries: true, failover_after_failures: 4, token: SECRET-123";

  it.each(["eval_set: base", "env_id: AlignTwoCube", "dino_weight: 5.0"])(
    "are known beside { %s }",
    (own) => {
      const { findings } = read(`${CLIENT}, ${own}`);
      expect(ofKind(findings, "unknown")).toEqual([]);
      for (const option of CLIENT.split(", ").map((one) => one.split(":")[0]!))
        expect(byKey(findings, option), option).toMatchObject({ kind: "ignored" });
    },
  );

  it.each(["eval_set: base", "task: maze", "max_env_steps: 9"])("never show the key: { %s }", (own) => {
    const imported = read(`${CLIENT}, ${own}`);
    expect(byKey(imported.findings, "token")).toMatchObject({ value: "(hidden)" });
    expect(JSON.stringify(imported) + reportText(imported)).not.toContain("SECRET");
  });
});

it("takes the λ of tokens for a number, not for a secret", () => {
  const { config } = importVagen([], { overrides: ["algorithm.lambda_token=0.9"], generation: "lite" });
  expect(config.algorithm.lambda_token).toBe(0.9);
});

describe("keys of services", () => {
  it("are hidden wherever a file has them", () => {
    const imported = importVagen(
      [
        {
          name: "eval.yaml",
          text: [
            "envs: [{ name: Sokoban, n_envs: 4, tag_id: a, config: { token: SECRET-1, nested: [{ api_key: SECRET-2 }] } }]",
            "run: { backend: openai }",
            "backends: { openai: { api_key: SECRET-3, model: small } }",
            `also: "\${backends.openai.api_key}"`,
          ].join("\n"),
        },
        {
          name: "run.sh",
          text: "python3 -m vagen.training.main ray.env.WANDB_API_KEY=SECRET-4 algorithm.gamma=0.9",
        },
        {
          name: "dataset.yaml",
          text: "a: { env_name: sokoban, env_config: { token: SECRET-5 } }",
        },
      ],
      { overrides: ["huggingface_hub.token=SECRET-6"] },
    );
    expect(JSON.stringify(imported) + reportText(imported)).not.toContain("SECRET");
    expect(imported.findings.filter(({ value }) => value === "(hidden)").map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        "backends.openai.api_key",
        "also",
        "ray.env.WANDB_API_KEY",
        "huggingface_hub.token",
      ]),
    );
    expect(imported.config.algorithm.gamma).toBe(0.9);
  });
});

it("rewards for claims begin above a score of 0.334, unless a file says otherwise", () => {
  const base = (state: string) =>
    read(`render_mode: vision, state_reward: { ${state} }`, "Sokoban").config.reward.score_base;
  expect(base("state_estimation: { enable: true, reward: 0.05 }")).toBe(0.334);
  expect(base("transition_prediction: { enable: true, reward: 0.05 }, score_base: 0.625")).toBe(0.625);
  expect(base("state_estimation: { enable: false, reward: 0.05 }")).toBe(0);
});

it("rewards for claims belong to Sokoban alone", () => {
  const state = "state_reward: { score_base: 0.5, state_estimation: { enable: true, reward: 0.1 } }";
  const { config, findings } = read(`render_mode: vision, ${state}`, "FrozenLake");
  expect(config.reward.use_state_reward).toBe(false);
  expect(byKey(findings, "state_reward.score_base")).toMatchObject({
    kind: "ignored",
    remark: "Only VAGEN's Sokoban has rewards for claims.",
  });
  expect(read(`render_mode: vision, ${state}`, "Sokoban").config.reward).toMatchObject({
    use_state_reward: true,
    score_base: 0.5,
  });
});
