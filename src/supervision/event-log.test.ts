import { expect, test } from "vitest";
import { memoryFiles } from "../persistence/memory-files.ts";
import { openStore } from "../persistence/store.ts";
import { faultyFiles } from "../persistence/testing/faulty-files.ts";
import type { TrainerEvent } from "../training/events.ts";
import { EventLog, loadHistory } from "./event-log.ts";
import { config } from "./testing/fake-run.ts";

const metrics = (update: number): TrainerEvent => ({
  ...{ type: "metrics", stage: "ppo", update, values: {} },
  ...{ tokens: 0, episodes: 0, wallMs: 0 },
});
const metricsTo = (last: number) => Array.from({ length: last }, (_, i) => metrics(i + 1));
const finished: TrainerEvent = { type: "run_finished", update: 3, reason: "stopped" };

function logOf(plan: Parameters<typeof faultyFiles>[1], keep?: number) {
  const store = openStore(faultyFiles(memoryFiles(), plan));
  const calls: string[] = [];
  const reports = {
    onFailure: () => calls.push("failed"),
    onWritten: () => calls.push("written"),
    onDropped: () => calls.push("dropped"),
  };
  return {
    log: new EventLog(store, "fake", reports, keep),
    calls,
    stored: () => loadHistory(store, "fake"),
  };
}

test.each(["fail", "short", "lost", "full"] as const)(
  "events that could not be written (%s) are written at the next flush, in order and once",
  async (fault) => {
    const { log, calls, stored } = logOf({ fault, at: 2, times: 2 });
    for (const event of metricsTo(5)) {
      log.add(event);
      await log.flush();
    }
    expect(calls).toEqual(["written", "failed", "failed", "written", "written"]);
    expect(await stored()).toEqual(metricsTo(5));
  },
);

test("a log that could not be replaced is replaced at the next flush, before what comes after it", async () => {
  const { log, stored } = logOf({ fault: "full", at: 2 });
  for (const event of metricsTo(3)) log.add(event);
  await log.flush();
  log.rewrite(metricsTo(1));
  log.add(finished);
  await log.flush();
  await log.flush();
  expect(await stored()).toEqual([metrics(1), finished]);
});

test("when too many events wait, the oldest metrics are dropped, which is reported", async () => {
  const { log, calls, stored } = logOf({ fault: "fail", at: 1, times: 2 }, 3);
  log.add(finished);
  for (const event of metricsTo(3)) log.add(event);
  await log.flush();
  for (const event of [4, 5].map(metrics)) log.add(event);
  await log.flush();
  await log.flush();
  expect(calls).toEqual(["dropped", "failed", "dropped", "dropped", "failed", "written"]);
  expect((await stored())[0]).toEqual(finished);
  expect((await stored()).slice(1)).toEqual([4, 5].map(metrics));
});

test("credentials that an earlier version stored in the address of a judge are not read back", async () => {
  const store = openStore(memoryFiles());
  const device = { vendor: "", architecture: "", description: "", software: true, features: [] };
  const memory = { total: 1, parts: {}, parameters: 1, largestBuffer: 1, limit: 1 };
  const judge = { ...config.judge, base_url: "https://me:secret@host/v1?key=secret" };
  const started = {
    runId: "r",
    config: { ...config, judge },
    device,
    memory,
    update: 0,
    totalUpdates: 1,
    time: 1,
  };
  await store.appendEvents("r", [{ type: "run_started", ...started }]);
  expect(await loadHistory(store, "r")).toMatchObject([
    { config: { judge: { base_url: "https://host/v1" } } },
  ]);
});
