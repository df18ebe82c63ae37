import { expect, test } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { envs } from "../envs/index.ts";
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

test("the demonstrator's expert is the environment's", () => {
  expect(said("frozenlake", "demonstrator")).toMatch(/in the others it does what the oracle does\.$/);
  expect(said("blackjack", "demonstrator")).toMatch(/in the others it plays basic strategy\.$/);
});
