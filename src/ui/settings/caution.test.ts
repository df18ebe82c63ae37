import { expect, test } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import { cautionBeforeStart, cautionFor } from "./caution.ts";

test("shared levels are shown beside the training seeds, in the words of the form", () => {
  const draft = RunConfig.parse({ trainer: { train_seeds: "1-20", val_seeds: "20-23" } });
  expect(cautionFor("trainer.train_seeds", draft)).toMatch(
    /^Training also plays 1 of the 4 levels of the validation, .*out of “Training seeds”, or use others for “Validation seeds”/,
  );
  expect(cautionFor("trainer.val_seeds", draft)).toBe("");
  expect(cautionFor("rollout.max_turns", draft)).toBe("");
  expect(cautionFor("trainer.train_seeds", RunConfig.parse({}))).toBe("");
  expect(cautionBeforeStart(draft)).toEqual({
    text: expect.stringMatching(/^Training also plays 1 of the 4 levels .* never played\.$/),
    path: "trainer.train_seeds",
  });
  expect(cautionBeforeStart(RunConfig.parse({}))).toBeNull();
});

test("too few turns for two rooms are shown beside the turns", () => {
  const draft = RunConfig.parse({ env: { name: "spatial-gym", config: { rooms: 2 } } });
  expect(cautionFor("rollout.max_turns", draft)).toMatch(
    /^“Turns per episode” is 5, but .* about 10 turns, .* Set “Turns per episode” to at least 10\.$/,
  );
});

test("a model whose verdicts pay nothing is shown beside the judge, and before a start", () => {
  const draft = RunConfig.parse({ judge: { name: "llm" }, reward: { use_state_reward: false } });
  expect(cautionFor("judge.name", draft)).toMatch(
    /^“Judge” is “Language model”, .* because “Reasoning reward” is off\. Turn on “Reasoning reward”, or set “Judge” to “Rule \(exact and free\)”/,
  );
  expect(cautionBeforeStart(draft)).toEqual({
    text: expect.stringMatching(/so a model is asked whether claims are true, .* is off\.$/),
    path: "judge.name",
  });
});
