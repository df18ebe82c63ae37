// A run that is stopped while it is built, first or again after a loss, and a start that fails.
import { describe, expect, test, vi } from "vitest";
import { deferred } from "../core/deferred.ts";
import { GpuError } from "../core/errors.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { openStore } from "../persistence/store.ts";
import type { PrepareStep, TrainerEvent } from "../training/events.ts";
import { loadHistory } from "./event-log.ts";
import type { Resumption } from "./resume.ts";
import { Supervisor, type SupervisorDeps } from "./supervisor.ts";
import { config, FakeRun, fakeTrain } from "./testing/fake-run.ts";

type Deps = SupervisorDeps<FakeRun>;
type Build = Deps["build"];

const step = (done: number): PrepareStep[] => [{ step: "compile", done, of: 2, detail: "" }];

const built = async ({ runId, config: given, checkpoint, onPrepare }: Parameters<Build>[0]) => {
  onPrepare(step(1));
  return new FakeRun(runId, given, checkpoint, {});
};

/** The build of a run whose device is lost in its update 7. */
const losing: Build = async ({ runId, config: given, checkpoint }) =>
  new FakeRun(runId, given, checkpoint, { lose: [7] });

/** A build that waits for `next` between its first step and its second, if it reports a second one. */
function slowBuild({ reportsSecond = true } = {}) {
  const [next, reached, settled] = [deferred(), deferred(), deferred()];
  const runs: FakeRun[] = [];
  async function make({ onPrepare, ...request }: Parameters<Build>[0]) {
    onPrepare(step(1));
    reached.resolve();
    await next.promise;
    const run = await built({ ...request, onPrepare: reportsSecond ? onPrepare : () => {} });
    runs.push(run);
    return run;
  }
  const build: Build = (request) => make(request).finally(() => settled.resolve());
  return { build, next, reached, settled, runs };
}

function supervised({ build = built, store = openStore(memoryFiles()), ...deps }: Partial<Deps>) {
  const events: TrainerEvent[] = [];
  let time = 0;
  const supervisor = new Supervisor<FakeRun>("fake", {
    store,
    build,
    requestGpu: async () => ({}) as GPU,
    train: fakeTrain,
    keepTraces: 4,
    loadInitial: () => Promise.reject(new Error("not used")),
    emit: (event) => void events.push(event),
    clock: { now: () => time++, sleep: () => new Promise((resolve) => setImmediate(resolve)) },
    ...deps,
  });
  return { supervisor, store, events };
}

/** A run of ten updates, and the checkpoint of one of them. */
async function finished(update: number) {
  const { supervisor, store } = supervised({});
  await supervisor.start(config);
  await supervisor.done;
  const entry = (await store.list("fake")).find((known) => known.update === update)!;
  const checkpoint = await decodeCheckpoint(await store.load("fake", entry.name), entry.name);
  const history = await loadHistory(store, "fake");
  return { store, history, good: { entry, checkpoint, skipped: [] } };
}

const typesOf = (events: readonly TrainerEvent[]) => events.map(({ type }) => type);

/** The run has ended at update 4, to which it went back, and its log says no more than that. */
async function expectGoneBack(store: Deps["store"], events: readonly TrainerEvent[]): Promise<void> {
  const end: TrainerEvent = { type: "run_finished", update: 4, reason: "stopped" };
  expect(typesOf(events)).toEqual(["prepare", "rewound", "checkpoint", "run_finished"]);
  expect(events.at(-1)).toEqual(end);
  const kept = await loadHistory(store, "fake");
  expect(kept.flatMap((event) => (event.type === "metrics" ? [event.update] : []))).toEqual([1, 2, 3, 4]);
  expect(kept.at(-1)).toEqual(end);
}

/** Stops a run while it is being built. The build settles only after the run has ended. */
async function stopWhileBuilt(
  slow: ReturnType<typeof slowBuild>,
  store: Deps["store"],
  resumption?: Resumption,
) {
  const run = supervised({ build: slow.build, store });
  const started = run.supervisor.start(config, resumption);
  await slow.reached.promise;
  await run.supervisor.stop();
  await started;
  slow.next.resolve();
  await slow.settled.promise;
  return run;
}

