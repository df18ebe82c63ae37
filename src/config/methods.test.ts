import { describe, expect, it } from "vitest";
import { estimators } from "../rl/advantage/index.ts";
import { applyChanges } from "./changes.ts";
import { inspectRunConfig } from "./check.ts";
import { methodOf, methods, PAPER_METHODS } from "./methods.ts";
import { getPreset } from "./presets.ts";
import { importVagen } from "./vagen/import.ts";

const FORMATS = ["no_think", "free_think", "grounding", "worldmodeling", "grounding_worldmodeling"];

describe("methods", () => {
  it("are those of the comparison, in its order", () => {
    expect(methods.ids).toEqual([...PAPER_METHODS, "bi-level-2026", "turn-gspo-2026"]);
    const used = methods.all.map(({ changes }) => changes["algorithm.adv_estimator"]);
    const ofPaper = ["gae", "grpo", "turn_wise_gae", "masked_gae", "bi_level_gae", "bi_level_gae"];
    expect(used).toEqual([...ofPaper, "bi_level_gae_variable_clock", "turn_level_gae"]);
    for (const id of used) expect(() => estimators.get(String(id))).not.toThrow();
  });

  it("set the same switches, so that one laid over another leaves nothing of it", () => {
    const switches = ["rollout.use_loss_mask", "rollout.use_gae_mask", "rollout.use_multi_turn_reward"];
    const always = [
      ...switches,
      "rollout.n_trajectory",
      "algorithm.adv_estimator",
      "actor.loss_mode",
      "reward.use_state_reward",
    ];
    for (const { id, changes } of methods.all)
      expect(Object.keys(changes), id).toEqual(expect.arrayContaining(always));
  });

  it.each(["frozenlake-nano", "sokoban-nano", "frozenlake-small", "sokoban-small"])(
    "make a sound run of %s in every format",
    (preset) => {
      for (const { changes } of methods.all)
        for (const format of FORMATS) {
          const config = applyChanges(getPreset(preset).config, {
            ...changes,
            "rollout.prompt_format": format,
          });
          expect(inspectRunConfig(config).problems).toEqual([]);
        }
    },
  );

  it("are recognised in the presets whose recipe they are, whatever the losses are averaged over", () => {
    const known = [
      "frozenlake-nano",
      "frozenlake-small",
      "sokoban-nano",
      "sokoban-small",
      "sokoban-recipe-nano",
    ];
    const ids = known.map((id) => methodOf(getPreset(id).config)?.id);
    // The recipe of 2026 has another estimator than any method of the comparison.
    expect(ids).toEqual(["vagen-full", "vagen-full", "vagen-full", "vagen-full", undefined]);
  });

  it("are recognised in the configurations that they make, and no longer when a setting was changed", () => {
    const { config } = getPreset("frozenlake-nano");
    for (const method of methods.all) {
      const laid = applyChanges(config, method.changes);
      expect(methodOf(laid)).toBe(method);
      const rewarded = method.changes["reward.use_state_reward"];
      expect(methodOf(applyChanges(laid, { "actor.loss_mode": "gpg" }))).toBe(undefined);
      expect(methodOf(applyChanges(laid, { "reward.use_state_reward": !rewarded }))?.id).not.toBe(method.id);
    }
  });

  it("average losses alike; those of 2026 say that VAGEN's files of then do not", () => {
    const { critic } = importVagen([], { overrides: ["trainer.harness=concat"] }).config;
    expect(critic.loss_agg_mode).toBe("token-mean");
    for (const { id, description, changes } of methods.all) {
      expect(changes["critic.loss_agg_mode"], id).toBe("seq-mean-token-mean");
      expect(/VAGEN's files of 2026 average .*all tokens/.test(description), id).toBe(id.endsWith("-2026"));
    }
  });

  it("differ from VAGEN-Full as the paper's table says", () => {
    const full = methods.get("vagen-full").changes;
    const differs = (id: string) =>
      Object.entries(methods.get(id).changes)
        .filter(([path, value]) => full[path] !== value)
        .map(([path]) => path);
    expect(differs("bi-level")).toEqual(["reward.use_state_reward"]);
    expect(differs("vagen-base")).toEqual([
      "rollout.use_multi_turn_reward",
      "algorithm.adv_estimator",
      "reward.use_state_reward",
    ]);
  });
});
