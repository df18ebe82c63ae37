// AReaL's workflow on the studio's own questions, with the task and the sizes that a run would have.
import { describe, expect, it } from "vitest";
import { arealRollout } from "../agent/areal/rollout.ts";
import { trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch } from "../agent/players.ts";
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { consecutive } from "../config/seeds.ts";
import { loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { longestEpisode } from "../run/longest-episode.ts";
import { runSize } from "../run/size.ts";
import { buildTask } from "../run/task.ts";

await loadEnv("visual-math");

const config = (rollout: object = {}) =>
  checkedRunConfig({
    env: { name: "visual-math", config: { grid_size: 4, difficulty: "hard", max_answer: 12 } },
    rollout: { workflow: "areal", prompt_format: "boxed", max_turns: 4, response_length: 40, ...rollout },
    reward: { scale_by_turns: false },
    judge: { name: "off" },
  });
const episodes = trainingEpisodes({
  seeds: consecutive(1, 10000),
  runSeed: 5,
  update: 1,
  count: 60,
  perLevel: 1,
});
const demonstrations = (rollout: object = {}) =>
  demonstrationBatch({
    task: buildTask(config(rollout)),
    episodes,
    skill: { randomFraction: 0.6, expertFraction: 1 },
    oneTurn: false,
    seed: 2,
  });

describe("AReaL's workflow on visual-math", () => {
  it("tells a tool's answer after a call and the feedback after a wrong answer, and shows the picture once", async () => {
    const trajectories = await demonstrations();
    const told = trajectories.flatMap(({ turns }) =>
      turns.slice(1).map(({ observation }, k) => ({ text: observation.text, tool: turns[k]!.tool })),
    );
    const [calls, answers] = [told.filter(({ tool }) => tool), told.filter(({ tool }) => !tool)];
    expect(calls.length).toBeGreaterThan(3);
    expect(answers.length).toBeGreaterThan(3);
    for (const { text, tool } of calls)
      expect(text).toBe(`turn 2 tool ${tool!.result}`.replace("2", text[5]!));
    for (const { text } of answers) expect(text).toBe("wrong, try again");
    for (const { turns, tokens } of trajectories) {
      expect(turns.map(({ observation }) => observation.images.length)).toEqual(
        turns.map((_, k) => (k ? 0 : 1)),
      );
      expect(Array.from(tokens.imagePatch).filter((patch) => patch >= 0)).toHaveLength(16);
    }
  });

  it("pays 1 for a right first answer, turn_discount for the second, and ends there", async () => {
    const trajectories = await demonstrations({ turn_discount: 0.8 });
    for (const { turns, tokens, success, terminated } of trajectories) {
      const at = turns.findIndex(({ taskReward }) => taskReward > 0);
      expect(success).toBe(at >= 0);
      expect(terminated).toBe(success);
      if (success) expect(turns).toHaveLength(at + 1);
      const wanted = success ? Math.max(0.8 ** at, turns.length > 1 ? 0.1 : 0) : 0.1;
      expect(tokens.rewards.at(-1)).toBeCloseTo(wanted, 5);
    }
    expect(new Set(trajectories.map(({ turns }) => turns.length)).size).toBeGreaterThan(2);
  });

  /** Plays one question with fixed replies; `right` and `wrong` stand for an answer. */
  async function playing(replies: readonly string[], workflow: Task) {
    const policy = scriptedPolicy((env, { turn }) => {
      const [right = ""] = env.oracle() ?? [];
      const wrong = String((Number(right) + 1) % 12);
      const reply = replies[turn]!.replace("right", right).replace("wrong", wrong);
      return workflow.vocabulary.encode(`${reply}<eos>`);
    });
    const [trajectory] = await arealRollout({
      task: workflow,
      policy,
      areal: workflow.areal!,
      episodes: [{ id: "a", seed: 3, groupId: "g", rngKey: 1 }],
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 40, seed: 1 },
    });
    return trajectory!;
  }
  const [rightForm, rightOnly, wrongForm] = [
    "<think></think>\\boxed{right}",
    "\\boxed{right}",
    "<think></think>\\boxed{wrong}",
  ];

  it.each([
    [[wrongForm, wrongForm, wrongForm, wrongForm], 4, false, 0.1],
    [[wrongForm, rightForm], 2, true, 0.95],
    [[rightOnly, wrongForm, wrongForm, wrongForm], 4, true, 0.9],
    [[rightForm], 1, true, 1],
  ])(
    "row 6: %j are %i attempts, a success is %s, and 1 ends it",
    async (replies, attempts, success, reward) => {
      const trajectory = await playing(replies, buildTask(config()));
      expect(trajectory.turns).toHaveLength(attempts);
      expect(trajectory.success).toBe(success);
      expect(trajectory.terminated).toBe(attempts < 4);
      expect(trajectory.tokens.rewards.at(-1)).toBeCloseTo(reward);
    },
  );

  it.each([
    ["nonsense", "turn", 0],
    ["form alone, no number", "<think></think>\\boxed{red}", 0.1],
    ["form alone, nothing boxed", "<think></think>\\boxed{}", 0.1],
    ["form alone, larger than any answer", "<think></think>\\boxed{99wrong}", 0.1],
    ["form alone, wrong", wrongForm, 0.1],
    ["right alone", rightOnly, 0.9],
    ["both", rightForm, 1],
    ["the last box counts", "<think></think>\\boxed{wrong}\\boxed{right}", 1],
    [
      "a call that works",
      '<think></think><tool_call>{"name": "measure", "arguments": {"from": "A", "to": "B"}}</tool_call>',
      0.1,
    ],
    ["a call that does not", "<think></think><tool_call></tool_call>", 0],
  ])("scores replies as the reference does: %s", async (_, reply, reward) => {
    const task = buildTask(config({ max_turns: 1 }));
    const { turns } = await playing([reply], task);
    expect(turns[0]!.reward).toBeCloseTo(reward, 10);
  });

  it("row 6: success is a right answer, also where a term of one's own pays a wrong one in full", async () => {
    const task = buildTask(config());
    const generous: Task = { ...task, scoreTurn: () => ({ rewards: { mine: 1 }, reward: 1 }) };
    const { success, turns } = await playing([wrongForm], generous);
    expect([success, turns.length]).toEqual([false, 1]);
  });

  it.each(["concat", "individual"])("fits the sizes that are allocated for it: %s", async (export_style) => {
    const task = buildTask(config({ export_style }));
    const { sequence, tokens, sequences } = longestEpisode(task, 40);
    expect(sequences).toBe(export_style === "concat" ? 1 : 4);
    expect(task.areal!.contextLimit).toBe(sequence);
    const { options, generatorOptions } = runSize(config({ export_style }));
    expect(generatorOptions.maxContext).toBe(sequence);
    expect(options.batchEpisodes).toBe(64 * sequences);
    expect(options.batchTokens).toBe(64 * tokens);
    for (const trajectory of await demonstrations({ export_style })) {
      const lengths = trajectory.tokens.sequences?.map(({ from, to }) => to - from) ?? [
        trajectory.tokens.ids.length,
      ];
      expect(Math.max(...lengths)).toBeLessThanOrEqual(sequence);
      expect(trajectory.tokens.ids.length).toBeLessThanOrEqual(tokens);
    }
  });

  it("gives the feedback one token, only where it is said", () => {
    const { vocabulary } = buildTask(config({ feedback: "look again" }));
    expect(vocabulary.encode("look again")).toHaveLength(1);
    const game = buildTask(config({ workflow: "vagen" }));
    expect(game.vocabulary.encode("wrong, try again").length).toBeGreaterThan(1);
    expect(game.areal).toBeUndefined();
  });
});
