import { describe, expect, test, vi } from "vitest";
import { applyChanges } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import { deferred } from "../core/deferred.ts";
import { CheckpointError, GpuError } from "../core/errors.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { openStore } from "../persistence/store.ts";
import { fakeOpfs } from "../persistence/testing/fake-opfs.ts";
import type { TrainerEvent } from "../training/events.ts";
import { loadHistory } from "./event-log.ts";
import { Supervisor, type SupervisorDeps } from "./supervisor.ts";
import { config, FakeRun, fakeTrain, TOTAL, type Trouble } from "./testing/fake-run.ts";
import { loadTraces } from "./trace-log.ts";

type EventOf<T extends TrainerEvent["type"]> = Extract<TrainerEvent, { type: T }>;

interface Options {
  trouble?: Trouble;
  /** Thrown by the n-th, n+1-th, … build; null builds. */
  buildErrors?: (Error | null)[];
  store?: SupervisorDeps<FakeRun>["store"];
  onEvent?: (event: TrainerEvent, supervisor: Supervisor<FakeRun>) => void;
  /** Milliseconds that pass with every event. */
  tick?: number | ((event: TrainerEvent) => number);
  initial?: Uint8Array<ArrayBuffer>;
  keepTraces?: number;
}

function harness({ trouble = {}, buildErrors = [], onEvent, tick = 1, ...options }: Options = {}) {
  const store = options.store ?? openStore(opfsFiles(fakeOpfs({ move: true })));
  const events: TrainerEvent[] = [];
  const builds: FakeRun[] = [];
  const sleeps: number[] = [];
  let time = 0;
  const supervisor: Supervisor<FakeRun> = new Supervisor("fake", {
    store,
    requestGpu: async () => ({}) as GPU,
    async build({ runId, config: given, checkpoint, onPrepare }) {
      onPrepare([{ step: "allocate", done: 1, of: 1, detail: "" }]);
      const error = buildErrors.shift();
      if (error) throw error;
      builds.push(new FakeRun(runId, given, checkpoint, trouble));
      return builds.at(-1)!;
    },
    train: fakeTrain,
    ...(options.keepTraces && { keepTraces: options.keepTraces }),
    loadInitial: async () => options.initial!,
    emit(event) {
      time += typeof tick === "number" ? tick : tick(event);
      events.push(event);
      onEvent?.(event, supervisor);
    },
    clock: {
      now: () => time,
      sleep(ms) {
        sleeps.push(ms);
        time += ms;
        return new Promise((resolve) => setImmediate(resolve));
      },
    },
  });
  const all = <T extends TrainerEvent["type"]>(type: T) =>
    events.filter((event): event is EventOf<T> => event.type === type);
  return {
    supervisor,
    store,
    events,
    builds,
    sleeps,
    all,
    metrics: () => all("metrics").map((e) => e.update),
  };
}

const run = async (options: Options = {}, given: RunConfig = config) => {
  const all = harness(options);
  await all.supervisor.start(given);
  await all.supervisor.done;
  return all;
};
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
/** Updates take long and checkpoints nothing. */
const cheapSaves = ({ type }: TrainerEvent) => (type === "metrics" ? 1000 : 0);
/** What the fake's sum is after n updates. */
const sumTo = (n: number) => (n * (n + 1)) / 2;
const finish = (events: TrainerEvent[]) => events.at(-1) as EventOf<"run_finished">;
const atUpdate = (update: number, act: (supervisor: Supervisor<FakeRun>) => void) => {
  let done = false;
  return (event: TrainerEvent, supervisor: Supervisor<FakeRun>) => {
    if (done || event.type !== "metrics" || event.update !== update) return;
    done = true;
    act(supervisor);
  };
};
const isValidating = (event: TrainerEvent) => event.type === "phase" && event.phase === "validate";
/** In the middle of a validation. */
const whileValidating = (act: (supervisor: Supervisor<FakeRun>) => void) => {
  const doesAct = (event: TrainerEvent) => event.type === "phase" && isValidating(event) && event.done === 1;
  return (event: TrainerEvent, supervisor: Supervisor<FakeRun>) => doesAct(event) && act(supervisor);
};
/** A run that has been started, and is paused after an update. */
async function pausedAt(update: number, options: Options = {}) {
  let all!: ReturnType<typeof harness>;
  await new Promise<void>((paused) => {
    all = harness({ ...options, onEvent: atUpdate(update, (it) => void it.pause().then(paused)) });
    void all.supervisor.start(config);
  });
  return all;
}

