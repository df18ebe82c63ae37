// In the debug view a trace has a map of every state of an episode, the last one too, rendered to text with everything that it loads.
import { prerender } from "react-dom/static";
import { MemoryRouter } from "react-router";
import { afterAll, beforeEach, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import type { SceneTruth, Trajectory, WorldTruth } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { claimsBefore, type FloorClaim, floorClaims } from "../episode/beliefs.ts";
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

const SEED = 3;

/** The floor of the level of `SEED`. */
function floorOf(envId: string): FloorPlan {
  const spec = envs.get(envId);
  const env = spec.create(spec.config.parse({}));
  env.reset(SEED);
  return env.floorPlan!();
}

const mapOf = async (
  envId: string,
  truth: SceneTruth,
  claims: readonly FloorClaim[],
  floor: FloorPlan | null = null,
): Promise<string> =>
  (
    await mapsIn(
      <WorldMap load={envs.get(envId).loadMap!} truth={truth as WorldTruth} claims={claims} floor={floor} />,
    )
  )[0]!;

/** An episode of three turns, the maps of the states before them, and that of the last state. */
async function played(envId: string) {
  await loadEnv(envId);
  const trajectory = fakeTrajectory({ id: "walked", envId, seed: SEED, skill: 0.3, maxTurns: 3 });
  const { turns } = trajectory;
  const floor = floorOf(envId);
  const before = await Promise.all(
    turns.map((turn, i) => mapOf(envId, turn.before, claimsBefore(turn, turns[i - 1]), floor)),
  );
  const last = turns.at(-1)!;
  return { trajectory, before, last: await mapOf(envId, last.after, floorClaims(last, "prediction"), floor) };
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

it.each(["navigation", "spatial-gym"])("shows places that are claimed out of view in %s", async (envId) => {
  await loadEnv(envId);
  const { before } = fakeTrajectory({ id: "walked", envId, seed: SEED, skill: 1, maxTurns: 3 }).turns[0]!;
  const claim = {
    claim: "observation",
    name: "lamp",
    words: "3 back 2 left",
    about: before as WorldTruth,
  } as const;
  const [right, wrong, predicted] = await Promise.all([
    mapOf(envId, before, [{ ...claim, ok: true }]),
    mapOf(envId, before, [{ ...claim, ok: false }]),
    mapOf(envId, before, [{ ...claim, claim: "prediction", ok: false }]),
  ]);
  expect(right).toContain("stated: lamp 3 back 2 left, right");
  expect(right).not.toContain("lamp ✗");
  expect(wrong).toMatch(/stated: lamp 3 back 2 left, wrong.*stroke-dasharray.*lamp.*✗/);
  expect(predicted).toMatch(/predicted: lamp 3 back 2 left, wrong.*rotate\(45\)/);
  const nothing = await mapOf(envId, before, []);
  expect(await mapOf(envId, before, [{ ...claim, words: "not stated", ok: false }])).toBe(nothing);
});

it("writes names on a map in places of their own", async () => {
  const { before } = fakeTrajectory({ id: "walked", envId: "navigation", seed: SEED }).turns[0]!;
  const at = [1, 1];
  const things = ["painting", "plant", "teddy"].map((name) => ({ name, at }));
  const map = await mapOf("navigation", { ...(before as WorldTruth), things }, []);
  const names = [...map.matchAll(/<text[^>]* y="([^"]+)"[^>]*>(painting|plant|teddy)</g)];
  expect(names).toHaveLength(3);
  const baselines = names.map(([, y]) => Number(y)).sort((a, b) => a - b);
  for (const [i, y] of baselines.slice(1).entries()) expect(y - baselines[i]!).toBeGreaterThan(4.2);
});

it.each(["navigation", "spatial-gym"])("shows the walls and things of %s around the agent", async (envId) => {
  await loadEnv(envId);
  const { before } = fakeTrajectory({ id: "walked", envId, seed: SEED, skill: 1, maxTurns: 3 }).turns[0]!;
  const floor = floorOf(envId);
  const map = await mapOf(envId, before, [], floor);
  const shown = map.match(/<polygon/g) ?? [];
  expect(shown).toHaveLength(floor.rooms.length + floor.openings.length + floor.things.length);
  expect(shown.length).toBeGreaterThan(4);
  expect(await mapOf(envId, before, [])).not.toContain("<polygon");
});

it.each(["navigation", "spatial-gym"])("leaves out claims of %s that no map can show", async (envId) => {
  await loadEnv(envId);
  const [turn] = fakeTrajectory({ id: "walked", envId, seed: SEED, skill: 1, maxTurns: 3 }).turns;
  const before = turn!.before as WorldTruth;
  const nothing = await mapOf(envId, before, []);
  const claim = { claim: "observation", name: "lamp", ok: false } as const;
  const turned = { ...before, facts: { ...before.facts, yaw: 17, look_yaw: 17 } } as WorldTruth;
  expect(await mapOf(envId, before, [{ ...claim, words: "3 back 2 left", about: turned }])).toBe(nothing);
  const far = `${"9".repeat(400)} back 2 left`;
  expect(await mapOf(envId, before, [{ ...claim, words: far, about: before }])).toBe(nothing);

  const verdict = { ...turn!.verdicts.observation!, status: "off" as const };
  const fields = [{ name: "lamp", predicted: "3 back 2 left", truth: "", ok: false }];
  const unjudged = { ...turn!, verdicts: { observation: { ...verdict, fields } } };
  expect(floorClaims(unjudged, "observation")).toMatchObject([{ ok: null }]);
  const { facts: _, ...bare } = before;
  expect(floorClaims({ ...unjudged, before: bare }, "observation")).toEqual([]);
});

it("shows which way fronts face in SpatialGym's maps, and which way they are said to face", async () => {
  await loadEnv("spatial-gym");
  const [turn] = fakeTrajectory({ id: "walked", envId: "spatial-gym", seed: SEED, skill: 1 }).turns;
  const asked = turn!.before as WorldTruth;
  // A map has no options to choose from.
  const before = { ...asked, facts: { ...asked.facts, options: "" } };
  const claim = { claim: "observation", name: "bed", ok: false, about: before } as const;
  const fronts = (map: string) => map.match(/<line [^>]*data-front/g)?.length ?? 0;
  const map = await mapOf("spatial-gym", before, []);
  const shown = fronts(map);
  expect(shown).toBeGreaterThan(0);
  expect(map.match(/(left|right), facing (ahead|right|back|left)/g)).toHaveLength(shown);
  const said = async (words: string) =>
    fronts(await mapOf("spatial-gym", before, [{ ...claim, words }])) - shown;
  expect(await Promise.all([said("3 back 2 left facing right"), said("3 back 2 left")])).toEqual([1, 0]);
});

it("shows the map that an agent gives of SpatialGym's rooms beside the right one", async () => {
  await loadEnv("spatial-gym");
  const spec = envs.get("spatial-gym");
  const env = spec.create(spec.config.parse({ task: "map" }));
  env.reset(SEED);
  const before = env.groundTruth() as WorldTruth;
  const [first, ...others] = String(before.facts!.answer).split("; ") as [string, ...string[]];
  const name = first.split(" ")[0]!;
  // Other ways to write the same, and a second entry about an object, which does not count.
  const written = others.map((entry) => entry.replace(/ (ahead|back) /, " $1, "));
  const entries = [`${name} 9 back 8 left facing ahead`, ...written, "a heap of things", first];
  env.step(`Map(${entries.join("; ")})`);
  const [asked, given] = await Promise.all(
    [before, env.groundTruth()].map((truth) => mapOf("spatial-gym", truth, [])),
  );
  const rings = (map: string) => map.match(/<circle r="4"/g)?.length ?? 0;
  expect([rings(asked!), rings(given!)]).toEqual([0, 1 + others.length]);
  expect(given).toContain(`on the map that it gives: ${name} 9 back 8 left facing ahead, not exact`);
  for (const entry of written) expect(given).toContain(`on the map that it gives: ${entry}, right`);
  expect(given).toMatch(new RegExp(`>${name} ✗<`));
});
