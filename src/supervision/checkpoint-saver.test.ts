import { expect, test } from "vitest";
import { GpuError } from "../core/errors.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { openStore } from "../persistence/store.ts";
import { fakeOpfs } from "../persistence/testing/fake-opfs.ts";
import { faultyFiles } from "../persistence/testing/faulty-files.ts";
import type { TrainerEvent } from "../training/events.ts";
import { CheckpointSaver } from "./checkpoint-saver.ts";
import { LiveRun } from "./live-run.ts";
import { RunReporter } from "./run-reporter.ts";
import { config, FakeRun, fakeTrain } from "./testing/fake-run.ts";

const MINUTE = 60_000;
const provenance = { command: "train", commit: "abc", seed: 1, figures: {} };

/** A saver of a run at update 5 that was built from its own checkpoint of that update, or from nothing. */
function saverOf({ isStored = true, store = openStore(opfsFiles(fakeOpfs({ move: true }))) } = {}) {
  const events: TrainerEvent[] = [];
  const time = { now: 0 };
  const clock = { now: () => time.now, sleep: () => Promise.resolve() };
  const deps = {
    store,
    clock,
    provenance: () => provenance,
    emit: (event: TrainerEvent) => events.push(event),
  };
  const reporter = new RunReporter("fake", deps);
  const saver = new CheckpointSaver("fake", deps, reporter);
  const run = new FakeRun("fake", config, undefined, {});
  run.update = 5;
  saver.begin(run.update, isStored);
  const live = new LiveRun(run, fakeTrain);
  const saved = () => events.flatMap((event) => (event.type === "checkpoint" ? [event.update] : []));
  return { saver, reporter, run, live, time, saved, events };
}

test("a stored state is not stored again until it changes", async () => {
  const { saver, live, saved } = saverOf();
  await saver.saveIfNew(live);
  expect(saved()).toEqual([]);
  saver.invalidate();
  await saver.saveIfNew(live);
  await saver.saveIfNew(live);
  expect(saved()).toEqual([5]);
});

/** Saves what is due after each update. A save takes `cost` milliseconds. */
function dueAt(cost: number) {
  const store = openStore(opfsFiles(fakeOpfs({ move: true })));
  const all = saverOf({ store });
  const { saver, run, live, time } = all;
  const save = store.save.bind(store);
  store.save = (...args) => {
    time.now += cost;
    return save(...args);
  };
  const saveAt = (update: number, now: number) => {
    run.update = update;
    time.now = now;
    return saver.saveIfDue(live);
  };
  return { ...all, saveAt };
}

test("a checkpoint is due a minute after the last one, however long saving takes", async () => {
  const { saver, saveAt, saved } = dueAt(2000);
  await saveAt(6, 0);
  await saveAt(7, MINUTE - 1);
  expect(saved()).toEqual([6]);
  await saveAt(9, MINUTE);
  await saveAt(10, 2 * MINUTE - 1);
  expect(saved()).toEqual([6, 9]);
  saver.saveSoon();
  await saveAt(11, 2 * MINUTE - 1);
  expect(saved()).toEqual([6, 9, 11]);
});

test("a checkpoint is also due when saving takes less than 2 % of the time since the last", async () => {
  const { saveAt, saved, events } = dueAt(10);
  await saveAt(6, 0);
  await saveAt(7, 499);
  await saveAt(8, 500);
  await saveAt(9, 1000);
  expect(saved()).toEqual([6, 8, 9]);
  // 8 is a multiple of save_freq; the others are replaced soon.
  expect(events).toMatchObject([
    { update: 6, temporary: true },
    { update: 8, name: "update-000008.safetensors" },
    { update: 9, temporary: true },
  ]);
  expect(events[1]).not.toHaveProperty("temporary");
});

test("the log is stored before a checkpoint of the same update", async () => {
  const store = openStore(opfsFiles(fakeOpfs({ move: true })));
  const { saver, run, live, reporter } = saverOf({ store });
  const save = store.save.bind(store);
  const logged: unknown[] = [];
  store.save = async (...args) => {
    logged.push(...(await store.loadEvents("fake")));
    return save(...args);
  };
  run.update = 6;
  reporter.emit({ type: "metrics", stage: "ppo", update: 6, values: {}, tokens: 1, episodes: 1, wallMs: 1 });
  await saver.saveIfNew(live);
  expect(logged).toMatchObject([{ type: "metrics", update: 6 }]);
});

