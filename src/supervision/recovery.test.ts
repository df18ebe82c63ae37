// Only the attempts. supervisor.test.ts tests the recovery of a run with checkpoints and training.
import { expect, test, vi } from "vitest";
import { CheckpointError, GpuError } from "../core/errors.ts";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { openStore } from "../persistence/store.ts";
import { fakeOpfs } from "../persistence/testing/fake-opfs.ts";
import type { TrainerEvent } from "../training/events.ts";
import { Recovery } from "./recovery.ts";
import { RunControl } from "./run-control.ts";
import { RunReporter } from "./run-reporter.ts";

const gone = new GpuError("no_adapter", "none left");
const lost = (message: string) => new GpuError("device_lost", message);

/** A recovery whose n-th attempt throws the n-th error, or what the function throws; null, or none left, builds. */
function recoveryWith(errors: (Error | (() => Error) | null)[], wasBuilt = true) {
  const events: TrainerEvent[] = [];
  const waits: number[] = [];
  const starts: string[] = [];
  const control = new RunControl();
  const store = openStore(opfsFiles(fakeOpfs({ move: true })));
  const reporter = new RunReporter("fake", { store, emit: (event) => events.push(event) });
  const sleep = async (ms: number) => void waits.push(ms);
  const recovery = new Recovery({
    clock: { now: () => 0, sleep },
    control,
    reporter,
    lastGood: () => store.loadLatestGood("fake"),
    async startFrom() {
      starts.push("read");
      return undefined;
    },
    async attach() {
      const error = errors.shift();
      if (error) throw typeof error === "function" ? error() : error;
    },
    wasBuilt: () => wasBuilt,
  });
  recovery.noteLoss(lost("the driver was reset"));
  const warnings = () => events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  return { recovery, control, reporter, events, waits, starts, warnings };
}

test("reports the loss and the update to resume from, and retries until the run is built", async () => {
  const { recovery, reporter, events, waits, starts } = recoveryWith([gone, null]);
  reporter.update = 7;
  expect(await recovery.recover()).toBe(true);
  expect(waits).toEqual([1000, 3000]);
  expect(starts).toEqual(["read"]);
  expect(events).toEqual([
    {
      type: "device_lost",
      update: 7,
      message: "the driver was reset",
      recovering: true,
      resumeFrom: 0,
    },
  ]);
  expect(reporter.update).toBe(0);
});

test("a loss while building rejects; the third one without an update waits for a person", async () => {
  const { recovery, control, events, warnings } = recoveryWith([lost("again"), lost("and again")]);
  for (const message of ["again", "and again"]) {
    await expect(recovery.recover()).rejects.toThrow(message);
    recovery.noteLoss(lost(message));
  }
  const recovered = recovery.recover();
  await vi.waitFor(() => expect(warnings()).toEqual(["device_unstable"]));
  const advice = events.find(({ type }) => type === "warning");
  expect(advice).toMatchObject({
    message: expect.stringContaining("3 times without a new update"),
    hint: expect.stringContaining("smaller preset"),
  });
  control.resume();
  expect(await recovered).toBe(true);
  recovery.noteLoss(lost("much later"));
  expect(await recovery.recover()).toBe(true);
  expect(warnings()).toHaveLength(1);
});

test("a new update resets the count of losses", async () => {
  const { recovery, warnings } = recoveryWith([]);
  for (let i = 0; i < 10; i++) {
    expect(await recovery.recover()).toBe(true);
    recovery.noteUpdate();
    recovery.noteLoss(lost("again"));
  }
  expect(warnings()).toEqual([]);
});

test("no device at all: waits for a person after three attempts, as often as it takes", async () => {
  const { recovery, control, waits, warnings } = recoveryWith([gone, gone, gone, gone, gone, gone]);
  const recovered = recovery.recover();
  for (const times of [1, 2]) {
    await vi.waitFor(() => expect(warnings()).toEqual(Array(times).fill("device_absent")));
    expect(waits).toHaveLength(3 * times);
    control.resume();
  }
  expect(await recovered).toBe(true);
});

test("a run is not rebuilt after a stop, whenever it is requested", async () => {
  const early = recoveryWith([]);
  void early.control.stop();
  expect(await early.recovery.recover()).toBe(false);
  expect([...early.starts, ...early.waits]).toEqual([]);
  const late = recoveryWith([gone, gone, gone]);
  const recovered = late.recovery.recover();
  await vi.waitFor(() => expect(late.warnings()).toEqual(["device_absent"]));
  void late.control.stop();
  expect(await recovered).toBe(false);
});

test("a stop during the last attempt ends the recovery without advice", async () => {
  const stopped = () => {
    void all.control.stop();
    return new Error("the build was stopped");
  };
  const all = recoveryWith([gone, gone, stopped]);
  expect(await all.recovery.recover()).toBe(false);
  expect([all.waits.length, all.warnings()]).toEqual([3, []]);
});

test("rejects with the error of the first build, which is not a missing device", async () => {
  const unfit = new CheckpointError("wrong_architecture", "the checkpoint is of another model");
  await expect(recoveryWith([unfit], false).recovery.recover()).rejects.toBe(unfit);
  // The adapter may come back, before the first build too.
  const away = new GpuError("adapter_lost", "the adapter is gone");
  expect(await recoveryWith([away, null], false).recovery.recover()).toBe(true);
});