describe("an undisturbed run", () => {
  test.each([{ what: "" }, { what: ", and its device is lost afterwards", lose: [4] }])(
    "is as long as its SFT, which ended early$what",
    async ({ lose }) => {
      const given = applyChanges(config, { "sft.total_updates": 6 });
      const trouble: Trouble = { endSft: 3, ...(lose && { lose }) };
      const { all, metrics, builds, events, store } = await run({ trouble }, given);
      expect(all("config_changed")).toEqual([
        { type: "config_changed", update: 3, path: "sft.total_updates", from: 6, to: 3, automatic: true },
      ]);
      // Once, with its reason, and kept with the run.
      const end = [{ type: "sft_ended", update: 3, message: "SFT ended after 3 updates." }];
      expect(all("sft_ended")).toEqual(end);
      expect((await loadHistory(store, "fake")).filter(({ type }) => type === "sft_ended")).toEqual(end);
      expect(metrics()).toEqual(upTo(11));
      expect(builds.map((one) => one.config.sft.total_updates)).toEqual(lose ? [3, 3] : [3]);
      expect(finish(events)).toMatchObject({ reason: "completed", update: 11 });
    },
  );

  test("reports every update once, saves as asked and at the end", async () => {
    const { events, all, metrics, store, builds } = await run();
    expect(events[0]).toMatchObject({ type: "prepare" });
    expect(events[1]).toMatchObject({ type: "run_started", runId: "fake", update: 0, totalUpdates: TOTAL });
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
    // The first update is saved at once, so that a run can be resumed after a reload in the first minute.
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1, 4, 8, 10]);
    expect(all("checkpoint").every(({ bytes, name }) => bytes > 0 && name.endsWith(".safetensors"))).toBe(
      true,
    );
    expect(finish(events)).toEqual({ type: "run_finished", update: TOTAL, reason: "completed" });
    expect((await store.loadLatestGood("fake"))!.checkpoint.tensors.get("param.sum")!.data[0]).toBe(
      sumTo(TOTAL),
    );
    expect(builds[0]!.disposed).toBe(true);
  });

  test("the log has what shows the run again, and no trajectories", async () => {
    const { store } = await run();
    const history = await loadHistory(store, "fake");
    expect(history.filter(({ type }) => type === "metrics")).toHaveLength(TOTAL);
    expect(new Set(history.map(({ type }) => type))).toEqual(
      new Set(["run_started", "stage", "metrics", "checkpoint", "run_finished"]),
    );
  });

  test("its end is reported when everything is stored", async () => {
    let stored: Promise<unknown[]> | undefined;
    const store = openStore(opfsFiles(fakeOpfs({ move: true })));
    await run({
      store,
      onEvent(event) {
        if (event.type === "run_finished") stored = store.loadEvents("fake");
      },
    });
    expect((await stored)!.at(-1)).toMatchObject({ type: "run_finished" });
  });

  test("a checkpoint is made at least every minute", async () => {
    const { all } = await run({ tick: 8_000 });
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1, 3, 4, 6, 8, 10]);
  });

  test("every update is saved where that costs little; milestones and older checkpoints are kept", async () => {
    const { all, store } = await run({ tick: cheapSaves });
    const temporary = all("checkpoint").map(({ update, temporary }) => (temporary ? -update : update));
    expect(temporary).toEqual([1, 2, -3, 4, -5, -6, -7, 8, -9, 10]);
    expect((await store.list("fake")).map(({ update }) => update)).toEqual([10, 9, 8, 7, 6, 4, 3, 1]);
  });

  test("a failure of the first build is the caller's, and leaves nothing behind", async () => {
    const { supervisor, events } = harness({ buildErrors: [new GpuError("no_adapter", "none")] });
    await expect(supervisor.start(config)).rejects.toThrow("none");
    await supervisor.done;
    expect(events.map(({ type }) => type)).toEqual(["prepare"]);
  });

  test("starts from the weights of another run", async () => {
    const other = new FakeRun("fake", config, undefined, {});
    other.update = 7;
    other.sum = 1000;
    const initial = await encodeCheckpoint(await other.save());
    const given = { ...config, trainer: { ...config.trainer, init_checkpoint: "base.safetensors" } };
    const { metrics, all } = await run({ initial }, given);
    // Even a file that was made by a run of the same name is a start, not a continuation.
    expect(metrics()[0]).toBe(1);
    expect(all("metrics")[0]!.values.sum).toBe(1001);
  });
});

describe("pause, step, stop", () => {
  test("pause holds the run after the update, saved", async () => {
    let paused: Promise<void> | undefined;
    const onEvent = (event: TrainerEvent, supervisor: Supervisor<FakeRun>) => {
      if (event.type === "phase" && event.update === 3) paused ??= supervisor.pause();
    };
    const { supervisor, metrics, store, events } = harness({ onEvent });
    await supervisor.start(config);
    await vi.waitFor(() => expect(paused).toBeDefined());
    await paused;
    expect(metrics()).toEqual(upTo(3));
    expect((await store.loadLatestGood("fake"))!.checkpoint.meta.update).toBe(3);
    supervisor.resume();
    await supervisor.done;
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(finish(events).reason).toBe("completed");
  });

  test("step does exactly one update", async () => {
    const { supervisor, metrics } = await pausedAt(2);
    expect(metrics()).toEqual(upTo(2));
    for (const update of [3, 4, 5]) {
      await supervisor.step();
      expect(metrics()).toEqual(upTo(update));
    }
    await supervisor.stop();
    expect(metrics()).toEqual(upTo(5));
  });

  test("pause within a validation holds the run when all of it is reported", async () => {
    let paused: Promise<void> | undefined;
    const { supervisor, all, store } = harness({
      trouble: { validate: [3] },
      onEvent: whileValidating((it) => {
        paused ??= it.pause();
      }),
    });
    await supervisor.start(config);
    await vi.waitFor(() => expect(paused).toBeDefined());
    await paused;
    expect(all("validation").map(({ report }) => report.temperature)).toEqual([1, 0]);
    expect((await store.loadLatestGood("fake"))!.checkpoint.meta.counters.validatedUpdate).toBe(3);
    await supervisor.stop();
  });

  test("a step requested while a pause is saved is done when it resolves", async () => {
    const store = openStore(opfsFiles(fakeOpfs({ move: true })));
    const { supervisor, metrics } = harness({ store, onEvent: atUpdate(2, (it) => void it.pause()) });
    const save = store.save.bind(store);
    const stepping = new Promise<void>((resolve) => {
      store.save = (runId, update, bytes) => {
        if (update === 2) void supervisor.step().then(resolve);
        return save(runId, update, bytes);
      };
    });
    await supervisor.start(config);
    await stepping;
    expect(metrics()).toEqual(upTo(3));
    await supervisor.stop();
  });

  test("resume cancels a pause that has not happened yet", async () => {
    let pausing: Promise<void> | undefined;
    const { supervisor, metrics } = harness({
      onEvent(event, it) {
        if (event.type !== "phase" || event.update !== 3) return;
        pausing = it.pause();
        it.resume();
      },
    });
    await supervisor.start(config);
    await supervisor.done;
    await pausing;
    expect(metrics()).toEqual(upTo(TOTAL));
  });

  test("stop finishes the update, saves, and ends", async () => {
    const onEvent = (event: TrainerEvent, supervisor: Supervisor<FakeRun>) => {
      if (event.type === "phase" && event.update === 5) void supervisor.stop();
    };
    const { metrics, events, store } = await run({ onEvent });
    expect(metrics()).toEqual(upTo(5));
    expect(finish(events)).toEqual({ type: "run_finished", update: 5, reason: "stopped" });
    expect((await store.loadLatestGood("fake"))!.checkpoint.meta.update).toBe(5);
  });

  test("a stop during the build ends the run before its first update", async () => {
    const { supervisor, metrics, events } = harness();
    const started = supervisor.start(config);
    await Promise.all([supervisor.stop(), started]);
    expect(metrics()).toEqual([]);
    expect(finish(events)).toMatchObject({ update: 0, reason: "stopped" });
  });

  test("stop ends a paused run", async () => {
    const { supervisor, events } = await pausedAt(2);
    await supervisor.stop();
    expect(finish(events)).toMatchObject({ update: 2, reason: "stopped" });
  });

  test("commands to a run that has ended do no harm", async () => {
    const { supervisor } = await run();
    await supervisor.pause();
    await supervisor.step();
    await supervisor.stop();
    supervisor.resume();
    supervisor.loseDevice();
    expect(() => supervisor.applyChanges({ "actor.lr": 1 })).toThrow("not training");
  });
});

