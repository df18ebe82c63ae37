import { expect, it } from "vitest";
import { deferred } from "../core/deferred.ts";
import { ActiveRun, type Supervision } from "./active-run.ts";
import { tabLocks } from "./run-lock.ts";
import { fakeLocks } from "./testing/fake-locks.ts";

/** The runs of one tab, what another tab sees of them, and a run that ends when `end` is called. */
function tabs() {
  const locks = fakeLocks();
  const ended = deferred();
  const run = { runId: "a", done: ended.promise } as Supervision;
  return { active: new ActiveRun(tabLocks(locks)), other: tabLocks(locks), run, end: () => ended.resolve() };
}

/** The browser releases a lock a moment after it was asked to. */
const moment = () => new Promise((resolve) => setTimeout(resolve));

it("releases its lock as soon as a run is stopped, even while it is being built", async () => {
  const { active, other, run, end } = tabs();
  const built = deferred();
  const prepared = active.prepare("a", () => {
    active.set(run);
    return built.promise;
  });
  await moment();
  expect(await other.held()).toBe("a");
  end();
  await moment();
  expect([await other.held(), active.runId]).toEqual([null, undefined]);
  // This tab can train another run before the first has been cleared away.
  await active.prepare("b", async () => active.set({ ...run, runId: "b", done: new Promise(() => {}) }));
  built.resolve();
  await prepared;
  await moment();
  expect([await other.held(), active.runId]).toEqual(["b", "b"]);
});

it("keeps its lock while a run trains, whatever fails after its start", async () => {
  const { active, other, run, end } = tabs();
  const prepared = active.prepare("a", async () => {
    active.set(run);
    throw new Error("The recording could not be stored.");
  });
  await expect(prepared).rejects.toThrow("recording");
  await moment();
  expect(await other.held()).toBe("a");
  end();
  await moment();
  expect(await other.held()).toBeNull();
});

it("releases its lock when no run came of it", async () => {
  const { active, other } = tabs();
  await expect(active.prepare("a", () => Promise.reject(new Error("unreadable")))).rejects.toThrow();
  await moment();
  expect([await other.held(), active.runId]).toEqual([null, undefined]);
});
