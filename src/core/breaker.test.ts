import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Breaker } from "./breaker.ts";

const lost = new Error("the device was lost");

test("passes on what the work gives or throws", async () => {
  const breaker = new Breaker();
  expect(await breaker.guard(Promise.resolve(3))).toBe(3);
  await expect(breaker.guard(Promise.reject(new Error("odd")))).rejects.toThrow("odd");
});

test("rejects pending and later waits with the first error", async () => {
  const breaker = new Breaker();
  const waits = [breaker.guard(new Promise(() => {})), breaker.guard(new Promise(() => {}))];
  breaker.break(lost);
  breaker.break(new Error("second"));
  for (const wait of waits) await expect(wait).rejects.toBe(lost);
  await expect(breaker.guard(Promise.resolve(3))).rejects.toBe(lost);
});

test("leaves no rejection unhandled when the work fails after the break", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const breaker = new Breaker();
  let fail!: (error: Error) => void;
  const wait = breaker.guard(new Promise((_, reject) => (fail = reject)));
  breaker.break(lost);
  fail(new Error("Instance dropped"));
  await expect(wait).rejects.toBe(lost);
  await expect(breaker.guard(Promise.reject(new Error("Instance dropped")))).rejects.toBe(lost);
  await new Promise((resolve) => setTimeout(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("keeps nothing of a wait that is over", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const breaker = new Breaker();
  const values: WeakRef<object>[] = [];
  for (let i = 0; i < 100; i++) {
    const value = { bytes: new Uint8Array(1000) };
    values.push(new WeakRef(value));
    await breaker.guard(Promise.resolve(value));
  }
  await new Promise((resolve) => setTimeout(resolve));
  collect();
  // The last value may still be on the stack.
  expect(values.filter((value) => value.deref()).length).toBeLessThan(3);
});
