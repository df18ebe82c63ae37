import { expect, it } from "vitest";
import { createMutex } from "./mutex.ts";

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
