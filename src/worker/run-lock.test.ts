import { describe, expect, test } from "vitest";
import { noLocks, tabLocks } from "./run-lock.ts";
import { fakeLocks } from "./testing/fake-locks.ts";

describe("runs between tabs", () => {
  test("one tab holds a run until it releases it", async () => {
    const locks = fakeLocks();
    const [here, there] = [tabLocks(locks), tabLocks(locks)];
    const release = await here.hold("a");
    await expect(there.hold("a")).rejects.toMatchObject({
      code: "busy",
      message: "The run a is open in another tab.",
      hint: "Stop the run there or close that tab, then try again.",
    });
    expect(await there.held()).toBe("a");
    release();
    // At once, although the browser needs a moment to release it.
    await here.hold("b");
    expect(await there.held()).toBe("b");
  });

  test("another run is refused too, and the one that trains is named", async () => {
    const locks = fakeLocks();
    await tabLocks(locks).hold("a");
    await expect(tabLocks(locks).hold("b")).rejects.toThrow("Another tab is training the run a; only one");
  });

  test("of two that ask at once, one is refused", async () => {
    const locks = fakeLocks();
    for (const [one, other] of [
      ["a", "a"],
      ["b", "c"],
    ] as const) {
      const both = await Promise.allSettled([tabLocks(locks).hold(one), tabLocks(locks).hold(other)]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      for (const held of both) if (held.status === "fulfilled") held.value();
      await new Promise((resolve) => setTimeout(resolve));
    }
  });

  test("where the browser denies locks, every run is free", async () => {
    const denied = () => Promise.reject(new DOMException("The request was denied.", "SecurityError"));
    const locks = tabLocks({ request: denied, query: denied });
    (await locks.hold("a"))();
    (await locks.hold("a"))();
    expect(await locks.held()).toBeNull();
  });

  test("a lock that goes away while it is waited for is no obstacle", async () => {
    const locks = fakeLocks();
    const release = await tabLocks(locks).hold("a");
    const waiting = tabLocks(locks, { tries: 50, everyMs: 1 }).hold("a");
    release();
    await waiting;
  });

  test("locks of others on this origin do not count", async () => {
    const locks = fakeLocks();
    void locks.request("another program's", {}, () => new Promise(() => {}));
    await tabLocks(locks).hold("a");
  });

  test("without locks every run is free", async () => {
    expect(tabLocks(undefined)).toBe(noLocks);
    (await noLocks.hold("a"))();
    expect(await noLocks.held()).toBeNull();
  });
});
