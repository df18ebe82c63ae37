import { afterEach, expect, it } from "vitest";
import { setPath } from "../../config/changes.ts";
import { inspectRunConfig } from "../../config/check.ts";
import { entryNames } from "../../config/entries.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { compareWith, MOST_COMPARED, useCompared } from "../store/compared-runs.ts";
import { fakeRun } from "../testing/fake-run.ts";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { chartsToShow } from "./catalog.ts";
import { Choice, CompareButton, ComparedRuns, useComparedRuns } from "./compare.tsx";
import { COMPARED_LOOKS } from "./compared.ts";

const config = inspectRunConfig({
  sft: { total_updates: 20, one_turn_updates: 5 },
  trainer: { total_updates: 40 },
}).config!;

function stored(runId: string, name: string, of: RunConfig = config): StoredRun {
  const events = fakeRun(runId, of, 60).filter(({ type }) => type !== "trajectory");
  const facts = { update: 60, totalUpdates: 60, savedAt: 0, elsewhere: false, recordingKept: false };
  return { runId, name, config: of, events, ...facts };
}

const shown = viewOf(fakeRun("shown", config, 60));
const List = () => <ComparedRuns runs={useComparedRuns()} />;
const text = (element: React.ReactElement, runs: readonly StoredRun[], view = shown) =>
  snapshot(element, view, { stored: runs })
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** Server rendering reads the initial state of a store. */
const choose = (...places: (string | null)[]) => Object.assign(useCompared.getInitialState(), { places });

afterEach(() => {
  choose();
  useCompared.setState({ places: [null, null, null] });
});

it("is offered where another run is stored", () => {
  const own = stored("shown", "Own");
  expect(text(<CompareButton />, [own])).toBe("");
  expect(text(<CompareButton />, [own, stored("b", "Other")])).toContain("Compare…");
});

it.each([
  ["one environment", config],
  ["several", inspectRunConfig({ envs: { sokoban: {} } }).config!],
])("says which charts show the chosen runs in %s, and names one of each kind", (_, of) => {
  const view = viewOf(fakeRun("shown", of, 60));
  const choice = text(<Choice />, [stored("b", "Other")], view);
  const [, single, several] =
    /A chart with a single curve, such as (.*), then also shows .*, such as (.*), still shows this run alone\./.exec(
      choice,
    )!;
  const names = entryNames(of);
  const keys = [
    ...names.map((name) => `train/success/${name}`),
    "actor/entropy",
    "reward/task",
    "reward/format",
  ];
  const logged = { keys, get: (key: string) => (keys.includes(key) ? { xs: [1], ys: [0.5] } : undefined) };
  const charts = chartsToShow(logged as never, "ppo", 0, names).flatMap((section) => section.charts);
  const chart = (title: string) => charts.find((one) => one.title === title);
  expect(chart(single!)?.lines).toHaveLength(1);
  expect(chart(several!)?.lines.length).toBeGreaterThan(1);
});

it("says how well the runs do, and what each has set otherwise", () => {
  const slower = setPath(setPath(config, "actor.lr", 1e-5), "name", "Slower");
  choose("b", "c", "gone");
  const list = text(<List />, [stored("b", "Slower", slower), stored("c", "Again")]);
  expect(list).toMatch(/This run : success \d+ % of \d+ validation levels .* at PPO update 40/);
  expect(list).toMatch(/B: Slower : success \d+ % of .* at PPO update 40/);
  expect(list).toContain(`Different settings: “Actor learning rate” 1e-5 in place of 4e-4.`);
  choose("b");
  const faster = text(<List />, [stored("b", "Faster", setPath(config, "actor.lr", 3e-3))]);
  expect(faster).toContain(`“Actor learning rate” 0.003 in place of 0.0004.`);
  expect(list).toContain("C: Again");
  expect(list).toContain("It has the same settings as this run.");
});

it("names a few differences, and the others where they are asked for", () => {
  const paths = [
    "actor.lr",
    "critic.lr",
    "actor.clip_ratio",
    "algorithm.gamma",
    "actor.ppo_epochs",
    "actor.entropy_coeff",
  ];
  const other = paths.reduce((tree, path) => setPath(tree, path, 3), config);
  choose("b");
  expect(text(<List />, [stored("b", "Other", other)])).toMatch(
    /Different settings: (“[^;]*; ){4}“[^;]*\. 1 more “[^;]*\./,
  );
});

it("names first what a run starts from, and nothing of SFT where one of them does none", () => {
  const from = setPath(setPath(config, "trainer.init_checkpoint", "frozenlake-nano-warmup"), "seed", 3);
  choose("b");
  const list = text(<List />, [stored("b", "Other", setPath(from, "sft.lr", 0.1))]);
  expect(list).toContain(
    "Different settings: “Start from” “frozenlake-nano-warmup” in place of empty; “Seed” 3 in place of 0.",
  );
});

it("says of another task that it is one, without its options", () => {
  const other = inspectRunConfig({ env: { name: "sokoban" }, sft: config.sft, trainer: config.trainer })
    .config!;
  choose("b");
  const list = text(<List />, [stored("b", "Other", other)]);
  expect(list).toContain("“Task” “Sokoban” in place of “FrozenLake”");
  expect(list).not.toMatch(/Lake size|Room size/);
});

it("shows nothing where no run is chosen, or the chosen one is on screen or discarded", () => {
  const runs = [stored("shown", "Own"), stored("b", "Other")];
  for (const ids of [[], ["shown"], ["gone"]]) {
    choose(...ids);
    expect(text(<List />, runs), `${ids}`).toBe("");
  }
});

it("compares with a few runs at most, each of which keeps its place", () => {
  const placesAfter = (...call: Parameters<typeof compareWith>) => {
    compareWith(...call);
    return useCompared.getState().places;
  };
  placesAfter("a", true, []);
  placesAfter("b", true, [0]);
  // A free place goes first, though the run of another one is on screen.
  expect(placesAfter("c", true, [1])).toEqual(["a", "b", "c"]);
  expect(placesAfter("d", true, [0, 1, 2])).toEqual(["a", "b", "c"]);
  expect(placesAfter("a", false, [0, 1, 2])).toEqual([null, "b", "c"]);
  expect(placesAfter("d", true, [1, 2])).toEqual(["d", "b", "c"]);
  // A run that was discarded, or is on screen now, gives its place away.
  expect(placesAfter("e", true, [0, 2])).toEqual(["d", "e", "c"]);
});

it("draws a run with the look of its place", () => {
  expect(COMPARED_LOOKS).toHaveLength(MOST_COMPARED);
  choose(null, null, "b");
  expect(text(<List />, [stored("b", "Other")])).toContain("D: Other");
});

it("says the same of the run on screen as of one that is stored", () => {
  const own = stored("b", "Own");
  choose("b");
  const [, shownText, storedText] = /This run : (.*) B: Own : (.*) It has the same settings/.exec(
    text(<List />, [own]),
  )!;
  expect(storedText).toMatch(/; saved .* ago$/);
  expect(storedText!.replace(/; saved .*/, "")).toBe(shownText);
});
