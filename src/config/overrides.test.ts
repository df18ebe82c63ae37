import { describe, expect, test } from "vitest";
import { parseOverride } from "./overrides.ts";

describe("overrides", () => {
  test.each([
    ["actor.lr=1e-4", "actor.lr", 1e-4],
    ["name=a = b", "name", "a = b"],
    ["trainer.val_seeds=7", "trainer.val_seeds", "7"],
    ["trainer.val_seeds=1e3", "trainer.val_seeds", "1e3"],
    ["envs.stack.val_seeds=7", "envs.stack.val_seeds", "7"],
    ["trainer.val_size=7", "trainer.val_size", 7],
    ["reward.use_state_reward=false", "reward.use_state_reward", false],
    ["env.config.min_solution_steps=[1, 5]", "env.config.min_solution_steps", [1, 5]],
  ])("%s is read as YAML", (text, path, value) => {
    expect(parseOverride(text)).toEqual({ path, value });
  });

  test.each([
    ["actor.lr", "is not a setting", "--set actor.lr=1e-4"],
    ["actor.lrr=1", 'no setting "actor.lrr"', 'Did you mean "actor.lr"?'],
    ["actor.learning_rate=1e-4", 'no setting "actor.learning_rate"', 'Did you mean "actor.lr"?'],
    ["size=6", 'no setting "size"', 'Did you mean "env.config.size"?'],
    ["max_turns=3", 'no setting "max_turns"', 'Did you mean "rollout.max_turns"?'],
    ["actor.lr=[1", "cannot be read", "Quote it"],
    [`actor.lr=${"? ".repeat(472)}`, "a key is not a plain word", "Quote it"],
  ])("%s is refused", (text, message, hint) => {
    expect(() => parseOverride(text)).toThrow(message);
    expect(() => parseOverride(text)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) }),
    );
  });
});