test("a run that was never stored is due at once", async () => {
  const { saver, live, saved } = saverOf({ isStored: false });
  await saver.saveIfDue(live);
  expect(saved()).toEqual([5]);
});

test("weights that may be broken are returned on request, and not stored", async () => {
  const { saver, run, live, saved, events } = saverOf();
  run.update = 6;
  saver.noteHealth({ "training/skipped_in_a_row": 1 });
  await saver.saveIfNew(live);
  const asked = saver.request();
  await saver.serve(live);
  const { name, bytes } = await asked;
  expect(name).toBe("fake-update-000006.safetensors");
  expect((await decodeCheckpoint(bytes, name)).meta.update).toBe(6);
  expect(saved()).toEqual([]);
  expect(events).toMatchObject([
    { type: "warning", code: "checkpoint_unfit", message: expect.stringContaining("update 6") },
  ]);
  run.update = 7;
  saver.noteHealth({ "training/skipped_in_a_row": 0 });
  await saver.saveIfNew(live);
  expect(saved()).toEqual([7]);
});

test("changed values are stored with the same update again, unless its weights may be broken", async () => {
  const { saver, live, saved } = saverOf();
  saver.noteChange();
  await saver.serve(live);
  await saver.serve(live);
  expect(saved()).toEqual([5]);
  saver.noteHealth({ "training/skipped_in_a_row": 1 });
  saver.noteChange();
  await saver.serve(live);
  expect(saved()).toEqual([5]);
});

test("a change made while the state is read is stored with the next one", async () => {
  const { saver, run, live, saved } = saverOf();
  saver.noteChange();
  const save = run.save.bind(run);
  run.save = () => {
    run.save = save;
    const state = save();
    saver.noteChange();
    return state;
  };
  await saver.serve(live);
  await saver.saveIfDue(live);
  await saver.saveIfDue(live);
  expect(saved()).toEqual([5, 5]);
});

test("every request gets the file, with its provenance", async () => {
  const { saver, live } = saverOf();
  const both = [saver.request(), saver.request()];
  expect(saver.hasWork).toBe(true);
  await saver.serve(live);
  expect(saver.hasWork).toBe(false);
  for (const { name, bytes } of await Promise.all(both)) {
    expect(name).toBe("fake-update-000005.safetensors");
    expect((await decodeCheckpoint(bytes, name)).meta.provenance).toEqual(provenance);
  }
});

test("a request stays pending when the device is lost, and is rejected when the run has ended", async () => {
  const { saver, run, live } = saverOf();
  const asked = saver.request();
  run.save = () => new Promise(() => {});
  const serving = saver.serve(live);
  run.loseDevice();
  await expect(serving).rejects.toThrow(GpuError);
  expect(saver.hasWork).toBe(true);
  saver.rejectRequests(new Error("too late"));
  await expect(asked).rejects.toThrow("too late");
});

test("a full disk is reported, and a request still gets its file", async () => {
  const store = openStore(opfsFiles(fakeOpfs({ move: true, failAfter: 1 })));
  const { saver, live, saved, events } = saverOf({ store });
  const asked = saver.request();
  await saver.serve(live);
  const { name, bytes } = await asked;
  expect(name).toBe("fake-update-000005.safetensors");
  expect((await decodeCheckpoint(bytes, name)).meta.update).toBe(5);
  expect(saved()).toEqual([]);
  expect(events).toMatchObject([{ type: "warning", code: "storage" }]);
});

test("a failed save is retried, also at the same update", async () => {
  const files = faultyFiles(memoryFiles(), { fault: "fail", at: 1 });
  const { saver, live, saved, events } = saverOf({ isStored: false, store: openStore(files) });
  await saver.saveIfNew(live);
  expect(saved()).toEqual([]);
  await saver.saveIfNew(live);
  expect(saved()).toEqual([5]);
  const codes = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  expect(codes).toEqual(["storage", "storage_works"]);
});

test("a damaged milestone does not cost a diverged run its intact checkpoints", async () => {
  const store = openStore(memoryFiles());
  const { saver, run } = saverOf({ store });
  for (const update of [4, 5, 6]) {
    run.update = update;
    const bytes = await encodeCheckpoint(await run.save());
    if (update === 4) bytes[bytes.length - 1]! ^= 1;
    await store.save("fake", update, bytes);
  }
  await saver.removeSinceMilestone(4);
  expect((await store.loadLatestGood("fake"))?.entry.update).toBe(6);
});
