import { expect, test } from "vitest";
import type { Layout } from "../agent/layout.ts";
import { testTask } from "../agent/test-task.ts";
import { vocabularyFor } from "../agent/vocabulary.ts";
import type { Trajectory } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { twoViews } from "../envs/testing/two-views.ts";
import { baselines } from "./baselines.ts";
import { evaluationFiles } from "./episode-files.ts";
import { evaluate } from "./evaluate.ts";

test("an evaluation has the files of VAGEN's evaluator", async () => {
  const task = testTask("frozenlake", {}, {});
  const [evaluation] = await evaluate(baselines.get("oracle").create(task), {
    task,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 99, seed: 0 },
    seeds: [10001, 10002],
    temperatures: [1],
    samples: 2,
    measure: () => ({}),
  });
  const files = evaluationFiles(evaluation!.trajectories, {
    tag: "lake",
    createdAt: "2026-01-01T00:00:00.000Z",
    envConfig: envs.get("frozenlake").config.parse({}),
    maxTurns: task.maxTurns,
    system: "lake",
  });
  const parsed = (path: string) => JSON.parse(String(files.find((file) => file.path === path)!.content));
  const summary = parsed("tag_lake/summary.json");
  expect(summary).toMatchObject({ n_episodes: 4, success_rate: 1, error_rollouts: 0 });
  expect(summary.episodes.map((episode: { rollout_id: string }) => episode.rollout_id)).toEqual([
    "frozenlake_seed_10001",
    "frozenlake_seed_10001.1",
    "frozenlake_seed_10002",
    "frozenlake_seed_10002.1",
  ]);
  const folder = "tag_lake/frozenlake_seed_10001";
  const first = evaluation!.trajectories[0]!;
  const metrics = parsed(`${folder}/metrics.json`);
  expect(metrics).toMatchObject({
    seed: 10001,
    env_name: "frozenlake",
    tag_id: "lake",
    terminated: true,
    finish_reason: "done",
    success: true,
    num_turns: first.turns.length,
    error_details: null,
  });
  expect(metrics.cumulative_reward).toBeCloseTo(
    metrics.rewards.reduce((a: number, b: number) => a + b, 0),
    12,
  );
  expect(metrics.infos.at(-1)).toMatchObject({ success: true, action_is_valid: true });
  expect(parsed(`${folder}/assistant_texts.json`)).toEqual(first.turns.map(({ reply }) => reply));
  const roles = parsed(`${folder}/messages.json`).map((message: { role: string }) => message.role);
  expect(roles).toEqual(["system", ...first.turns.flatMap(() => ["user", "assistant"])]);
  const transcript = String(files.find(({ path }) => path === `${folder}/transcript.txt`)!.content);
  expect(transcript).toContain(first.turns[0]!.reply);
  const images = files.filter(({ path }) => path.startsWith(`${folder}/images/`));
  expect(images.map(({ path }) => path.slice(`${folder}/images/`.length))).toEqual(
    first.turns.map((_, turn) => `turn_${String(turn).padStart(2, "0")}_00.png`),
  );
});

test("an observation of several pictures has a file for each, and a marker in its message", async () => {
  const task = { ...testTask("frozenlake"), spec: { ...twoViews, id: "frozenlake" } };
  const [evaluation] = await evaluate(baselines.get("oracle").create(testTask("frozenlake")), {
    task,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 99, seed: 0 },
    seeds: [10001],
    temperatures: [1],
    samples: 1,
    measure: () => ({}),
  });
  const described = { tag: "x", createdAt: "", envConfig: {}, maxTurns: 5, system: "" };
  const files = evaluationFiles(evaluation!.trajectories, described);
  const [{ turns }] = evaluation!.trajectories as [Trajectory];
  const images = files.filter(({ path }) => path.includes("/images/"));
  expect(images.map(({ path }) => path.split("/").at(-1))).toEqual(
    turns.flatMap((_, turn) => [`turn_0${turn}_00.png`, `turn_0${turn}_01.png`]),
  );
  expect(images.map(({ content }) => content)).toEqual(
    turns.flatMap(({ observation }) => observation.images),
  );
  const messages = JSON.parse(String(files.find(({ path }) => path.endsWith("messages.json"))!.content));
  expect(messages[1].content).toBe("turn 1<image><image>");
});

test("an episode says why it ended: the game, its turns, or its tokens", () => {
  const episode = (turns: number, terminated: boolean) => ({
    id: `v-${turns}`,
    envId: "frozenlake",
    seed: turns,
    turns: Array.from({ length: turns }, () => ({
      observation: { text: "", images: [] },
      parsed: { formatOk: true },
      executed: [],
      rewards: {},
      reward: 0,
      reply: "",
    })),
    terminated,
    success: terminated,
  });
  const played = [episode(1, true), episode(3, false), episode(2, false)] as never;
  const files = evaluationFiles(played, { tag: "x", createdAt: "", envConfig: {}, maxTurns: 3, system: "" });
  const { episodes } = JSON.parse(String(files[0]!.content));
  expect(episodes.map((one: { finish_reason: string }) => one.finish_reason)).toEqual([
    "done",
    "max_turns",
    "no_room",
  ]);
});

test("an evaluation without episodes has a summary", () => {
  const files = evaluationFiles([], { tag: "x", createdAt: "", envConfig: {}, maxTurns: 1, system: "" });
  expect(files).toHaveLength(1);
  expect(JSON.parse(String(files[0]!.content))).toMatchObject({ n_episodes: 0, success_rate: 0 });
});

test("conversations that were closed follow one another, each with its own beginning and its summary", async () => {
  const plain = testTask("sokoban", { maxTurns: 8 }, { max_actions_per_step: 1, min_solution_steps: [3, 8] });
  const { spec, envConfig, format, stateFormat } = plain;
  const vocabulary = vocabularyFor(spec, envConfig, 8, { format, stateFormat, summaries: true });
  const layout = {
    kind: "compact",
    budget: 200,
    room: Number.POSITIVE_INFINITY,
    maxReply: 80,
    maxSummary: 40,
  };
  const task = { ...plain, vocabulary, layout: layout as Layout };
  const [evaluation] = await evaluate(baselines.get("oracle").create(task), {
    task,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 80, seed: 0 },
    seeds: [10001, 10002, 10003],
    temperatures: [0],
    measure: () => ({}),
  });
  const { trajectories } = evaluation!;
  const played = trajectories.find(({ turns }) => turns.some(({ summary }) => summary !== undefined))!;
  const stuck = { ...played, id: "v-1", terminated: false, unusable: "no_progress" as const };
  const about = { tag: "s", createdAt: "", envConfig, maxTurns: 8, system: "sokoban" };
  const files = evaluationFiles([played, stuck], about);
  const parsed = (name: string) => JSON.parse(String(files.find(({ path }) => path.endsWith(name))!.content));
  const messages: { role: string; content: string }[] = parsed("messages.json");
  const begins = [...messages.keys()].filter((i) => messages[i]!.role === "system");
  expect(begins).toHaveLength(played.tokens.sequences!.length);
  for (const at of begins.slice(1)) {
    const [asked, summary, , observation] = messages.slice(at - 2, at + 2);
    expect([asked!.role, summary!.role]).toEqual(["user", "assistant"]);
    expect(observation!.content).toContain(summary!.content);
  }
  expect(parsed("summary.json").episodes.map((one: { finish_reason: string }) => one.finish_reason)).toEqual([
    "done",
    "no_progress",
  ]);
});
