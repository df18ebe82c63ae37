import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
import { inspectRunConfig } from "../check.ts";
import type { RunConfigInput } from "../run-config.ts";

const problemsOf = (rollout: RunConfigInput["rollout"], trainer: RunConfigInput["trainer"]) =>
  inspectRunConfig({ rollout, trainer: { harness: "compact", ...trainer } }).problems;

test.each([
  [{}, { compact_budget: 0 }, "trainer.compact_budget", "needs a limit", 400],
  [
    { response_length: 20 },
    { compact_summary_budget: 21 },
    "trainer.compact_summary_budget",
    "at most 20",
    20,
  ],
  // 38 for the summary, 3 for its request, 56 for a reply, 20 for an observation of 16 patches, 38 for another reply.
  [{ max_episode_tokens: 56 }, { compact_budget: 0 }, "rollout.max_episode_tokens", "155 tokens", 155],
  [{}, { compact_budget: 23 }, "trainer.compact_budget", "about 23 tokens", 156],
  [{ max_head_offpolicyness: 1 }, {}, "rollout.max_head_offpolicyness", "not played ahead", 0],
] as const)("%j with %j is refused", (rollout, trainer, path, words, nearest) => {
  const [problem] = problemsOf(rollout, trainer);
  expect(problem).toMatchObject({ path, fix: { path, value: nearest } });
  expect(plainText(problem!.expected)).toContain(words);
  // The fix solves it.
  const [section, name] = path.split(".") as ["rollout" | "trainer", string];
  const fixed = { rollout: { ...rollout }, trainer: { ...trainer } };
  Object.assign(fixed[section], { [name]: nearest });
  expect(problemsOf(fixed.rollout, fixed.trainer)).toEqual([]);
});

test("claims are paid at the end of their turn", () => {
  const { problems } = inspectRunConfig({
    rollout: { prompt_format: "grounding" },
    reward: { use_state_reward: true, credit_site: "section_end" },
    trainer: { harness: "compact" },
  });
  expect(problems).toMatchObject([{ path: "reward.credit_site", fix: { value: "turn_end" } }]);
});

test("budgets wait for the layout, and the other layouts do not read them", () => {
  const trainer = { compact_budget: 0, compact_summary_budget: 2048 };
  for (const harness of ["concat", "no_concat"] as const)
    expect(problemsOf({}, { harness, ...trainer })).toEqual([]);
});

test("AReaL's workflow shows the whole episode, and estimators without masks see nothing twice", () => {
  const areal = inspectRunConfig({
    env: { name: "visual-math" },
    rollout: { workflow: "areal", prompt_format: "boxed" },
    reward: { scale_by_turns: false },
    trainer: { harness: "compact" },
  }).problems;
  expect(areal.map(({ path }) => path)).toContain("trainer.harness");
  const unmasked = inspectRunConfig({
    algorithm: { adv_estimator: "gae" },
    trainer: { harness: "compact" },
  }).problems;
  expect(unmasked).toMatchObject([{ path: "algorithm.adv_estimator", fix: { value: "masked_gae" } }]);
});
