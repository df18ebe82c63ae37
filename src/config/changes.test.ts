import { describe, expect, test } from "vitest";
import {
  applyChanges,
  applyClassOf,
  applyOverrides,
  diffConfigs,
  getPath,
  parseOverride,
  setPath,
} from "./changes.ts";
import { checkedRunConfig } from "./check.ts";

const config = checkedRunConfig({});

describe("paths", () => {
  test("read and set without touching the original", () => {
    const changed = setPath(config, "actor.lr", 1);
    expect(getPath(changed, "actor.lr")).toBe(1);
    expect(getPath(config, "actor.lr")).toBe(4e-4);
    expect(getPath(config, "actor.none.deeper")).toBeUndefined();
  });

  test("a difference is one entry for each value", () => {
    const other = applyChanges(config, { "actor.lr": 1e-4, "env.config.size": 5 });
    expect(diffConfigs(config, other)).toEqual([
      { path: "env.config.size", from: 4, to: 5 },
      { path: "actor.lr", from: 4e-4, to: 1e-4 },
    ]);
    expect(diffConfigs(config, structuredClone(config))).toEqual([]);
    expect(diffConfigs({ a: [1, 2] }, { a: [1, 3], b: 1 })).toHaveLength(2);
  });

  test("know when a change takes effect", () => {
    expect(applyClassOf("actor.lr")).toBe("live");
    expect(applyClassOf("algorithm.gamma")).toBe("next");
    expect(applyClassOf("model.hidden_size")).toBe("restart");
    expect(applyClassOf("env.config.size")).toBe("restart");
    expect(() => applyClassOf("actor.lrr")).toThrow(
      expect.objectContaining({ hint: 'Did you mean "actor.lr"?' }),
    );
  });
});

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
