import { afterEach, beforeEach, expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { flush, receive, runStore } from "./run-store.ts";
import { emptyView, type ViewEvent } from "./run-view.ts";
import { isLost, noteUnsaved } from "./unsaved-run.ts";

const config = checkedRunConfig({ name: "Lake" });
const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
const notedRuns = () => [...kept.values()].map((text) => JSON.parse(text));
function show(...events: ViewEvent[]): void {
  for (const event of events) receive(event);
  flush();
}
let stop = () => {};

beforeEach(() => {
  kept.clear();
  runStore.setState(emptyView(), true);
  stop = noteUnsaved(storage);
});
afterEach(() => {
  stop();
  runStore.setState(emptyView(), true);
});

const start: ViewEvent = { type: "start_requested", runId: "lake-1", config };

it("notes a run from its start until it is first saved", () => {
  show(start);
  expect(notedRuns()).toEqual([{ runId: "lake-1", name: "Lake" }]);
  show({ type: "phase", stage: "ppo", update: 1, phase: "validate", done: 1, of: 2 });
  expect(notedRuns()).toHaveLength(1);
  show({ type: "checkpoint", update: 1, name: "c", bytes: 1 });
  expect(notedRuns()).toEqual([]);
});

it("forgets a run that ends before that, because the page has shown its end", () => {
  const ends: ViewEvent[] = [
    { type: "run_finished", update: 0, reason: "stopped" },
    { type: "run_failed", error: { name: "GpuError", code: "out_of_memory", message: "no room", hint: "" } },
    { type: "start_refused", before: emptyView() },
  ];
  for (const end of ends) {
    show(start, end);
    expect(notedRuns()).toEqual([]);
  }
});

it("keeps the run of the last visit until another one is on screen", () => {
  kept.set("vagen-unsaved-run", JSON.stringify({ runId: "lake-0", name: "Lake" }));
  show({ type: "notice_dismissed", id: "x" });
  expect(notedRuns()).toHaveLength(1);
  const opened = { events: [], update: 3, resuming: false, elsewhere: false };
  show({ type: "stored_run_opened", runId: "old", config, ...opened });
  expect(notedRuns()).toEqual([]);
});

it("calls a run lost once it is known that it is neither stored nor trained elsewhere", () => {
  const run = { runId: "lake-1", name: "Lake" };
  const known = { stored: [], storedKnown: true, elsewhere: null };
  expect(isLost(run, known)).toBe(true);
  expect(isLost(run, { ...known, elsewhere: "lake-2" })).toBe(true);
  expect(isLost(run, { ...known, storedKnown: false })).toBe(false);
  expect(isLost(run, { ...known, stored: [{ runId: "lake-1" } as StoredRun] })).toBe(false);
  for (const elsewhere of ["lake-1", ""]) expect(isLost(run, { ...known, elsewhere })).toBe(false);
});
