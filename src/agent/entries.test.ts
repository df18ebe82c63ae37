// Episodes of several environments in one batch.
import { expect, test } from "vitest";
import type { Frame } from "../core/types.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { type TrainingDraw, trainingEpisodes, trainingGroup } from "./episodes.ts";
import { demonstrationBatch } from "./players.ts";
import { rollout } from "./rollout.ts";
import type { Task } from "./task.ts";
import { testTask } from "./test-task.ts";
import { vocabularyFor } from "./vocabulary.ts";

const draw: TrainingDraw = {
  seeds: [1, 2, 3],
  others: [
    { entry: "boxes", weight: 2, seeds: [10, 11] },
    { entry: "wide", weight: 0.5, seeds: [20], isHeldOut: () => false },
  ],
  runSeed: 4,
  update: 1,
  count: 28,
  perLevel: 2,
};

test("groups follow the weights exactly where they can, in random order, each with a level of its own environment", () => {
  const episodes = trainingEpisodes(draw);
  const count = (entry?: string) => episodes.filter((episode) => episode.entry === entry).length;
  expect([count(), count("boxes"), count("wide")]).toEqual([8, 16, 4]);
  for (const { entry, seed } of episodes)
    expect(entry === "boxes" ? [10, 11] : entry === "wide" ? [20] : [1, 2, 3]).toContain(seed);
  for (let i = 0; i < episodes.length; i += 2) expect(episodes[i + 1]!.entry).toBe(episodes[i]!.entry);
  const order = episodes.map(({ entry }) => entry).join();
  expect(order).not.toBe(
    trainingEpisodes({ ...draw, update: 2 })
      .map(({ entry }) => entry)
      .join(),
  );
  expect(trainingEpisodes(draw)).toEqual(episodes);
});

test("a group that takes the place of a dropped one stays in its environment", () => {
  for (let group = 0; group < 14; group++) {
    const [first, again] = [trainingGroup(draw, group), trainingGroup(draw, group, 1)];
    expect(again.map(({ entry }) => entry)).toEqual(first.map(({ entry }) => entry));
  }
});

test("without further environments nothing is drawn but levels", () => {
  const { others: _, ...alone } = draw;
  expect(trainingEpisodes({ ...alone, others: [] })).toEqual(trainingEpisodes(alone));
  expect(trainingEpisodes(alone).every(({ entry }) => entry === undefined)).toBe(true);
});

/** FrozenLake with Sokoban beside it: pictures of 6 × 6 patches, one vocabulary, and turns judged by their own task. */
function mixed(): { task: Task; judged: [string, number][] } {
  const [lake, boxes] = [testTask("frozenlake"), testTask("sokoban")];
  const others = [{ spec: boxes.spec, config: boxes.envConfig }];
  const vocabulary = vocabularyFor(lake.spec, lake.envConfig, 5, { others });
  const judged: [string, number][] = [];
  const judge =
    (name: string): Task["judge"] =>
    async (turns) => {
      judged.push([name, turns.length]);
      return turns.map(() => ({}));
    };
  const shared = { vocabulary, imageTokens: 36 };
  const second = { ...boxes, ...shared, judge: judge("boxes"), maxTurns: 3 };
  const first = { ...lake, ...shared, judge: judge("lake"), paddedTo: { rows: 6, cols: 6 } };
  return { task: { ...first, others: new Map([["boxes", second]]) }, judged };
}

const episodes = [undefined, "boxes", undefined, "boxes"].map((entry, i) => ({
  id: `${i}`,
  ...(entry && { entry }),
  seed: 100 + i,
  groupId: `${i}`,
  rngKey: i,
}));

const grey = ({ width, data }: Frame) => [...data.slice((width - 1) * 4, width * 4)];

test("a batch plays each episode in its environment and judges it there", async () => {
  const { task, judged } = mixed();
  const sampling = { temperature: 0, topP: 1, topK: 0, maxTokens: 200, seed: 0 };
  const policy = scriptedPolicy(() => task.vocabulary.encode("<answer>Right</answer><eos>"));
  const played = await rollout({ task, policy, episodes, sampling });
  expect(played.map(({ envId, entry }) => [envId, entry])).toEqual([
    ["frozenlake", undefined],
    ["sokoban", "boxes"],
    ["frozenlake", undefined],
    ["sokoban", "boxes"],
  ]);
  expect(new Set(judged.map(([name]) => name))).toEqual(new Set(["lake", "boxes"]));
  expect(judged[0]).toEqual(["lake", 2]);
  for (const { turns, envId } of played) {
    const [picture] = turns[0]!.observation.images;
    expect(picture).toMatchObject({ width: 48, height: 48 });
    if (envId === "frozenlake") expect(grey(picture!)).toEqual([128, 128, 128, 255]);
    expect(turns.length).toBeLessThanOrEqual(envId === "sokoban" ? 3 : 5);
  }
});

test("demonstrations come from the teacher of each environment, in the order of the episodes", async () => {
  const { task } = mixed();
  const skill = { randomFraction: 0, expertFraction: 1 };
  const shown = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
  expect(shown.map(({ id }) => id)).toEqual(["0", "1", "2", "3"]);
  for (const { turns, envId } of shown) {
    expect(turns.every(({ parsed, actionIsValid }) => parsed.formatOk && actionIsValid)).toBe(true);
    expect(turns[0]!.reply.includes("box")).toBe(envId === "sokoban");
  }
});
