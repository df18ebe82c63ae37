import { describe, expect, test } from "vitest";
import { applyChanges, applyClassOf, continuedConfig, diffConfigs, getPath, setPath } from "./changes.ts";
import { checkedRunConfig } from "./check.ts";

const config = checkedRunConfig({});

describe("paths", () => {
  test("read and set without touching the original", () => {
    const changed = setPath(config, "actor.lr", 1);
    expect(getPath(changed, "actor.lr")).toBe(1);
    expect(getPath(config, "actor.lr")).toBe(4e-4);
    expect(getPath(config, "actor.none.deeper")).toBeUndefined();
  });

  test("are checked together, not one by one", () => {
    const wide = applyChanges(config, {
      "model.hidden_size": 96,
      "model.num_attention_heads": 3,
      "model.num_key_value_heads": 3,
    });
    expect(wide.model).toMatchObject({ hidden_size: 96, num_attention_heads: 3 });
    expect(() => applyChanges(config, { "model.num_attention_heads": 3 })).toThrow(
      "model.num_attention_heads is 3",
    );
    expect(() => applyChanges(config, { actor: 5 })).toThrow('no setting "actor"');
  });

  test("another environment starts from its own options", () => {
    const sokoban = applyChanges(config, { "env.config.num_boxes": 2, "env.name": "sokoban" });
    expect(sokoban.env).toMatchObject({ name: "sokoban", config: { num_boxes: 2, dim_room: [6, 6] } });
    expect(sokoban.env.config).not.toHaveProperty("p");
  });

  test("a difference is one entry for each value", () => {
    const other = applyChanges(config, { "actor.lr": 1e-4, "env.config.size": 5 });
    expect(diffConfigs(config, other)).toEqual([
      { path: "env.config.size", from: 4, to: 5 },
      { path: "actor.lr", from: 4e-4, to: 1e-4 },
    ]);
    expect(diffConfigs(config, structuredClone(config))).toEqual([]);
    const several = applyChanges(config, { envs: { sokoban: { weight: 2 } } });
    const more = applyChanges(several, {
      "envs.sokoban.weight": 3,
      "trainer.val_sets": { more: { seeds: "7" } },
    });
    expect(diffConfigs(several, more)).toEqual([
      { path: "envs", from: several.envs, to: more.envs },
      { path: "trainer.val_sets", from: {}, to: more.trainer.val_sets },
    ]);
    expect(diffConfigs(several, more).map(({ path }) => applyClassOf(path))).toEqual(["restart", "restart"]);
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

describe("a run that goes on", () => {
  test("can be longer, and changes what needs no new run", () => {
    const longer = continuedConfig(config, { "trainer.total_updates": 120, "actor.lr": 1e-4 });
    expect([longer.trainer.total_updates, longer.actor.lr]).toEqual([120, 1e-4]);
    expect(continuedConfig(config, {})).toBe(config);
  });

  test.each([
    [{ "model.hidden_size": 64 }, "model.hidden_size cannot become 64 in a run that continues."],
    [{ "trainer.total_updates": -1 }, "trainer.total_updates is -1"],
    [{ "trainer.total": 1 }, 'no setting "trainer.total"'],
  ])("%o is refused", (changes, message) => {
    expect(() => continuedConfig(config, changes)).toThrow(message);
  });
});