describe("saving and changing on request", () => {
  test("a checkpoint is made at the end of the update, and is whole", async () => {
    let saved: ReturnType<Supervisor<FakeRun>["saveCheckpoint"]> | undefined;
    const { all } = await run({
      onEvent(event, it) {
        if (event.type === "phase" && event.update === 6) saved ??= it.saveCheckpoint();
      },
    });
    const { name, bytes } = await saved!;
    expect(name).toBe("fake-update-000006.safetensors");
    expect((await decodeCheckpoint(bytes, name)).tensors.get("param.sum")!.data[0]).toBe(sumTo(6));
    expect(all("checkpoint").map(({ update }) => update)).toContain(6);
  });

  test("saveSoon has the run saved with the update in progress", async () => {
    const { all } = await run({ onEvent: atUpdate(6, (it) => it.saveSoon()) });
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1, 4, 6, 8, 10]);
  });

  test("a paused run is saved at once", async () => {
    const { supervisor } = await pausedAt(2);
    expect((await supervisor.saveCheckpoint()).name).toContain("000002");
    await supervisor.stop();
  });

  test("a file requested while the last state is saved is still returned", async () => {
    const store = openStore(opfsFiles(fakeOpfs({ move: true })));
    const { supervisor } = harness({ store });
    const save = store.save.bind(store);
    let asked: Promise<{ name: string }> | undefined;
    store.save = (runId, update, bytes) => {
      if (update === TOTAL) asked ??= supervisor.saveCheckpoint();
      return save(runId, update, bytes);
    };
    await supervisor.start(config);
    await supervisor.done;
    expect((await asked!).name).toBe("fake-update-000010.safetensors");
  });

  test("changed values are reported and used", async () => {
    const { all } = await run({
      onEvent: atUpdate(3, (it) => expect(it.applyChanges({ "actor.lr": 1e-3 })).toEqual(["actor.lr"])),
    });
    expect(all("config_changed")).toEqual([
      { type: "config_changed", update: 3, path: "actor.lr", from: 4e-4, to: 1e-3 },
    ]);
    expect(all("metrics").map(({ values }) => values.lr)).toEqual([
      ...Array(3).fill(4e-4),
      ...Array(7).fill(1e-3),
    ]);
  });

  test("a change is saved with the update after it, so that a reload keeps it", async () => {
    const { all, store } = await run({
      onEvent: (event, it) => {
        if (event.type === "metrics" && event.update === 5) it.applyChanges({ "actor.lr": 1e-3 });
        if (event.type === "metrics" && event.update === 7) void it.stop();
      },
    });
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1, 4, 5, 7]);
    const { config: kept } = (await store.loadLatestGood("fake"))!.checkpoint.meta;
    expect(kept).toMatchObject({ actor: { lr: 1e-3 } });
  });
});

describe("a change that no update follows", () => {
  const stored = async (store: SupervisorDeps<FakeRun>["store"]) =>
    (await store.loadLatestGood("fake"))!.checkpoint.meta.config as RunConfig;

  test("is saved by a paused run, at once", async () => {
    const { supervisor, store, metrics } = await pausedAt(5);
    supervisor.applyChanges({ "trainer.total_updates": 30 });
    await vi.waitFor(async () => expect((await stored(store)).trainer.total_updates).toBe(30));
    expect(metrics()).toEqual(upTo(5));
    await supervisor.stop();
  });

  test.each(["pause", "stop"] as const)(
    "is saved when it comes while the run is being saved to %s",
    async (command) => {
      const store = openStore(opfsFiles(fakeOpfs({ move: true })));
      const { supervisor } = harness({ store, onEvent: atUpdate(5, (it) => void it[command]()) });
      const save = store.save.bind(store);
      store.save = (runId, update, bytes) => {
        if (update === 5) {
          store.save = save;
          supervisor.applyChanges({ "actor.lr": 1e-5 });
        }
        return save(runId, update, bytes);
      };
      await supervisor.start(config);
      await vi.waitFor(async () => expect((await stored(store)).actor.lr).toBe(1e-5));
      await supervisor.stop();
    },
  );

  test("waits for the next update where the weights may not be kept, and the run waits with it", async () => {
    const { supervisor, store, metrics } = await pausedAt(5, { trouble: { nonFinite: [5] } });
    supervisor.applyChanges({ "actor.lr": 1e-5 });
    await new Promise((resolve) => setImmediate(resolve));
    expect((await stored(store)).actor.lr).toBe(4e-4);
    expect(metrics()).toEqual(upTo(5));
    await supervisor.step();
    expect((await stored(store)).actor.lr).toBe(1e-5);
    await supervisor.stop();
  });

  test("is saved by a resumed run that ends at once", async () => {
    const first = await run();
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store });
    const shorter = { ...config, trainer: { ...config.trainer, total_updates: 3 } };
    await second.supervisor.start(shorter, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(second.metrics()).toEqual([]);
    expect((await stored(first.store)).trainer.total_updates).toBe(3);
  });

  test("is saved before the first update of a resumed run", async () => {
    const first = await run();
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store, trouble: { throwAt: new Map([[11, new Error("crash")]]) } });
    const longer = { ...config, trainer: { ...config.trainer, total_updates: 11 } };
    await second.supervisor.start(longer, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect((await stored(first.store)).trainer.total_updates).toBe(11);
  });
});

