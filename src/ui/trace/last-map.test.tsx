// In the debug view a trace has a map of every state of an episode, the last one too, rendered to text with everything that it loads.
import { prerender } from "react-dom/static";
import { MemoryRouter } from "react-router";
import { afterAll, beforeEach, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import type { SceneTruth, Trajectory, WorldTruth } from "../../core/types.ts";
import { loadEnv } from "../../envs/index.ts";
import WorldMap from "../episode/world-map.tsx";
import { useUi } from "../store/ui-store.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { TraceView } from "./trace-view.tsx";

/** React's server rendering reads the initial state of a store. */
const initial = useUi.getInitialState();
const { picture } = initial;
beforeEach(() => {
  initial.picture = "debug";
});
afterAll(() => {
  initial.picture = picture;
});

/** The maps of a page and the headings above them, in order. */
async function mapsIn(page: React.ReactNode): Promise<string[]> {
  const { prelude } = await prerender(page);
  const html = await new Response(prelude).text();
  return html.match(/After turn \d+|<svg[^>]*"world-map".*?<\/svg>/g) ?? [];
}

const mapsOf = (trajectory: Trajectory): Promise<string[]> =>
  mapsIn(
    <MemoryRouter>
      <TraceView
        stored={{ key: "e", update: 1, source: "train", trajectory }}
        config={inspectRunConfig({ env: { name: trajectory.envId }, judge: { name: "off" } }).config!}
      />
    </MemoryRouter>,
  );

const mapOf = async (truth: SceneTruth): Promise<string> =>
  (await mapsIn(<WorldMap truth={truth as WorldTruth} />))[0]!;

/** An episode of three turns, the maps of the states before them, and that of the last state. */
async function played(envId: string) {
  await loadEnv(envId);
  const trajectory = fakeTrajectory({ id: "walked", envId, seed: 3, skill: 0.3, maxTurns: 3 });
  const { turns } = trajectory;
  const before = await Promise.all(turns.map((turn) => mapOf(turn.before)));
  return { trajectory, before, last: await mapOf(turns.at(-1)!.after) };
}

it.each(["navigation", "spatial-gym"])("shows the map after the last turn of %s", async (envId) => {
  const { trajectory, before, last } = await played(envId);
  expect(last).not.toBe(before.at(-1));
  expect(await mapsOf(trajectory)).toEqual([...before, "After turn 3", last]);
});

it("shows no map again after a turn that did nothing", async () => {
  const { trajectory, before } = await played("navigation");
  const last = trajectory.turns.at(-1)!;
  const turns = trajectory.turns.with(-1, { ...last, executed: [], after: last.before });
  expect(await mapsOf({ ...trajectory, turns })).toEqual(before);
});

it("shows no map in the agent view", async () => {
  initial.picture = "agent";
  expect(await mapsOf((await played("navigation")).trajectory)).toEqual([]);
});
