import { describe, expect, test } from "vitest";
import { checkedRunConfig } from "./check.ts";
import { applyOverrides, parseOverride } from "./overrides.ts";

const config = checkedRunConfig({});

describe("overrides", () => {
  test.each([
    ["actor.lr=1e-4", "actor.lr", 1e-4],
    ["name=a = b", "name", "a = b"],
    ["reward.use_state_reward=false", "reward.use_state_reward", false],
    ["env.config.min_solution_steps=[1, 5]", "env.config.min_solution_steps", [1, 5]],
  ])("%s is read as YAML", (text, path, value) => {
    expect(parseOverride(text)).toEqual({ path, value });
  });

  test.each([
    ["actor.lr", "is not a setting", "--set actor.lr=1e-4"],
    ["actor.lrr=1", 'no setting "actor.lrr"', 'Did you mean "actor.lr"?'],
    ["max_turns=3", 'no setting "max_turns"', 'Did you mean "rollout.max_turns"?'],
    ["actor.lr=[1", "cannot be read", "Quote it"],
  ])("%s is refused", (text, message, hint) => {
    expect(() => parseOverride(text)).toThrow(message);
    expect(() => parseOverride(text)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) }),
    );
  });

  test("are checked together, not one by one", () => {
    const wide = applyOverrides(config, [
      "model.hidden_size=96",
      "model.num_attention_heads=3",
      "model.num_key_value_heads=3",
    ]);
    expect(wide.model).toMatchObject({ hidden_size: 96, num_attention_heads: 3 });
    expect(() => applyOverrides(config, ["model.num_attention_heads=3"])).toThrow(
      "model.num_attention_heads is 3",
    );
    expect(() => applyOverrides(config, ["actor=5"])).toThrow('no setting "actor"');
  });

  test("another environment starts from its own options", () => {
    const sokoban = applyOverrides(config, ["env.config.num_boxes=2", "env.name=sokoban"]);
    expect(sokoban.env).toMatchObject({ name: "sokoban", config: { num_boxes: 2, dim_room: [6, 6] } });
    expect(sokoban.env.config).not.toHaveProperty("p");
  });
});