describe("losing the device", () => {
  test("in the middle of an update: restored, continued, every update reported once", async () => {
    const { events, all, metrics, builds } = await run({ trouble: { lose: [7] } });
    expect(all("device_lost")).toEqual([
      {
        type: "device_lost",
        update: 6,
        message: "The fake device was lost",
        recovering: true,
        resumeFrom: 4,
      },
    ]);
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
    expect(all("trajectory").map(({ trajectory }) => trajectory.id)).toEqual(upTo(TOTAL).map((n) => `t${n}`));
    expect(all("stage")).toHaveLength(1);
    expect(all("run_started")).toHaveLength(1);
    expect(all("phase").filter(({ update, phase }) => update === 5 && phase === "rollout")).toHaveLength(2);
    expect(builds.map(({ disposed }) => disposed)).toEqual([true, true]);
    expect(finish(events).reason).toBe("completed");
  });

  test("before the first checkpoint: begun again", async () => {
    const { all, metrics } = await run({ trouble: { lose: [1] } });
    expect(all("device_lost")[0]).toMatchObject({ resumeFrom: 0 });
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
  });

  test("an odd error that comes from a loss counts as one", async () => {
    const { all, events } = await run({ trouble: { breakBuffers: [6] } });
    expect(all("device_lost")).toHaveLength(1);
    expect(finish(events).reason).toBe("completed");
  });

  test("too little memory counts as one", async () => {
    const throwAt = new Map([[6, new GpuError("out_of_memory", "no room")]]);
    const { all, events } = await run({ trouble: { throwAt } });
    expect(all("device_lost")[0]).toMatchObject({ message: "no room" });
    expect(finish(events).reason).toBe("completed");
  });

  test("values that were changed stay changed", async () => {
    const { all } = await run({
      trouble: { lose: [7] },
      onEvent: atUpdate(5, (it) => it.applyChanges({ "actor.lr": 1e-3 })),
    });
    expect(all("metrics").at(-1)!.values.lr).toBe(1e-3);
    expect(all("config_changed")).toHaveLength(1);
  });

  test("while paused: recovered, and still paused", async () => {
    const { supervisor, all, metrics, builds } = await pausedAt(5);
    expect(all("paused")).toHaveLength(0);
    supervisor.loseDevice();
    await vi.waitFor(() => expect(builds).toHaveLength(2));
    // No command follows, so the run must report by itself that it is back and paused.
    await vi.waitFor(() => expect(all("paused")).toEqual([{ type: "paused", update: 5 }]));
    await supervisor.pause();
    expect(all("device_lost")[0]).toMatchObject({ resumeFrom: 5, recovering: true });
    expect(metrics()).toEqual(upTo(5));
    supervisor.resume();
    await supervisor.done;
    expect(metrics()).toEqual(upTo(TOTAL));
  });

  test("during a step: the step is the first new update", async () => {
    const { supervisor, metrics } = await pausedAt(6, { trouble: { lose: [7] } });
    await supervisor.step();
    expect(metrics()).toEqual(upTo(7));
    await supervisor.stop();
  });

  test("three times without a new update: paused, with advice; resume tries again", async () => {
    const { supervisor, all, metrics, builds } = harness({ trouble: { lose: [7, 7, 7] } });
    await supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toHaveLength(1));
    expect(all("device_lost").map(({ recovering }) => recovering)).toEqual([true, true, false]);
    expect(all("warning")[0]).toMatchObject({
      code: "device_unstable",
      hint: expect.stringContaining("smaller preset"),
    });
    expect(builds).toHaveLength(3);
    await supervisor.pause();
    expect(() => supervisor.applyChanges({ "actor.lr": 1 })).toThrow("not training");
    supervisor.resume();
    await supervisor.done;
    expect(metrics()).toEqual(upTo(TOTAL));
  });

  test("often, with a new update in between: continues", async () => {
    const { all, events } = await run({ trouble: { lose: [3, 4, 5, 6, 7] }, tick: cheapSaves });
    expect(all("device_lost").map(({ recovering }) => recovering)).toEqual(Array(5).fill(true));
    expect(finish(events).reason).toBe("completed");
  });

  test("time-outs of the same step, however far apart: paused, with advice", async () => {
    const late = () => new GpuError("timeout", "The GPU did not answer for 120 s.");
    const throwAt = new Map([[7, late()]]);
    const { supervisor, all, events } = harness({
      trouble: { throwAt },
      tick: 60_000,
      onEvent: (event) => event.type === "device_lost" && throwAt.set(7, late()),
    });
    await supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toHaveLength(1));
    expect(all("device_lost")).toHaveLength(3);
    expect(all("warning")[0]).toMatchObject({
      code: "device_unstable",
      hint: expect.stringContaining("time limit"),
    });
    await supervisor.stop();
    expect(finish(events).reason).toBe("stopped");
  });

  test("again while the new device is being set up: counts as the next", async () => {
    const again = () => new GpuError("device_lost", "again");
    const { supervisor, all } = harness({ trouble: { lose: [5] }, buildErrors: [null, again(), again()] });
    await supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toHaveLength(1));
    expect(all("device_lost").map(({ message, recovering }) => [message, recovering])).toEqual([
      ["The fake device was lost", true],
      ["again", true],
      ["again", false],
    ]);
    await supervisor.stop();
  });

  test("no adapter for a while: waits longer and longer", async () => {
    const gone = () => new GpuError("no_adapter", "not yet");
    const { sleeps, events } = await run({ trouble: { lose: [5] }, buildErrors: [null, gone(), gone()] });
    expect(sleeps).toEqual([1000, 3000, 9000]);
    expect(finish(events).reason).toBe("completed");
  });

  const gone = () => new GpuError("no_adapter", "none left");
  test("no adapter for long: paused, with advice; every resume tries again until one is back", async () => {
    const { supervisor, all, metrics, sleeps, events } = harness({
      trouble: { lose: [7] },
      buildErrors: [null, gone(), gone(), gone(), gone(), new Error("half a device"), gone(), gone()],
    });
    await supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toHaveLength(1));
    expect(all("warning")[0]).toMatchObject({
      code: "device_absent",
      message: "No graphics device became available again: none left",
      hint: expect.stringContaining("Press Resume"),
    });
    expect(sleeps).toEqual([1000, 3000, 9000]);
    await supervisor.pause();
    supervisor.resume();
    await vi.waitFor(() => expect(all("warning")).toHaveLength(2));
    expect(sleeps).toHaveLength(6);
    supervisor.resume();
    await supervisor.done;
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(all("device_lost")).toHaveLength(1);
    expect(finish(events).reason).toBe("completed");
  });

  test("a run that waits for a device can be stopped, with its checkpoint kept", async () => {
    const { events, store } = await run({
      trouble: { lose: [5] },
      buildErrors: [null, gone(), gone(), gone()],
      onEvent(event, it) {
        if (event.type === "warning") void it.stop();
      },
    });
    expect(finish(events)).toEqual({ type: "run_finished", update: 4, reason: "stopped" });
    expect((await store.loadLatestGood("fake"))!.checkpoint.meta.update).toBe(4);
  });

  test("stop during recovery ends the run at the checkpoint", async () => {
    const { events, builds } = await run({
      trouble: { lose: [7] },
      onEvent(event, it) {
        if (event.type === "device_lost") void it.stop();
      },
    });
    expect(finish(events)).toEqual({ type: "run_finished", update: 4, reason: "stopped" });
    expect(builds).toHaveLength(1);
  });

  test("stop while paused for an unstable device ends the run", async () => {
    const { supervisor, events, all } = harness({ trouble: { lose: [6, 6, 6] } });
    await supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toHaveLength(1));
    await supervisor.stop();
    expect(finish(events)).toMatchObject({ update: 4, reason: "stopped" });
  });

  test("a checkpoint requested meanwhile is made after the recovery", async () => {
    let saved: Promise<{ name: string }> | undefined;
    await run({
      trouble: { lose: [7] },
      onEvent(event, it) {
        if (event.type === "device_lost") saved = it.saveCheckpoint();
      },
    });
    expect((await saved!).name).toContain("000004");
  });

  test("a damaged newest checkpoint is skipped with a warning", async () => {
    const store = openStore(opfsFiles(fakeOpfs({ move: true })));
    const { all } = await run({
      store,
      trouble: { lose: [10] },
      onEvent: atUpdate(9, () => void store.save("fake", 8, new Uint8Array(3))),
    });
    expect(all("device_lost")[0]).toMatchObject({ resumeFrom: 4 });
    expect(all("warning")[0]).toMatchObject({
      code: "checkpoint_truncated",
      message: expect.stringContaining("uses the checkpoint of update 4 instead"),
    });
  });
});

