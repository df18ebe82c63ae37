import { expect, test } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import { checkedRunConfig } from "../config/check.ts";
import { consecutive } from "../config/seeds.ts";
import { loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { longestEpisode, longestOf } from "./longest-episode.ts";
import { buildTask } from "./task.ts";

await Promise.all([loadEnv("visual-math"), loadEnv("svg")]);

const REPLY = 48;

const taskOf = (config: object) =>
  buildTask(
    checkedRunConfig({
      env: { name: "visual-math", config: { difficulty: "hard", max_answer: 60, ...config } },
      rollout: { prompt_format: "boxed", max_turns: 4, response_length: REPLY },
      judge: { name: "off" },
    }),
  );

const episodes = trainingEpisodes({
  seeds: consecutive(1, 10000),
  runSeed: 1,
  update: 1,
  count: 60,
  perLevel: 1,
});
const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: REPLY, seed: 1 };

test.each([
  { render_mode: "vision" },
  { render_mode: "text" },
  { grid_size: 8 },
  { tools: false, difficulty: "easy" },
])("no episode with %j is longer than what memory is planned for", async (config) => {
  const task = taskOf(config);
  const bound = longestEpisode(task, REPLY).sequence;
  // Every turn the longest reply that there may be: an answer, a call that is refused, or one that is answered.
  for (const reply of [
    "<think>guess</think>\\boxed{99}",
    "<tool_call>{",
    '<think>measure A B</think><tool_call>{"name": "measure", "arguments": {"from": "A", "to": "B"}}</tool_call>',
  ]) {
    const ids = task.vocabulary.encode(reply);
    const padded = Int32Array.from({ length: REPLY }, (_, i) => ids[i] ?? task.vocabulary.eos);
    const policy = scriptedPolicy(() => padded);
    const played = await rollout({ task, policy, episodes, sampling });
    const longest = Math.max(...played.map(({ tokens }) => tokens.ids.length));
    expect(longest).toBeLessThanOrEqual(bound);
    expect(longest).toBeGreaterThan(bound * 0.8);
  }
});

test.each([
  ["concat", 0],
  ["no_concat", 1],
])("memory is planned for both pictures of a turn, under %s", async (harness, window_size) => {
  const task = buildTask(
    checkedRunConfig({
      env: { name: "svg", config: { resolution: 32, show_target: true } },
      rollout: {
        prompt_format: "no_think",
        max_turns: 3,
        response_length: REPLY,
        ...(window_size && { window_size }),
      },
      judge: { name: "off" },
      trainer: { harness },
    }),
  );
  const reply = task.vocabulary.encode(
    '<answer><svg viewBox="0 0 64 64"><rect x="8" y="8" width="8" height="8" fill="red"/></svg></answer><eos>',
  );
  const bound = longestEpisode(task, reply.length);
  const policy = scriptedPolicy(() => reply);
  const played = await rollout({ task, policy, episodes: episodes.slice(0, 2), sampling });
  for (const { tokens, turns } of played) {
    expect(turns.map(({ observation }) => observation.images.length)).toEqual([1, 2, 2]);
    const spans = tokens.sequences ?? [{ from: 0, to: tokens.ids.length }];
    const longest = Math.max(...spans.map(({ from, to }) => to - from));
    expect(longest).toBeLessThanOrEqual(bound.sequence);
    expect(tokens.ids.length).toBeLessThanOrEqual(bound.tokens);
    // The first turn of an episode has one picture less than the plan, and "after a drawing" may be longer than what is said.
    expect(longest).toBeGreaterThan(bound.sequence - 2 * task.imageTokens);
  }
});

test("the longest of several tasks has the most of each number, from whichever task", () => {
  const whole = taskOf({});
  const split = { ...whole, layout: { kind: "no_concat", historyTurns: 0 } } as const;
  const [one, several] = [whole, split].map((task) => longestEpisode(task, REPLY));
  expect(one!.sequence).toBeGreaterThan(several!.sequence);
  expect(one!.tokens).toBeLessThan(several!.tokens);
  expect(longestOf([whole, split], REPLY)).toEqual({
    sequence: one!.sequence,
    tokens: several!.tokens,
    sequences: 4,
  });
});
