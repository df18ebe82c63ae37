// Run folders through everything that reads them: the store, the host, a run that resumes, the page and the commands.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { nameOfRun } from "../cli/ablate/matrix.ts";
import { csvReport, markdownReport } from "../cli/ablate/report.ts";
import { groupByCell, readResult } from "../cli/ablate/results.ts";
import { parseOptions } from "../cli/args.ts";
import { judgeCommand } from "../cli/judge.ts";
import { rescoreRun } from "../cli/rescore.ts";
import { RunFolder } from "../cli/run-folder/run-folder.ts";
import { StudioError } from "../core/errors.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { nodeFiles } from "../persistence/node-files.ts";
import { type CheckpointStore, openStore } from "../persistence/store.ts";
import { loadHistory } from "../supervision/event-log.ts";
import { changesSince, ownCheckpoint, type Resumption } from "../supervision/resume.ts";
import { RunReporter } from "../supervision/run-reporter.ts";
import { loadTraces } from "../supervision/trace-log.ts";
import type { Supervision } from "../worker/active-run.ts";
import { type HostDeps, trainingHost } from "../worker/commands.ts";
import { noLocks } from "../worker/run-lock.ts";
import { damagedFolder } from "./damaged-folder.ts";
import { promise, type Target } from "./fuzz.ts";
import { showRun } from "./page-readers.ts";
import { type Folder, NEWEST, sampleRun } from "./sample-run.ts";

let sample: Promise<Folder> | undefined;
/** Built on first use, so that an import costs nothing. */
const whole = () => (sample ??= sampleRun());

const ROW = { method: "vagen-base", format: "grounding_worldmodeling", seed: 0 } as const;
/** An ablation reads its runs by this name. */
const RUN = nameOfRun(ROW);
/** What commands read and the page does not, and the log. */
const OF_COMMANDS = ["config.yaml", "metrics.jsonl", "trajectories.jsonl", "events.jsonl"];
/** A run beside it that nothing happened to. */
const GOOD = "good";

export const runFolders: Target<Folder> = {
  name: "run folders",
  make: async (random) => damagedFolder(random, await whole()),
  async read(folder) {
    const refusals: StudioError[] = [];
    const store = await storeOf({ [RUN]: folder, [GOOD]: await whole() });
    for (const reader of [readStore, readAsPage, resume]) await refusedByName(refusals, () => reader(store));
    const isOther = async (path: string) => folder.get(path) !== (await whole()).get(path);
    if ((await Promise.all(OF_COMMANDS.map(isOther))).includes(true))
      await inDiskFolder(folder, (path) => readAsCommands(refusals, path));
    promise(!("polluted" in {}), "no prototype is changed");
    if (refusals[0]) throw refusals[0];
  },
  show: (folder) =>
    [...folder].map(([path, bytes]) => `== ${path}\n${new TextDecoder().decode(bytes)}`).join("\n"),
};

/** Keeps a refusal, so that the other readers have their turn. */
async function refusedByName(refusals: StudioError[], work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    refusals.push(error);
  }
}

async function storeOf(runs: Readonly<Record<string, Folder>>): Promise<CheckpointStore> {
  const files = memoryFiles();
  for (const [id, folder] of Object.entries(runs))
    for (const [path, bytes] of folder) await files.write(`${id}/${path}`, bytes);
  return openStore(files);
}

async function readStore(store: CheckpointStore): Promise<void> {
  promise((await store.runs()).includes(GOOD), "a good run is listed");
  const entries = await store.list(RUN);
  await store.describe(RUN);
  await loadHistory(store, RUN);
  await loadTraces(store, RUN);
  await store.loadExtensions(RUN);
  const good = await store.loadLatestGood(RUN);
  promise(good === null || entries.some(({ name }) => name === good.entry.name), "a checkpoint is listed");
}

/** A host of which only the storage is used; `start` gets the run that resumes. */
function hostOf(store: CheckpointStore, start: Supervision["start"] = async () => {}) {
  const unused = () => {
    throw new Error("no reader of a run folder needs this");
  };
  const supervise = () => ({ start, done: Promise.resolve(), runId: RUN }) as unknown as Supervision;
  const gpu = { probe: unused, readHead: unused, confine: unused, plan: unused } satisfies Partial<HostDeps>;
  return trainingHost({ store, locks: noLocks, supervise, ...gpu });
}

async function readAsPage(store: CheckpointStore): Promise<void> {
  const host = hostOf(store);
  const runs = await host.storedRuns(null);
  promise(
    runs.some(({ runId }) => runId === GOOD),
    "a good run is offered",
  );
  const traces = await host.storedTrajectories({ runId: RUN });
  const run = runs.find(({ runId }) => runId === RUN);
  if (run) showRun(run, traces);
}

/** As a run that resumes reads what was stored, and writes on. */
async function resume(store: CheckpointStore): Promise<void> {
  await hostOf(store, async (own, resumption) => {
    const { good, history } = resumption as Resumption;
    ownCheckpoint(RUN, good);
    changesSince(good, own);
    for (const isAnother of [false, true]) {
      const reporter = new RunReporter(RUN, { store, emit: () => {}, keepTraces: 4 });
      await reporter.resume(history, good.entry.update, isAnother);
      reporter.warnSkipped(good);
      await reporter.flushLog();
      await reporter.flushTraces();
    }
  }).resumeStored({ runId: RUN });
}

async function inDiskFolder(folder: Folder, work: (path: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "fuzz-run-"));
  try {
    for (const [path, bytes] of folder) {
      const file = join(root, RUN, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    await work(join(root, RUN));
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function readAsCommands(refusals: StudioError[], path: string): Promise<void> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const io = {
    out: say,
    err: say,
    isTty: false,
    columns: () => 80,
    onInterrupt: () => () => {},
    quit: () => {},
  };
  await refusedByName(refusals, async () => {
    const result = await readResult(dirname(path), ROW, NEWEST);
    const cells = groupByCell([ROW], result ? [result] : []);
    const info = {
      envId: "frozenlake",
      preset: "frozenlake-nano",
      seeds: 1,
      updates: NEWEST,
      command: "ablate",
      from: null,
      varied: null,
    };
    if (cells.length > 0) said.push(markdownReport(info, cells), csvReport(info, cells));
  });
  await refusedByName(refusals, () =>
    rescoreRun(path, parseOptions("judge", judgeCommand.options ?? {}, []), io),
  );
  await refusedByName(refusals, async () => {
    const history = await loadHistory(openStore(nodeFiles(dirname(path))), RUN);
    const run = new RunFolder(path, "all", say);
    run.resume(NEWEST, history);
    // One of each: every write waits for the disk.
    for (const type of ["metrics", "rewound"]) {
      const event = history.find((stored) => stored.type === type);
      if (event) run.record(event);
    }
  });
  const text = said.join("\n");
  promise(!/undefined|NaN|\[object/.test(text), `a report shows no undefined, NaN or object: ${text}`);
}
