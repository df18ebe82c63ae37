import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
import { RunConfig } from "../run-config.ts";
import { unpaidJudge } from "./unpaid-judge.ts";

const found = (changes: object) =>
  unpaidJudge(RunConfig.parse({ judge: { name: "llm" }, reward: { use_state_reward: false }, ...changes }));

test("a model whose verdicts pay nothing is named with the setting that would pay them", () => {
  const unpaid = found({})!;
  expect(plainText(unpaid.message)).toBe(
    'judge.name is "llm", so a model is asked whether claims are true, but its verdicts pay nothing, because reward.use_state_reward is off.',
  );
  expect(plainText(unpaid.hint)).toBe(
    'Turn on reward.use_state_reward, or set judge.name to "rule" if the metrics of the rule are enough.',
  );
});

test.each([
  ["verdicts pay", { reward: { use_state_reward: true } }],
  ["a term of an extension may read them", { reward: { use_state_reward: false, weights: { own: 0.1 } } }],
  ["the format has no claims for a model", { rollout: { prompt_format: "free_think" } }],
  ["a rule judges", { judge: { name: "rule" } }],
  ["verdicts were recorded", { judge: { name: "recorded" } }],
  ["nothing is judged", { judge: { name: "off" } }],
])("nothing is said where %s", (_, changes) => {
  expect(found(changes)).toBeNull();
});
