import { expect, test, vi } from "vitest";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { openStore } from "../persistence/store.ts";
import { fakeOpfs } from "../persistence/testing/fake-opfs.ts";
import type { TrainerEvent } from "../training/events.ts";
import { loadHistory } from "./event-log.ts";
import { RunReporter } from "./run-reporter.ts";
import { metrics } from "./testing/metrics.ts";

const finished: TrainerEvent = { type: "run_finished", update: 3, reason: "stopped" };
const metricsTo = (last: number) => Array.from({ length: last }, (_, i) => metrics(i + 1));

function reporterOf(store = openStore(opfsFiles(fakeOpfs({ move: true })))) {
  const emitted: TrainerEvent[] = [];
  const reporter = new RunReporter("fake", { store, emit: (event) => emitted.push(event) });
  return { reporter, emitted, store, logged: () => loadHistory(store, "fake") };
}

test("listener and log get each event once, and the caller learns whether it was new", async () => {
  const { reporter, emitted, logged } = reporterOf();
  expect([1, 2, 2].map((update) => reporter.emit(metrics(update)))).toEqual([true, true, false]);
  expect(emitted).toEqual(metricsTo(2));
  await reporter.flushLog();
  expect(await logged()).toEqual(metricsTo(2));
});

test("emitOnly does not log; close logs without emitting", async () => {
  const { reporter, emitted, logged } = reporterOf();
  const warning: TrainerEvent = { type: "warning", update: 3, code: "a", message: "b" };
  reporter.emitOnly(warning);
  await reporter.close(finished);
  expect(emitted).toEqual([warning]);
  expect(await logged()).toEqual([finished]);
});

test("warnings refer to the current update, and have a hint only if there is one", () => {
  const { reporter, emitted } = reporterOf();
  reporter.update = 4;
  reporter.warn({ code: "a", message: "b", hint: undefined });
  reporter.warnStorage(new Error("the disk is full"));
  expect(emitted[0]).toStrictEqual({ type: "warning", update: 4, code: "a", message: "b" });
  expect(emitted[1]).toMatchObject({
    update: 4,
    code: "storage",
    message: "The run could not be saved: the disk is full.",
    hint: expect.stringMatching(/Free some space.*download a checkpoint/),
  });
});

test("failed saving is reported once, and its end once", () => {
  const { reporter, emitted } = reporterOf();
  const saved = (update: number) =>
    reporter.emit({ type: "checkpoint", update, bytes: 1, name: "checkpoint" });
  const codes = () => emitted.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  for (const _ of [1, 2, 3]) reporter.warnStorage(new Error("full"));
  expect(codes()).toEqual(["storage"]);
  saved(4);
  saved(5);
  expect(codes()).toEqual(["storage", "storage_works"]);
  reporter.warnStorage(new Error("full"));
  expect(codes()).toEqual(["storage", "storage_works", "storage"]);
});

test("a run that continues as before keeps its whole history", async () => {
  const { reporter, emitted } = reporterOf();
  await reporter.resume(metricsTo(3), 1, false);
  for (const event of metricsTo(4)) reporter.emit(event);
  expect(emitted).toEqual([metrics(4)]);
});

test("a run that continues differently reports the updates after its checkpoint again, also in its log", async () => {
  const earlier = reporterOf();
  for (const event of metricsTo(3)) earlier.reporter.emit(event);
  await earlier.reporter.close(finished);
  const { reporter, emitted, logged } = reporterOf(earlier.store);
  await reporter.resume(await logged(), 1, true);
  const rewound: TrainerEvent = { type: "rewound", update: 1, from: 3 };
  for (const event of metricsTo(2)) reporter.emit(event);
  expect(emitted).toEqual([rewound, metrics(2)]);
  await reporter.flushLog();
  expect(await logged()).toEqual([metrics(1), rewound, metrics(2)]);
});

test("storage is checked at the start and after each checkpoint until there is a notice, which is emitted once", async () => {
  const store = openStore(opfsFiles(fakeOpfs({ move: true })));
  const emitted: TrainerEvent[] = [];
  let notice: { code: string; message: string } | null = null;
  const storageNotice = vi.fn(async () => notice);
  const reporter = new RunReporter("fake", { store, emit: (event) => emitted.push(event), storageNotice });
  const saved = async (update: number) => {
    reporter.update = update;
    reporter.emit({ type: "checkpoint", update, bytes: 1, name: "c" });
    await new Promise((resolve) => setImmediate(resolve));
  };
  await saved(1);
  notice = { code: "storage_low", message: "Only 140 MB are left." };
  reporter.emit(metrics(2));
  expect(storageNotice).toHaveBeenCalledTimes(1);
  await saved(3);
  await saved(4);
  expect(emitted.filter(({ type }) => type === "warning")).toEqual([
    { type: "warning", update: 3, ...notice },
  ]);
});