describe("losing the device while the run is prepared", () => {
  const lost = () => new GpuError("device_lost", "Instance dropped");
  const adapterLost = () => new GpuError("adapter_lost", "not back yet");

  test.each([
    ["once", [lost()]],
    ["twice", [lost(), lost()]],
    ["with the adapter gone for a while", [adapterLost(), adapterLost(), adapterLost()]],
    ["for want of memory", [new GpuError("out_of_memory", "no room")]],
    ["by a time-out", [new GpuError("timeout", "no answer")]],
  ])("%s: the start is retried", async (_, buildErrors) => {
    const { events, all, metrics } = await run({ buildErrors });
    expect(all("device_lost")[0]).toMatchObject({ update: 0, resumeFrom: 0, recovering: true });
    expect(all("run_started")).toHaveLength(1);
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(finish(events).reason).toBe("completed");
  });

  test("three times: paused, with advice; resume tries again", async () => {
    const { supervisor, all, metrics } = harness({ buildErrors: [lost(), lost(), lost()] });
    const started = supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toMatchObject([{ code: "device_unstable" }]));
    supervisor.resume();
    await started;
    await supervisor.done;
    expect(metrics()).toEqual(upTo(TOTAL));
  });

  test("a stop ends the start, and leaves nothing behind", async () => {
    const { supervisor, all, events, store } = harness({ buildErrors: [lost(), lost(), lost()] });
    const started = supervisor.start(config);
    await vi.waitFor(() => expect(all("warning")).toHaveLength(1));
    await supervisor.stop();
    await started;
    expect(finish(events)).toEqual({ type: "run_finished", update: 0, reason: "stopped" });
    expect(await store.runs()).toEqual([]);
  });

  test("a run that does not fit is refused after one more attempt", async () => {
    const full = () => new GpuError("out_of_memory", "no room", "Choose a smaller preset.");
    const { supervisor, store } = harness({ buildErrors: [full(), full()] });
    await expect(supervisor.start(config)).rejects.toMatchObject({ hint: "Choose a smaller preset." });
    await supervisor.done;
    expect(await store.runs()).toEqual([]);
  });

  test("a run resumed into an empty folder goes back to the checkpoint that it came from", async () => {
    const first = await run({ onEvent: atUpdate(6, (it) => void it.stop()) });
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ buildErrors: [lost()], trouble: { lose: [7] } });
    await second.supervisor.start(config, { good, history: [] });
    await second.supervisor.done;
    expect(second.all("device_lost").map(({ resumeFrom }) => resumeFrom)).toEqual([6, 6]);
    expect(second.metrics()).toEqual([7, 8, 9, 10]);
    expect(second.all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
  });
});

