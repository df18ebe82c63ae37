import { expect, it } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import type { PlayRules } from "../../worker/onnx-protocol.ts";
import { rulesOfPlay } from "./play-rules.ts";

const own: PlayRules = { judge: { name: "rule", scoring: "cells", tolerance: 0 }, turns: 5 };
const run = (parts: object) =>
  RunConfig.parse({
    rollout: { max_turns: 3 },
    reward: { judge_scoring: "exact_f1", rubric_tolerance: 1 },
    ...parts,
  });

it("has the judge and the turns of an opened file, and says so", () => {
  expect(rulesOfPlay(run({}), own, true)).toEqual({
    rules: own,
    words:
      "Judge and turns are those of the file: the rule “The studio's own: share of right cells”, and at most 5 turns.",
  });
});

it("has those of the run on screen for a bundled policy", () => {
  const { rules, words } = rulesOfPlay(run({}), own, false);
  expect(rules).toEqual({ judge: { name: "rule", scoring: "exact_f1", tolerance: 1 }, turns: 3 });
  expect(words).toBe(
    "Judge and turns are those of the configuration: the rule “F1 of directions, exact”, and at most 3 turns.",
  );
  const off = rulesOfPlay(run({ judge: { name: "off" } }), own, false);
  expect(off.words).toBe("Judge and turns are those of the configuration: no judge, and at most 3 turns.");
});

it("has no more turns than the policy was trained for, and no model as a judge", () => {
  const { rules, words } = rulesOfPlay(
    run({ rollout: { max_turns: 8 }, judge: { name: "llm" } }),
    own,
    false,
  );
  expect(rules.turns).toBe(5);
  expect(words).toBe(
    "The judge is that of the configuration: the rule “F1 of directions, exact” instead of “Language model”, which judges runs only. An episode has at most 5 turns instead of 8, because the policy was trained for no more.",
  );
});
