import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfigInput } from "../config/run-config.ts";
import { buildTask } from "../run/task.ts";
import { layoutWarnings } from "./layout-warnings.ts";

const codesOf = (input: RunConfigInput) => {
  const config = checkedRunConfig(input);
  return layoutWarnings(config, buildTask(config)).map(({ code }) => code);
};
const compact = (trainer: RunConfigInput["trainer"], rollout: RunConfigInput["rollout"] = {}) =>
  codesOf({ rollout, trainer: { harness: "compact", ...trainer } });

test("budgets that do what they are for need no warning", () => {
  expect(codesOf({})).toEqual([]);
  expect(compact({ compact_budget: 200 })).toEqual([]);
  expect(codesOf({ rollout: { max_episode_tokens: 280 } })).toEqual([]);
});

test("an episode whose replies can exceed the room of its only conversation is reported", () => {
  // Five replies of 56 tokens.
  expect(codesOf({ rollout: { max_episode_tokens: 279 } })).toEqual(["layout_room"]);
});

test("a summary that fills half a conversation is reported", () => {
  expect(compact({ compact_budget: 100, compact_summary_budget: 51 })).toEqual(["layout_summary"]);
  expect(compact({ compact_budget: 100, compact_summary_budget: 50 })).toEqual([]);
});

test("a budget that no episode reaches is reported, unless the room closes conversations", () => {
  // Five turns of 16 + 4 + 56 tokens.
  expect(compact({ compact_budget: 381 })).toEqual(["layout_never_closes"]);
  expect(compact({ compact_budget: 380 })).toEqual([]);
  expect(compact({ compact_budget: 5000 }, { max_episode_tokens: 300 })).toEqual([]);
});

test("each environment of a run is checked, and named", () => {
  const input = {
    envs: { long: { name: "sokoban", max_turns: 8 }, short: { name: "sokoban", max_turns: 2 } },
  } satisfies RunConfigInput;
  const textsOf = (more: RunConfigInput) => {
    const config = checkedRunConfig({ ...input, ...more });
    return layoutWarnings(config, buildTask(config)).map(({ message, hint }) => `${message} ${hint}`);
  };
  // Replies of 56 tokens: 5, 8 and 2 of them.
  const room = textsOf({ rollout: { max_episode_tokens: 400 } });
  expect(room).toEqual([expect.stringMatching(/^long: .* in 8 turns .*envs\.long\.max_turns/)]);
  expect(textsOf({ rollout: { max_episode_tokens: 200 } })).toEqual([
    expect.stringMatching(/^frozenlake: .* in 5 turns .*rollout\.max_turns/),
    expect.stringMatching(/^long: /),
  ]);
  expect(textsOf({ rollout: { max_episode_tokens: 448 } })).toEqual([]);
});