describe("losing the device at any moment", () => {
  type Moment = (event: TrainerEvent) => boolean;
  const phaseOf =
    (name: string, update: number): Moment =>
    (event) =>
      event.type === "phase" && event.phase === name && event.update === update;
  const moments: [string, Moment][] = [
    ["the start", ({ type }) => type === "run_started"],
    ["playing", phaseOf("rollout", 5)],
    ["an episode", (event) => event.type === "trajectory" && event.update === 5],
    ["optimising", phaseOf("update", 5)],
    ["the first update", phaseOf("update", 1)],
    ["the last update", phaseOf("update", TOTAL)],
    ["metrics", (event) => event.type === "metrics" && event.update === 5],
    ["validating", phaseOf("validate", 5)],
    ["a validation", ({ type }) => type === "validation"],
    ["a checkpoint", (event) => event.type === "checkpoint" && event.update === 5],
    ["the last checkpoint", (event) => event.type === "checkpoint" && event.update === TOTAL],
  ];

  test.each(moments)("%s: at most one update is computed twice, each is reported once", async (_, moment) => {
    let isLost = false;
    const { events, all, metrics } = await run({
      tick: cheapSaves,
      trouble: { validate: [5] },
      onEvent(event, it) {
        if (isLost || !moment(event)) return;
        isLost = true;
        it.loseDevice();
      },
    });
    expect(isLost).toBe(true);
    expect(metrics()).toEqual(upTo(TOTAL));
    expect(all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
    expect(all("validation").map(({ report }) => report.temperature)).toEqual([1, 0]);
    const played = all("phase").filter(({ phase }) => phase === "rollout").length;
    expect(played - TOTAL).toBeLessThanOrEqual(1);
    expect(finish(events).reason).toBe("completed");
  });

  test.each(["pause", "step", "stop", "saveCheckpoint"] as const)(
    "with a %s on the way: it is carried out",
    async (command) => {
      let asked: Promise<unknown> | undefined;
      const { supervisor, metrics, events } = harness({
        tick: cheapSaves,
        onEvent(event, it) {
          if (asked || !phaseOf("update", 5)(event)) return;
          asked = it[command]();
          it.loseDevice();
        },
      });
      await supervisor.start(config);
      await vi.waitFor(() => expect(asked).toBeDefined());
      await asked;
      supervisor.resume();
      await supervisor.done;
      expect(metrics()).toEqual(upTo(command === "stop" ? 4 : TOTAL));
      expect(finish(events).reason).toBe(command === "stop" ? "stopped" : "completed");
    },
  );

  test("while the state is read for a checkpoint", async () => {
    const all = harness({ tick: cheapSaves, onEvent: atUpdate(4, () => breakSave(all.builds[0]!)) });
    const breakSave = (fake: FakeRun) => {
      fake.save = () => {
        fake.loseDevice();
        return Promise.reject(new Error("mapAsync: the buffer was destroyed"));
      };
    };
    await all.supervisor.start(config);
    await all.supervisor.done;
    expect(all.metrics()).toEqual(upTo(TOTAL));
    expect(all.all("device_lost")).toMatchObject([{ update: 4, resumeFrom: 3 }]);
    expect(finish(all.events).reason).toBe("completed");
  });
});

describe("numbers that are not finite", () => {
  test("a skipped step now and then is survived", async () => {
    const { events, store } = await run({ trouble: { nonFinite: [2, 3, 5, 6, 8] } });
    expect(finish(events).reason).toBe("completed");
    expect(await loadHistory(store, "fake")).toContainEqual(
      expect.objectContaining({
        update: 5,
        values: expect.objectContaining({ "actor/ppo_kl": Number.NaN }),
      }),
    );
  });

  test("when the policy gives up, the run has diverged; no checkpoint is made of what led there", async () => {
    const { events, metrics, all, store } = await run({ trouble: { nonFinite: [7, 8, 9] } });
    expect(metrics()).toEqual(upTo(8));
    expect(finish(events)).toMatchObject({
      update: 8,
      reason: "diverged",
      error: { code: "non_finite", hint: "Halve actor.lr." },
    });
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1, 4]);
    expect((await store.loadLatestGood("fake"))!.checkpoint.meta.update).toBe(4);
  });

  test("a run that diverges goes back to a milestone, not to the update before", async () => {
    const { all, store } = await run({ trouble: { nonFinite: [7, 8, 9] }, tick: cheapSaves });
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1, 2, 3, 4, 5, 6, 4]);
    expect((await store.list("fake")).map(({ update }) => update)).toEqual([4, 3, 2, 1]);
  });

  test("a file requested then is returned, but not stored", async () => {
    let asked: ReturnType<Supervisor<FakeRun>["saveCheckpoint"]> | undefined;
    const { all, store } = await run({
      trouble: { nonFinite: [4, 5, 6] },
      onEvent: atUpdate(4, (it) => {
        asked = it.saveCheckpoint();
      }),
    });
    const { name, bytes } = await asked!;
    expect((await decodeCheckpoint(bytes, name)).meta.update).toBe(4);
    expect(all("warning")).toMatchObject([{ code: "checkpoint_unfit", update: 4 }]);
    expect(all("checkpoint").map(({ update }) => update)).toEqual([1]);
    expect((await store.loadLatestGood("fake"))!.checkpoint.meta.update).toBe(1);
  });
});

describe("other failures", () => {
  test("an unexpected error ends the run as failed, with its message", async () => {
    const throwAt = new Map([[6, new TypeError("x is undefined")]]);
    const { events, builds } = await run({ trouble: { throwAt } });
    expect(finish(events)).toMatchObject({
      reason: "failed",
      error: { code: "internal", message: "x is undefined" },
    });
    expect(builds[0]!.disposed).toBe(true);
  });

  test("a full disk is reported and does not end the run", async () => {
    const options = { move: true, failAfter: 50 };
    const { events, all } = await run({ store: openStore(opfsFiles(fakeOpfs(options))) });
    expect(finish(events).reason).toBe("completed");
    expect(all("checkpoint")).toHaveLength(0);
    const codes = all("warning").map(({ code }) => code);
    expect(codes.sort()).toEqual(["storage", "storage_log"]);
    expect(all("warning")[0]!.message).toContain("there is no room left to write");
  });
});

