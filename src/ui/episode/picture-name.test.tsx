// What the large picture of an icon's game is called, wherever the page shows it.
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { SceneTruth } from "../../core/types.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { ReplayPlayer } from "../replay/replay-player.tsx";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { EnvPicture } from "./env-picture.tsx";
import { LevelPlace } from "./level-place.tsx";

await loadEnv("svg");

const TARGET = "Target icon";
const DRAWING = "Agent's drawing so far";
const { turns, ...episode } = fakeTrajectory({ id: "drawn", envId: "svg", seed: 3, skill: 0, maxTurns: 2 });
const [first, second] = turns.map(({ before }) => before) as [SceneTruth, SceneTruth];
const frame = { width: 8, height: 8, data: new Uint8ClampedArray(4 * 8 * 8) };

/** The names that stand above pictures. */
const namesIn = (shown: ReactNode) =>
  [TARGET, DRAWING].filter((name) =>
    renderToStaticMarkup(shown).replaceAll("&#x27;", "'").includes(`>${name}<`),
  );
const picture = (truth: SceneTruth, envId = "svg") => (
  <EnvPicture {...{ envId, frame, truth }} further={[]} seen={[]} title="Turn" view="agent" />
);

it("is the target before the first drawing, and the agent's own drawing from then on", () => {
  expect(namesIn(picture(first))).toEqual([TARGET]);
  expect(namesIn(picture(second))).toEqual([DRAWING]);
  expect(namesIn(picture(second, "navigation"))).toEqual([]);
});

it("is the target in the place of a level that is not there yet", () => {
  expect(namesIn(<LevelPlace env={{ name: "svg", config: {} }} load={undefined} />)).toEqual([TARGET]);
  expect(namesIn(<LevelPlace env={{ name: "sokoban", config: {} }} load={undefined} />)).toEqual([]);
});

it("follows the turns of a replay", () => {
  const replay = { trajectory: { ...episode, turns }, envConfig: {}, maxTurns: 2, title: "A policy" };
  const rest = { token: null, action: null, reading: null, speed: null, from: null, to: null };
  const at = (turn: number) => namesIn(<ReplayPlayer replay={replay} moment={{ turn, ...rest }} />);
  expect(at(0)).toEqual([TARGET]);
  expect(at(1)).toEqual([DRAWING]);
});

it("is also said of the target that the agent is shown beside its drawing", () => {
  const beside = (envId: string) =>
    renderToStaticMarkup(
      <EnvPicture
        {...{ envId, frame }}
        truth={second}
        further={[frame]}
        seen={[]}
        title="Turn"
        view="agent"
      />,
    );
  expect(beside("svg")).toContain("Picture 2 of the observation: target");
  expect(beside("spatial-gym")).not.toContain("target");
  expect(envs.all.filter(({ drawings }) => drawings).map(({ id }) => id)).toEqual(["svg"]);
});
