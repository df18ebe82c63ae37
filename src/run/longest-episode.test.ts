import { expect, test } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { consecutive } from "../config/seeds.ts";
import { sequenceSpans } from "../core/token-sequences.ts";
import type { Trajectory } from "../core/types.ts";
import { loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { longestEpisode, longestOf } from "./longest-episode.ts";
import { buildTask } from "./task.ts";

await Promise.all([loadEnv("visual-math"), loadEnv("svg"), loadEnv("primitive-skill")]);

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

/** A task of an environment whose actions can be written in many ways. */
const freeTask = (name: string, response_length: number, harness = "concat") =>
  buildTask(
    checkedRunConfig({
      env: { name },
      rollout: {
        prompt_format: "no_think",
        max_turns: 4,
        response_length,
        ...(harness === "no_concat" && { window_size: 1 }),
      },
      judge: { name: "off" },
      trainer: { harness },
    }),
  );

/** An episode whose replies are all the same. */
async function playedWith(task: Task, reply: Int32Array) {
  const policy = scriptedPolicy(() => reply);
  const limits = { ...sampling, maxTokens: reply.length };
  const [played] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling: limits });
  return played!;
}

const longestSequence = ({ tokens, turns }: Trajectory): number =>
  Math.max(...sequenceSpans({ tokens, turns }).map(({ from, to }) => to - from));

// A skill may have numbers of any length: 1e20 is written with 21 digits. A wrong answer may be an expression.
test.each([
  ["visual-math", "sqrt(1/3+1/3+1/3+1/3+1/3+1/3+1/3)", "concat"],
  ["visual-math", "sqrt(1/3+1/3+1/3+1/3+1/3+1/3+1/3)", "no_concat"],
  ["primitive-skill", "push(1e20,1e20,1e20,1e20,1e20,1e20)", "concat"],
  ["primitive-skill", "push(1e20,1e20,1e20,1e20,1e20,1e20)", "no_concat"],
])(
  "names of actions of %s such as %s are cut to what memory is planned for, under %s",
  async (name, action, harness) => {
    const reply = freeTask(name, REPLY).vocabulary.encode(`<answer>${action}</answer><eos>`);
    const { plan, ...unplanned } = freeTask(name, reply.length, harness);
    const bound = longestEpisode(unplanned, reply.length).sequence;
    expect(longestSequence(await playedWith(unplanned, reply))).toBeGreaterThan(bound);
    const played = await playedWith({ ...unplanned, plan: plan! }, reply);
    expect(played.turns).toHaveLength(4);
    expect(longestSequence(played)).toBeLessThanOrEqual(bound);
  },
);

test.each(["concat", "no_concat", "compact"])(
  "the longest skills of a workspace are shown in full after replies at their limit, under %s",
  async (harness) => {
    const skills = ["push(-144,-164,120,-119,-119,120)", "push(-500,-600,650,-100,-200,650)"];
    const answer = `<answer>${skills.join("|")}</answer><eos>`;
    const reply = freeTask("primitive-skill", REPLY).vocabulary.encode(answer);
    const { turns } = await playedWith(freeTask("primitive-skill", reply.length, harness), reply);
    expect(turns).toHaveLength(4);
    for (const { observation } of turns.slice(1))
      expect(observation.text).toContain(` after ${skills.join(", ")} `);
  },
);

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
