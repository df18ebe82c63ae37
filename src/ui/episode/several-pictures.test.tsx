// Episodes whose observations have two pictures, wherever the page shows them.
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, test } from "vitest";
import { trainingEpisodes } from "../../agent/episodes.ts";
import { oraclePlayer } from "../../agent/players.ts";
import { rollout } from "../../agent/rollout.ts";
import { frozenlakeTemplate } from "../../agent/templates/frozenlake.ts";
import { ownTemplates } from "../../agent/templates/own.ts";
import { testTask } from "../../agent/test-task.ts";
import type { Trajectory } from "../../core/types.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { twoViews } from "../../envs/testing/two-views.ts";
import { scriptedPolicy } from "../../policy/scripted/scripted.ts";
import { statesOf } from "../replay/episode-states.ts";
import { OwnGame } from "../replay/own-game.ts";
import { ReplayPlayer } from "../replay/replay-player.tsx";
import { EnvPicture } from "./env-picture.tsx";
import { replayEpisode } from "./replay-frames.ts";
import { turnTokens } from "./token-model.ts";

await loadEnv("svg");
const exits = [envs.add(twoViews), ownTemplates.add({ ...frozenlakeTemplate, id: twoViews.id, own: true })];
afterAll(() => {
  for (const exit of exits) exit();
});

const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 400, seed: 3 };
const episodes = trainingEpisodes({ seeds: [5], runSeed: 1, update: 1, count: 1, perLevel: 1 });
const RED = '<svg viewBox="0 0 64 64"><rect x="8" y="8" width="8" height="8" fill="red"/></svg>';

/** Draws a red square, and then draws it in blue. */
const drawn = testTask("svg", { format: "no_think", maxTurns: 2 }, { resolution: 32, show_target: true });
const drawing = (
  await rollout({
    task: drawn,
    policy: scriptedPolicy((_env, { turn }) =>
      drawn.vocabulary.encode(`<answer>${turn === 0 ? RED : RED.replace("red", "blue")}</answer><eos>`),
    ),
    episodes,
    sampling,
  })
)[0]!;

const walk = testTask(twoViews.id, {}, { max_actions_per_step: 1 });
const walking = (await rollout({ task: walk, policy: oraclePlayer(walk), episodes, sampling }))[0]!;

/** As a recording that ships with the studio has it. */
const bare = (trajectory: Trajectory): Trajectory => ({
  ...trajectory,
  turns: trajectory.turns.map((turn) => ({ ...turn, observation: { ...turn.observation, images: [] } })),
});

test("a replay draws what the agent is shown beside each state, from the states alone", () => {
  const replay = replayEpisode(bare(drawing), drawn.envConfig, 24);
  if (!replay.ok) throw new Error(replay.reason);
  const [first, second] = replay.turns;
  expect(first!.further.map((frames) => frames.length)).toEqual([0, 1]);
  expect(second!.further.map((frames) => frames.length)).toEqual([1, 1]);
  expect(second!.further[0]![0]!.data).toEqual(first!.before.data);
  expect(second!.before.data).not.toEqual(first!.before.data);
});

test("the further picture of a replayed state is of that state, in whatever order it is looked at", () => {
  const replay = replayEpisode(bare(walking), walk.envConfig, 8);
  if (!replay.ok) throw new Error(replay.reason);
  expect(replay.turns.length).toBeGreaterThan(1);
  for (const [i, { further }] of [...replay.turns.entries()].reverse())
    expect([...further[0]![0]!.data]).toEqual([...walking.turns[i]!.observation.images[1]!.data]);
});

test("the player has every picture that the model received", () => {
  const { seen, turns } = statesOf(drawing, drawn.envConfig);
  expect(seen).toEqual(drawing.turns.map(({ observation }) => observation.images));
  expect(turns[1]!.map(({ further }) => further!.length)).toEqual([1, 1]);
  const html = renderToStaticMarkup(
    <ReplayPlayer replay={{ trajectory: walking, envConfig: {}, maxTurns: 5, title: "A policy" }} />,
  );
  expect(html).toContain("Picture 2 of the observation");
});

test("where the level cannot be played again, both recorded pictures are shown", () => {
  const { problem, turns } = statesOf({ ...drawing, seed: 6 }, drawn.envConfig);
  expect(problem).not.toBe("");
  const [, [state]] = turns as [unknown, [(typeof turns)[number][number]]];
  expect([state.frame, ...state.further!]).toEqual(drawing.turns[1]!.observation.images);
});

test("the preview of a level shows both pictures, and says what the model receives", () => {
  const { frame, further, seen, truth } = pictureLevel(twoViews, {}, 3);
  const picture = { envId: twoViews.id, frame, truth, title: "Level 3", view: "agent" } as const;
  const html = renderToStaticMarkup(<EnvPicture {...picture} further={further} seen={seen} />);
  expect(html).toContain("Picture 2 of the observation");
  expect(html).toContain("Picture 2 in the size that the model receives");
  expect(html).toContain("The model receives 2 pictures of 32 × 32 pixels.");
  const one = renderToStaticMarkup(<EnvPicture {...picture} further={[]} seen={seen.slice(0, 1)} />);
  expect(one).not.toContain("Picture 2");
  expect(one).toContain("The model receives 32 × 32 pixels.");
});

test("a visitor who plays sees what the agent would", () => {
  const game = new OwnGame({ envId: "svg", seed: 5, turns: [] }, drawn.envConfig, 0);
  const icon = game.position.state.frame;
  expect(game.position.state.further).toEqual([]);
  game.play(RED);
  expect(game.position.state.further).toEqual([icon]);
  game.undo();
  expect(game.position.state.further).toEqual([]);
});

test.each([
  ["recorded", drawing],
  ["as it ships", bare(drawing)],
])("a trace has an entry for each picture of a turn, %s", (_, trajectory) => {
  const entries = turnTokens(trajectory, drawn.vocabulary).map(({ given }) =>
    given.flatMap((entry) => ("imageTokens" in entry ? [entry.imageTokens] : [])),
  );
  expect(entries).toEqual([[16], [16, 16]]);
});
