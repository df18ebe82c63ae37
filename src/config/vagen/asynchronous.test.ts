// Asynchronous trainers: veRL's and VAGEN's keys become the studio's limits, and are written again.
import { describe, expect, test } from "vitest";
import { checkedRunConfig } from "../check.ts";
import { RunConfig } from "../run-config.ts";
import { exportVagen, trainedOtherwise } from "./export.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";

const limits = (...overrides: string[]) => {
  const { config, findings } = importVagen([], { overrides });
  expect([...ofKind(findings, "unknown"), ...ofKind(findings, "refused")]).toEqual([]);
  const { max_head_offpolicyness: staleness, max_inflight_steps: steps } = config.rollout;
  return { staleness, steps };
};

const ASYNC = ["trainer.use_v1=True", "trainer.v1.trainer_mode=colocate_async"];

describe("the asynchronous trainer", () => {
  test.each([
    ["without a threshold has veRL's", ASYNC, { staleness: 8, steps: 2 }],
    [
      "with a threshold",
      [...ASYNC, "trainer.v1.sampler.max_off_policy_threshold=3"],
      { staleness: 3, steps: 2 },
    ],
    [
      "with a threshold above the studio's",
      [...ASYNC, "trainer.v1.sampler.max_off_policy_threshold=99"],
      { staleness: 16, steps: 2 },
    ],
    ["with a limit of steps", [...ASYNC, "trainer.v1.max_inflight_steps=4"], { staleness: 8, steps: 4 }],
    [
      "that is synchronous",
      ["trainer.use_v1=True", "trainer.v1.trainer_mode=sync"],
      { staleness: 0, steps: 2 },
    ],
    ["that is off", ["trainer.use_v1=False"], { staleness: 0, steps: 2 }],
  ])("%s", (_, overrides, want) => expect(limits(...overrides)).toEqual(want));

  test("is written with both limits, and read again as the same", () => {
    const config = RunConfig.parse({ rollout: { max_head_offpolicyness: 3, max_inflight_steps: 4 } });
    const { rollout } = importVagen(exportVagen(config, "lite")).config;
    expect(rollout).toMatchObject({ max_head_offpolicyness: 3, max_inflight_steps: 4 });
  });

  test("is not written for a run that plays and trains in turn", () => {
    const texts = exportVagen(RunConfig.parse({}), "lite").map(({ text }) => text);
    expect(texts.join("\n")).not.toContain("use_v1");
  });
});

describe("the correction for tokens of an older policy", () => {
  const CORRECTION = "algorithm.rollout_correction";
  const read = (...lines: string[]) =>
    importVagen([], { overrides: [...ASYNC, ...lines.map((line) => `${CORRECTION}.${line}`)] });
  const weights = ({ config }: ReturnType<typeof read>) => {
    const { use_decoupled_loss, behav_imp_weight_mode, behav_imp_weight_cap } = config.actor;
    return [use_decoupled_loss, behav_imp_weight_mode, behav_imp_weight_cap];
  };
  const kindOf = ({ findings }: ReturnType<typeof read>, name: string) =>
    findings.find(({ key }) => key === `${CORRECTION}.${name}`)?.kind;

  test("by weights of tokens is the decoupled objective, with veRL's threshold or the files'", () => {
    expect(weights(read("rollout_is=token"))).toEqual([true, "clamp", 2]);
    expect(weights(read("rollout_is=token", "rollout_is_threshold=3.5"))).toEqual([true, "clamp", 3.5]);
    expect(ofKind(read("rollout_is=token").findings, "assumed")).toContainEqual(
      expect.objectContaining({ key: `${CORRECTION}.rollout_is_threshold`, ours: 2 }),
    );
  });

  test.each([
    ["rollout_is", ["rollout_is=sequence"]],
    ["rollout_is", ["rollout_is=token", 'rollout_is_threshold="lo_hi"']],
    ["rollout_rs", ["rollout_rs=token_k1", "rollout_rs_threshold=2"]],
    ["bypass_mode", ["bypass_mode=true"]],
  ])("that the studio lacks is unsupported: %s of %j", (name, lines) => {
    const imported = read(...lines);
    expect(kindOf(imported, name)).toBe("unsupported");
    expect(weights(imported)).toEqual([false, "mask", 5]);
    expect(ofKind(imported.findings, "unknown")).toEqual([]);
  });

  test("without a mean of its weights is all that the studio has", () => {
    const imported = read("rollout_is=token", "rollout_is_batch_normalize=true");
    expect(kindOf(imported, "rollout_is_batch_normalize")).toBe("unsupported");
    expect(weights(imported)).toEqual([true, "clamp", 2]);
  });

  test("weighs nothing where the ratio is relative to the policy that sampled", () => {
    const imported = read("rollout_is=token", "bypass_mode=true");
    expect(weights(imported)).toEqual([false, "mask", 5]);
    expect(kindOf(imported, "rollout_is")).toBe("ignored");
  });

  test("has nothing to correct where each batch is played by the policy that it trains", () => {
    const lines = ["rollout_is=token", "rollout_rs=token_k1", "bypass_mode=true"];
    const overrides = lines.map((line) => `${CORRECTION}.${line}`);
    const imported = importVagen([], { generation: "lite", overrides });
    expect(weights(imported)).toEqual([false, "mask", 5]);
    for (const name of ["rollout_is", "rollout_rs", "bypass_mode"])
      expect(imported.findings).toContainEqual(
        expect.objectContaining({
          kind: "ignored",
          key: `${CORRECTION}.${name}`,
          remark: expect.stringContaining("no mismatch to correct"),
        }),
      );
  });

  test("is written where veRL has it, with the log-probabilities that it needs, and comes back", () => {
    const run = (behav_imp_weight_mode: "clamp" | "mask") =>
      checkedRunConfig({
        rollout: { max_head_offpolicyness: 3 },
        actor: { use_decoupled_loss: true, behav_imp_weight_mode, behav_imp_weight_cap: 4 },
      });
    const texts = (config: RunConfig) => exportVagen(config, "lite").map(({ text }) => text);
    const [trainer] = texts(run("clamp"));
    expect(trainer).toMatch(/^ +rollout_is: token$/m);
    expect(trainer).toMatch(/^ +rollout_is_threshold: 4$/m);
    expect(trainer).toMatch(/^ +calculate_log_probs: true$/m);
    expect(trainedOtherwise(run("clamp"), "lite").map(({ path }) => path)).not.toContain(
      "actor.use_decoupled_loss",
    );
    expect(texts(run("mask")).join("\n")).not.toContain("rollout_correction");
    expect(trainedOtherwise(run("mask"), "lite").map(({ path }) => path)).toContain(
      "actor.use_decoupled_loss",
    );
    for (const mode of ["clamp", "mask"] as const)
      expect(importVagen(exportVagen(run(mode), "lite")).config).toEqual(run(mode));
  });
});

test.each([
  ["true", "unsupported"],
  ["false", "ignored"],
])("resampling by rewards that is %s is %s", (value, kind) => {
  const { findings } = importVagen([], { overrides: [`algorithm.use_pf_ppo=${value}`] });
  expect(findings).toContainEqual(expect.objectContaining({ key: "algorithm.use_pf_ppo", kind }));
});