describe("resuming a stored run", () => {
  const stopAt = (update: number) => atUpdate(update, (it) => void it.stop());

  test("continues from the checkpoint; what was already reported is not reported again", async () => {
    const first = await run({ onEvent: stopAt(6) });
    const good = (await first.store.loadLatestGood("fake"))!;
    const history = await loadHistory(first.store, "fake");
    const second = harness({ store: first.store });
    await second.supervisor.start(config, { good, history });
    await second.supervisor.done;
    expect(second.all("run_started")[0]).toMatchObject({ update: 6 });
    expect(second.metrics()).toEqual([7, 8, 9, 10]);
    expect(second.all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
  });

  test("a validation after the checkpoint of its update is not made again", async () => {
    const first = await run({
      // The update is saved when its metrics come, because a minute has passed; then comes its validation.
      tick: 40_000,
      trouble: { validate: [6] },
      onEvent(event, it) {
        if (event.type === "validation") void it.stop();
      },
    });
    expect(
      first
        .all("checkpoint")
        .map(({ update }) => update)
        .slice(-2),
    ).toEqual([6, 6]);
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store, trouble: { validate: [6] } });
    await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(second.all("phase").filter(({ phase }) => phase === "validate")).toEqual([]);
  });

  test("makes the validation again within which it was stopped", async () => {
    const trouble: Trouble = { validate: [6] };
    const first = await run({ trouble, onEvent: whileValidating((it) => void it.stop()) });
    expect(finish(first.events)).toMatchObject({ reason: "stopped", update: 6 });
    expect(first.all("phase").filter(isValidating)).toHaveLength(2);
    expect(first.all("validation")).toEqual([]);
    const history = await loadHistory(first.store, "fake");
    expect(history.filter(({ type }) => type === "validation")).toEqual([]);
    const good = (await first.store.loadLatestGood("fake"))!;
    expect(good.entry.update).toBe(6);
    const second = harness({ store: first.store, trouble });
    await second.supervisor.start(config, { good, history });
    await second.supervisor.done;
    expect(second.all("validation").map(({ report }) => report.temperature)).toEqual([1, 0]);
    expect(second.all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
  });

  test("after a crash between checkpoints, the missing updates are computed again in silence", async () => {
    const first = await run({ trouble: { throwAt: new Map([[7, new Error("crash")]]) } });
    const good = (await first.store.loadLatestGood("fake"))!;
    expect(good.entry.update).toBe(4);
    const second = harness({ store: first.store });
    await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(first.metrics()).toEqual(upTo(6));
    expect(second.metrics()).toEqual([7, 8, 9, 10]);
  });

  test("keeps the newest trajectories with the run, over sessions", async () => {
    const first = await run({ keepTraces: 4, onEvent: stopAt(6) });
    const ids = async () =>
      (await loadTraces(first.store, "fake")).map((event) => `${event.update} ${event.trajectory.id}`);
    expect(await ids()).toEqual(["3 t3", "4 t4", "5 t5", "6 t6"]);
    const second = harness({ store: first.store, keepTraces: 4, onEvent: stopAt(8) });
    const good = (await first.store.loadLatestGood("fake"))!;
    await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(await ids()).toEqual(["5 t5", "6 t6", "7 t7", "8 t8"]);
    expect(await (await run()).store.loadTrajectories("fake")).toEqual([]);
  });

  test("an episode that is played again after a crash is stored once", async () => {
    const crash = { throwAt: new Map([[7, new Error("crash")]]) };
    const first = await run({ keepTraces: 6, trouble: crash, tick: cheapSaves });
    const updates = async () => (await loadTraces(first.store, "fake")).map(({ update }) => update);
    expect(await updates()).toEqual([2, 3, 4, 5, 6, 7]);
    const good = (await first.store.loadLatestGood("fake"))!;
    expect(good.entry.update).toBe(6);
    const second = harness({ store: first.store, keepTraces: 6, onEvent: stopAt(8) });
    await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(await updates()).toEqual([3, 4, 5, 6, 7, 8]);
  });

  test("a full disk costs the trajectories, not the run", async () => {
    const store = openStore(opfsFiles(fakeOpfs({ move: true })));
    store.saveTrajectories = () => Promise.reject(new Error("the disk is full"));
    const { events, all } = await run({ store, keepTraces: 4 });
    expect(finish(events).reason).toBe("completed");
    expect(all("warning").map(({ code }) => code)).toEqual(["storage_traces"]);
  });

  test("a finished run is extended; its log has the change before the start", async () => {
    const first = await run();
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store });
    const longer = { ...config, trainer: { ...config.trainer, total_updates: 11 } };
    await second.supervisor.start(longer, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    const change = { update: TOTAL, path: "trainer.total_updates", from: 8, to: 11 };
    expect(second.events.filter(({ type }) => type !== "prepare").slice(0, 2)).toMatchObject([
      { type: "config_changed", ...change },
      { type: "run_started", update: TOTAL, totalUpdates: 13 },
    ]);
    expect(second.metrics()).toEqual([11, 12, 13]);
    expect(second.all("metrics").at(-1)!.values.sum).toBe(sumTo(13));
    expect((await loadHistory(first.store, "fake")).filter(({ type }) => type === "metrics")).toHaveLength(
      13,
    );
  });

  test("with other settings, the updates after the checkpoint are reported again, and the log keeps one history", async () => {
    const first = await run({ keepTraces: 9, trouble: { nonFinite: [7, 8, 9] } });
    expect(finish(first.events)).toMatchObject({ reason: "diverged", update: 8 });
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store, keepTraces: 9 });
    const gentler = { ...config, actor: { ...config.actor, lr: 2e-4 } };
    await second.supervisor.start(gentler, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(second.events.filter(({ type }) => type !== "prepare").slice(0, 3)).toMatchObject([
      { type: "rewound", update: 4, from: 8 },
      { type: "config_changed", update: 4, path: "actor.lr", from: 4e-4, to: 2e-4 },
      { type: "run_started", update: 4 },
    ]);
    expect(second.metrics()).toEqual([5, 6, 7, 8, 9, 10]);
    // Saved at once, so that a reload keeps the change.
    expect(second.all("checkpoint").map(({ update }) => update)).toEqual([4, 8, 10]);
    const history = await loadHistory(first.store, "fake");
    const logged = history.filter((event): event is EventOf<"metrics"> => event.type === "metrics");
    expect(logged.map(({ update, values }) => [update, values.lr])).toEqual(
      upTo(TOTAL).map((n) => [n, n <= 4 ? 4e-4 : 2e-4]),
    );
    expect(history.filter(({ type }) => type === "run_finished")).toMatchObject([{ reason: "completed" }]);
    const traces = await loadTraces(first.store, "fake");
    expect(traces.map(({ update }) => update)).toEqual(upTo(TOTAL).slice(1));
  });

  test("the same holds after a divergence without changes; after a crash nothing is reported twice", async () => {
    const again = async (trouble: Trouble) => {
      const first = await run({ trouble });
      const good = (await first.store.loadLatestGood("fake"))!;
      const second = harness({ store: first.store });
      await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
      await second.supervisor.done;
      return { metrics: second.metrics(), rewinds: second.all("rewound").length };
    };
    expect(await again({ nonFinite: [6, 7, 8] })).toEqual({ metrics: [5, 6, 7, 8, 9, 10], rewinds: 1 });
    const throwAt = new Map([[7, new Error("crash")]]);
    expect(await again({ throwAt })).toEqual({ metrics: [7, 8, 9, 10], rewinds: 0 });
  });

  test("a change that the checkpoint does not have is no part of the story that is kept", async () => {
    const first = await run({
      trouble: { throwAt: new Map([[5, new Error("crash")]]) },
      onEvent: (event, it) => {
        if (event.type === "phase" && event.update === 5) it.applyChanges({ "actor.lr": 1e-3 });
      },
    });
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store });
    const gentler = { ...config, actor: { ...config.actor, lr: 1e-3 } };
    await second.supervisor.start(gentler, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    const changes = (await loadHistory(first.store, "fake")).filter(({ type }) => type === "config_changed");
    expect(changes).toEqual(second.all("config_changed"));
    expect(changes).toHaveLength(1);
  });

  test("goes back to an earlier checkpoint and waits there, and then does it all again", async () => {
    const first = await run({ keepTraces: 9, onEvent: stopAt(6) });
    const [newest, entry] = await first.store.list("fake");
    expect([newest!.update, entry!.update]).toEqual([6, 4]);
    const bytes = await first.store.load("fake", entry!.name);
    const good = { entry: entry!, checkpoint: await decodeCheckpoint(bytes, entry!.name), skipped: [] };
    await first.store.removeAfter("fake", 4);
    const history = await loadHistory(first.store, "fake");
    const waits = deferred();
    const onEvent = ({ type }: TrainerEvent) => void (type === "paused" && waits.resolve());
    const second = harness({ store: first.store, keepTraces: 9, onEvent });
    await second.supervisor.start(config, { good, history, goesBack: true });
    await waits.promise;
    expect(second.events.filter(({ type }) => type !== "prepare")).toMatchObject([
      { type: "rewound", update: 4, from: 6 },
      { type: "checkpoint", update: 4, name: entry!.name },
      { type: "run_started", update: 4 },
      { type: "paused", update: 4 },
    ]);
    second.supervisor.resume();
    await second.supervisor.done;
    expect(second.metrics()).toEqual([5, 6, 7, 8, 9, 10]);
    expect(second.all("metrics").at(-1)!.values.sum).toBe(sumTo(TOTAL));
    const logged = (await loadHistory(first.store, "fake")).filter(({ type }) => type === "metrics");
    expect(logged).toHaveLength(TOTAL);
  });

  test("does again what it did with a change that its newest checkpoint does not have", async () => {
    const first = await run({
      onEvent: (event, it) => {
        if (event.type === "metrics" && event.update === 5) it.applyChanges({ "actor.lr": 1e-3 });
        if (event.type === "metrics" && event.update === 6) void it.stop();
      },
    });
    // As when the page is closed while a run goes back.
    await first.store.removeAfter("fake", 4);
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store });
    await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(second.all("rewound")).toMatchObject([{ update: 4, from: 6 }]);
    expect(second.metrics()).toEqual([5, 6, 7, 8, 9, 10]);
    const history = await loadHistory(first.store, "fake");
    expect(history.filter(({ type }) => type === "config_changed")).toEqual([]);
  });

  test("warns if the newest checkpoint was bad", async () => {
    const { supervisor, store, all } = harness();
    const fake = new FakeRun("fake", config, undefined, {});
    await store.save("fake", 1, await encodeCheckpoint(await fake.save()));
    await store.save("fake", 2, new Uint8Array(9));
    const good = (await store.loadLatestGood("fake"))!;
    expect(good.skipped[0]).toBeInstanceOf(CheckpointError);
    await supervisor.start(config, { good, history: [] });
    await supervisor.done;
    expect(all("warning")).toHaveLength(1);
  });
});

