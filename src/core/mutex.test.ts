import { expect, it } from "vitest";
import { createMutex, createSemaphore } from "./mutex.ts";

it("runs tasks one after another, in order, also after one that failed", async () => {
  const mutex = createMutex();
  const log: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    mutex.run(task("a")),
    mutex.run(task("b", true)),
    mutex.run(task("c")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

it("runs a few tasks at a time, in order, and lets the next one begin when any of them ends", async () => {
  const semaphore = createSemaphore(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string) =>
    semaphore.run(
      () =>
        new Promise<void>((resolve) => {
          begun.push(name);
          ends.set(name, resolve);
        }),
    );
  const [, b, c, d] = ["a", "b", "c", "d"].map(run);
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(begun).toEqual(["a", "b"]);
  ends.get("b")!();
  await b;
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(begun).toEqual(["a", "b", "c"]);
  ends.get("c")!();
  await c;
  ends.get("a")!();
  await new Promise((resolve) => setTimeout(resolve, 1));
  ends.get("d")!();
  await d;
});
