import { expect, test } from "vitest";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { openStore } from "../persistence/store.ts";
import { fakeOpfs } from "../persistence/testing/fake-opfs.ts";
import type { TrainerEvent } from "../training/events.ts";
import { loadHistory } from "./event-log.ts";
import { RunReporter } from "./run-reporter.ts";

const metrics = (update: number): TrainerEvent => ({
  type: "metrics",
  stage: "ppo",
  update,
  values: {},
  tokens: 0,
  episodes: 0,
  wallMs: 0,
});
const finished: TrainerEvent = { type: "run_finished", update: 3, reason: "stopped" };
const metricsTo = (last: number) => Array.from({ length: last }, (_, i) => metrics(i + 1));

function reporterOf(store = openStore(opfsFiles(fakeOpfs({ sync: true, move: true })))) {
  const heard: TrainerEvent[] = [];
  const reporter = new RunReporter("fake", { store, emit: (event) => heard.push(event) });
  return { reporter, heard, store, logged: () => loadHistory(store, "fake") };
}

test("listeners and log are told once, and the caller whether they were", async () => {
  const { reporter, heard, logged } = reporterOf();
  expect([1, 2, 2].map((update) => reporter.tell(metrics(update)))).toEqual([true, true, false]);
  expect(heard).toEqual(metricsTo(2));
  await reporter.flushLog();
  expect(await logged()).toEqual(metricsTo(2));
});

test("what is mentioned is not kept; what concludes is kept before it is heard", async () => {
  const { reporter, heard, logged } = reporterOf();
  const held: TrainerEvent = { type: "held", update: 3 };
  reporter.mention(held);
  await reporter.conclude(finished);
  expect(heard).toEqual([held]);
  expect(await logged()).toEqual([finished]);
});

test("warnings are about the update that the run is at, and have a hint only when there is one", () => {
  const { reporter, heard } = reporterOf();
  reporter.update = 4;
  reporter.warn({ code: "a", message: "b", hint: undefined });
  reporter.warnStorage(new Error("the disk is full"));
  expect(heard[0]).toStrictEqual({ type: "warning", update: 4, code: "a", message: "b" });
  expect(heard[1]).toMatchObject({
    update: 4,
    code: "storage",
    message: "The run could not be saved: the disk is full.",
    hint: expect.stringMatching(/Free some space.*download a checkpoint/),
  });
});

test("trouble with saving is reported once, and once that it is over", () => {
  const { reporter, heard } = reporterOf();
  const saved = (update: number) =>
    reporter.tell({ type: "checkpoint", update, bytes: 1, name: "checkpoint" });
  const codes = () => heard.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  for (const _ of [1, 2, 3]) reporter.warnStorage(new Error("full"));
  expect(codes()).toEqual(["storage"]);
  saved(4);
  saved(5);
  expect(codes()).toEqual(["storage", "storage_works"]);
  reporter.warnStorage(new Error("full"));
  expect(codes()).toEqual(["storage", "storage_works", "storage"]);
});

test("a run that goes on in the same way keeps its whole story", async () => {
  const { reporter, heard } = reporterOf();
  await reporter.takeUp(metricsTo(3), 1, false);
  for (const event of metricsTo(4)) reporter.tell(event);
  expect(heard).toEqual([metrics(4)]);
});

test("a run that goes on in another way tells anew what comes after its checkpoint, also in its log", async () => {
  const earlier = reporterOf();
  for (const event of metricsTo(3)) earlier.reporter.tell(event);
  await earlier.reporter.conclude(finished);
  const { reporter, heard, logged } = reporterOf(earlier.store);
  await reporter.takeUp(await logged(), 1, true);
  const rewound: TrainerEvent = { type: "rewound", update: 1, from: 3 };
  for (const event of metricsTo(2)) reporter.tell(event);
  expect(heard).toEqual([rewound, metrics(2)]);
  await reporter.flushLog();
  expect(await logged()).toEqual([metrics(1), rewound, metrics(2)]);
});
