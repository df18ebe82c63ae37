import { expect, test } from "vitest";
import { validationEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import { testTask } from "../agent/test-task.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { baselines } from "./baselines.ts";

const said = (envId: string, id: string) => baselines.get(id).describe(testTask(envId));

test.each(envs.ids)("every player of %s is described in sentences of its own", (envId) => {
  const players = baselines.all.filter(({ plays }) => plays?.(testTask(envId)) !== false);
  const texts = players.map(({ describe }) => describe(testTask(envId)));
  expect(new Set(texts).size).toBe(players.length);
  for (const text of texts) expect(text).toMatch(/^[A-Z].*[^.]\.$/);
});

test("only players of an environment with holes, walls or a way to walk are said to know of them", () => {
  const speakOf = (what: RegExp) => envs.ids.filter((envId) => what.test(said(envId, "heuristic")));
  expect(speakOf(/\bholes\b/)).toEqual(["frozenlake"]);
  expect(speakOf(/\bwalls\b/)).toEqual(["sokoban"]);
  expect(speakOf(/\bwalks\b/i)).toEqual(["frozenlake", "sokoban"]);
});

test("the blind player repeats its actions over turns, whatever it sees", async () => {
  await loadEnv("navigation");
  const task = testTask("navigation", { maxTurns: 2 }, { max_actions_per_step: 4 });
  const policy = baselines.get("blind").create(task);
  const episodes = validationEpisodes([600_000, 600_001]);
  const trajectories = await rollout({
    task,
    policy,
    episodes,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 400, seed: 0 },
  });
  const [ahead, left] = ["move_forward", "move_left"];
  for (const { turns } of trajectories)
    expect(turns.map(({ executed }) => executed.map(({ name }) => name))).toEqual([
      [ahead, ahead, left, ahead],
      [ahead, left, ahead, ahead],
    ]);
});

test("the demonstrator's expert is the environment's", () => {
  expect(said("frozenlake", "demonstrator")).toMatch(/in the others it does what the oracle does\.$/);
  expect(said("blackjack", "demonstrator")).toMatch(/in the others it plays basic strategy\.$/);
});
