import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
import { RunConfig } from "../run-config.ts";
import { unpaidJudge } from "./unpaid-judge.ts";

const found = (name: string, use_state_reward: boolean) =>
  unpaidJudge(RunConfig.parse({ judge: { name }, reward: { use_state_reward } }));

test("a model whose verdicts pay nothing is named with the setting that would pay them", () => {
  const unpaid = found("llm", false)!;
  expect(plainText(unpaid.message)).toBe(
    'judge.name is "llm", so a model is asked about the claims of every turn, but its verdicts pay nothing, because reward.use_state_reward is off.',
  );
  expect(plainText(unpaid.hint)).toBe(
    'Turn on reward.use_state_reward, or set judge.name to "rule" if the metrics of the rule are enough.',
  );
});

test.each([
  ["llm", true],
  ["rule", false],
  ["recorded", false],
  ["off", false],
])("nothing is said with %s where verdicts pay: %s", (name, pays) => {
  expect(found(name, pays)).toBeNull();
});
