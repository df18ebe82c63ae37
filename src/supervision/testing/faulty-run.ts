// A whole short run on a file system on which writes go wrong.
import { memoryFiles } from "../../persistence/memory-files.ts";
import { openStore } from "../../persistence/store.ts";
import { type FaultPlan, faultyFiles } from "../../persistence/testing/faulty-files.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { Supervisor } from "../supervisor.ts";
import { config, FakeRun, fakeTrain } from "./fake-run.ts";

/** The run's id in its store. */
export const RUN_ID = "fake";

/** Trains a fake run to its end while writes fail as planned. */
export async function runOnFaultyStore(plan: FaultPlan) {
  const memory = memoryFiles();
  const files = faultyFiles(memory, plan);
  const truth = openStore(memory);
  const newest = async () => (await truth.loadLatestGood(RUN_ID).catch(() => null))?.entry.update ?? 0;
  const events: TrainerEvent[] = [];
  const looks: Promise<{ saved: number; newest: number }>[] = [];
  let time = 0;
  const supervisor = new Supervisor<FakeRun>(RUN_ID, {
    store: openStore(files),
    requestGpu: async () => ({}) as GPU,
    build: async ({ runId, config: given, checkpoint }) => new FakeRun(runId, given, checkpoint, {}),
    train: fakeTrain,
    keepTraces: 3,
    loadInitial: () => Promise.reject(new Error("there is none")),
    emit(event) {
      time += 8_000;
      events.push(event);
      if (event.type === "checkpoint")
        looks.push(newest().then((found) => ({ saved: event.update, newest: found })));
    },
    clock: { now: () => time, sleep: () => Promise.resolve() },
  });
  await supervisor.start(config);
  await supervisor.done;
  return {
    files,
    /** The store as it is on the disk. */
    truth,
    events,
    /** At each report of a checkpoint: its update, and that of the newest checkpoint that could be loaded. */
    checkpoints: await Promise.all(looks),
    /** The update of the newest checkpoint that can be loaded at the end. */
    last: await newest(),
  };
}