describe("alarms", () => {
  const changesIn = (events: readonly TrainerEvent[]) =>
    events.flatMap((e) => (e.type === "alarm" ? [`${e.alarm} ${e.state} ${e.update}`] : []));
  const both = ["kl_spike begun 2", "kl_spike over 7"];

  test("are reported after their update and stored with the run", async () => {
    const { events, store } = await run({ trouble: { leap: [2] } });
    expect(changesIn(events)).toEqual(both);
    const types = events.filter(({ type }) => type === "metrics" || type === "alarm");
    expect(types.slice(1, 3)).toMatchObject([
      { type: "metrics", update: 2 },
      { type: "alarm", update: 2, began: 2 },
    ]);
    expect(changesIn(await loadHistory(store, "fake"))).toEqual(both);
  });

  test("compare the updates of one stage, and are reported once in SFT too", async () => {
    const trouble = { sftLosses: [14, 14, 14], leap: [5], lose: [4] };
    const { events, store } = await run({ trouble, tick: 60_000 });
    const both = ["sft_loss begun 3", "kl_spike begun 5", "kl_spike over 10"];
    expect(changesIn(events)).toEqual(both);
    expect(changesIn(await loadHistory(store, "fake"))).toEqual(both);
  });

  test("follow the whole validation that they check, and a later one ends them, also after a crash", async () => {
    const both = ["weak_start begun 0", "weak_start over 6"];
    for (const crash of [99, 5, 8]) {
      const trouble = { validate: [0, 6], weak: [0], throwAt: new Map([[crash, new Error("crash")]]) };
      const first = await run({ trouble, tick: 20_000 });
      const types = first.events.map(({ type }) => type);
      expect(types.slice(types.indexOf("validation")).slice(0, 3)).toEqual([
        "validation",
        "validation",
        "alarm",
      ]);
      const good = (await first.store.loadLatestGood("fake"))!;
      const second = harness({ store: first.store, trouble });
      await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
      await second.supervisor.done;
      expect([...changesIn(first.events), ...changesIn(second.events)]).toEqual(both);
      expect(changesIn(await loadHistory(first.store, "fake"))).toEqual(both);
    }
  });

  test("of the first validation are reported once when the device is lost before the first checkpoint", async () => {
    for (const lose of [[1], [2], [1, 2, 6]]) {
      const trouble = { validate: [0, 6], weak: [0], lose: [...lose] };
      const { events, store } = await run({ trouble, tick: 60_000 });
      const both = ["weak_start begun 0", "weak_start over 6"];
      expect(changesIn(events)).toEqual(both);
      expect(changesIn(await loadHistory(store, "fake"))).toEqual(both);
      expect(events.filter(({ type }) => type === "device_lost")).toHaveLength(lose.length);
    }
  });

  test("of a validation count levels, not the episodes of the same one", async () => {
    const { events } = await run({ trouble: { validate: [0], weak: [0], samples: 8 } });
    expect(events.filter(({ type }) => type === "validation")).toHaveLength(2);
    expect(changesIn(events)).toEqual([]);
  });

  test("are reported once when their updates are repeated after a loss", async () => {
    const { events } = await run({ trouble: { leap: [2], lose: [4, 9] }, tick: 60_000 });
    expect(changesIn(events)).toEqual(both);
  });

  test("are reported once over a crash and the session that resumes the run", async () => {
    for (const crash of [3, 6, 8]) {
      const trouble = { leap: [2], throwAt: new Map([[crash, new Error("crash")]]) };
      const first = await run({ trouble, tick: 20_000 });
      const good = (await first.store.loadLatestGood("fake"))!;
      const second = harness({ store: first.store, trouble });
      await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
      await second.supervisor.done;
      expect([...changesIn(first.events), ...changesIn(second.events)]).toEqual(both);
      expect(changesIn(await loadHistory(first.store, "fake"))).toEqual(both);
    }
  });

  test("are reported again for updates that a run goes back before", async () => {
    const trouble = { leap: [6], nonFinite: [7, 8, 9] };
    const first = await run({ trouble });
    expect(changesIn(first.events)).toEqual(["kl_spike begun 6"]);
    const good = (await first.store.loadLatestGood("fake"))!;
    const second = harness({ store: first.store, trouble });
    await second.supervisor.start(config, { good, history: await loadHistory(first.store, "fake") });
    await second.supervisor.done;
    expect(changesIn(second.events)).toEqual(["kl_spike begun 6"]);
    expect(changesIn(await loadHistory(first.store, "fake"))).toEqual(["kl_spike begun 6"]);
  });
});