describe("a run that is stopped while it is first built", () => {
  test("ends at once, and leaves nothing behind; the build gives up at its next step", async () => {
    const slow = slowBuild();
    const { events, store, supervisor } = await stopWhileBuilt(slow, openStore(memoryFiles()));
    expect(slow.runs).toEqual([]);
    expect(typesOf(events)).toEqual(["prepare", "run_finished"]);
    expect(events.at(-1)).toEqual({ type: "run_finished", update: 0, reason: "stopped" });
    expect(await store.runs()).toEqual([]);
    expect(supervisor.hasBegun).toBe(false);
  });

  test("releases what is built all the same, because no further step was reported", async () => {
    const slow = slowBuild({ reportsSecond: false });
    const { events } = await stopWhileBuilt(slow, openStore(memoryFiles()));
    await vi.waitFor(() => expect(slow.runs.map(({ disposed }) => disposed)).toEqual([true]));
    expect(typesOf(events)).toEqual(["prepare", "run_finished"]);
  });

  test("is not built at all if the stop comes while its start is read", async () => {
    const [reading, read] = [deferred(), deferred<Uint8Array<ArrayBuffer>>()];
    let builds = 0;
    const { supervisor, events } = supervised({
      build: (request) => {
        builds++;
        return built(request);
      },
      loadInitial() {
        reading.resolve();
        return read.promise;
      },
    });
    const { store, good } = await finished(4);
    const from = { ...config, trainer: { ...config.trainer, init_checkpoint: "base.safetensors" } };
    const started = supervisor.start(from);
    await reading.promise;
    await supervisor.stop();
    await started;
    read.resolve(await store.load("fake", good.entry.name));
    await new Promise((resolve) => setImmediate(resolve));
    expect(builds).toBe(0);
    expect(typesOf(events)).toEqual(["run_finished"]);
  });

  test("ends as stopped, too, if its device was lost meanwhile", async () => {
    let builds = 0;
    const { supervisor, events } = supervised({
      async build(request) {
        if (++builds === 1) throw new GpuError("device_lost", "gone");
        void supervisor.stop();
        return built(request);
      },
    });
    await supervisor.start(config);
    await supervisor.done;
    expect(builds).toBe(2);
    expect(typesOf(events)).toEqual(["device_lost", "run_finished"]);
  });

  test("stays at the update of its checkpoint if it was resumed, with its whole history", async () => {
    const { store, good, history } = await finished(4);
    const { events } = await stopWhileBuilt(slowBuild(), store, { good, history });
    expect(events.at(-1)).toEqual({ type: "run_finished", update: 4, reason: "stopped" });
    expect(await loadHistory(store, "fake")).toEqual(history);
  });

  test("has gone back all the same if it was sent back, because the later checkpoints are gone", async () => {
    const { store, good, history } = await finished(4);
    await store.removeAfter("fake", 4);
    const { events } = await stopWhileBuilt(slowBuild(), store, { good, history, goesBack: true });
    await expectGoneBack(store, events);
    expect(await store.loadTrajectories("fake")).toEqual([]);
  });
});

describe("a run that is stopped while it is built again after a loss", () => {
  async function stopWhileRebuilt(slow: ReturnType<typeof slowBuild>) {
    const builds = [losing, slow.build];
    const run = supervised({ build: (request) => builds.shift()!(request) });
    await run.supervisor.start(config);
    await slow.reached.promise;
    await run.supervisor.stop();
    slow.next.resolve();
    await slow.settled.promise;
    return run;
  }
  const afterLoss = (events: readonly TrainerEvent[]) =>
    events.slice(events.findIndex(({ type }) => type === "device_lost") + 1);

  test("ends at once, at its checkpoint; the build gives up at its next step", async () => {
    const slow = slowBuild();
    const { events, store } = await stopWhileRebuilt(slow);
    expect(slow.runs).toEqual([]);
    expect(typesOf(afterLoss(events))).toEqual(["prepare", "run_finished"]);
    const end: TrainerEvent = { type: "run_finished", update: 4, reason: "stopped" };
    expect(events.at(-1)).toEqual(end);
    expect((await loadHistory(store, "fake")).at(-1)).toEqual(end);
  });

  test("releases what is built all the same, because no further step was reported", async () => {
    const slow = slowBuild({ reportsSecond: false });
    const { events } = await stopWhileRebuilt(slow);
    await vi.waitFor(() => expect(slow.runs.map(({ disposed }) => disposed)).toEqual([true]));
    expect(typesOf(afterLoss(events))).toEqual(["prepare", "run_finished"]);
  });
});

describe("a start that fails", () => {
  test("ends the run and releases its device, even once the run is built", async () => {
    const { store, good, history } = await finished(4);
    store.loadTrajectories = () => Promise.reject(new Error("EIO"));
    const runs: FakeRun[] = [];
    const { supervisor, events } = supervised({
      store,
      async build(request) {
        runs.push(await built(request));
        return runs[0]!;
      },
    });
    await expect(supervisor.start(config, { good, history })).rejects.toThrow("EIO");
    await supervisor.done;
    expect(runs[0]!.disposed).toBe(true);
    expect(typesOf(events)).toEqual(["prepare"]);
    expect(await loadHistory(store, "fake")).toEqual(history);
  });

  const failing: Build = async ({ onPrepare }) => {
    onPrepare(step(1));
    throw new Error("no room");
  };

  test("has gone back all the same if the run was sent back, because the later checkpoints are gone", async () => {
    const { store, good, history } = await finished(4);
    await store.removeAfter("fake", 4);
    const { supervisor, events } = supervised({ store, build: failing });
    const started = supervisor.start(config, { good, history, goesBack: true });
    await expect(started).rejects.toThrow("no room");
    await supervisor.done;
    await expectGoneBack(store, events);
  });

  test("ends a run that was sent back also where its log cannot be read, and says why it was not built", async () => {
    const { store, good, history } = await finished(4);
    store.loadTrajectories = () => Promise.reject(new Error("EIO"));
    const { supervisor } = supervised({ store, build: failing });
    const started = supervisor.start(config, { good, history, goesBack: true });
    await expect(started).rejects.toThrow("no room");
    await supervisor.done;
  });
});
