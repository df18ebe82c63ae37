import { expect, test } from "vitest";
import { deferred } from "../core/deferred.ts";
import { GpuError } from "../core/errors.ts";
import { isLoss, isWorthRetrying, lossBehind } from "./device-loss.ts";

const odd = new Error("mapAsync: the buffer was destroyed");
const still = new Promise<string>(() => {});
/** A clock whose waits are over when `over` is. */
const clock = (over: Promise<void>, waits: number[] = []) => ({
  now: () => 0,
  sleep(ms: number) {
    waits.push(ms);
    return over;
  },
});

test("a device that is gone, too small or hangs is lost; anything else is a fault", () => {
  const losses = (["device_lost", "out_of_memory", "timeout"] as const).map(
    (code) => new GpuError(code, "gone"),
  );
  expect(losses.every(isLoss)).toBe(true);
  const faults = [
    new GpuError("no_adapter", "none"),
    Object.assign(new Error("no answer"), { code: "timeout" }),
    odd,
    "device_lost",
  ];
  expect(faults.some(isLoss)).toBe(false);
});

test("an unexpected error is a loss if the loss is reported in time", async () => {
  const { promise: lost, resolve: lose } = deferred<string>();
  const waits: number[] = [];
  const loss = lossBehind(odd, lost, clock(new Promise(() => {}), waits));
  lose("The driver was reset");
  expect(await loss).toMatchObject({ code: "device_lost", message: "The driver was reset", cause: odd });
  expect(waits).toEqual([1000]);
});

test("an unexpected error without such a report, or without a device, is not a loss", async () => {
  expect(await lossBehind(odd, still, clock(Promise.resolve()))).toBeNull();
  expect(await lossBehind(odd, undefined, clock(new Promise(() => {})))).toBeNull();
});

test("a loss speaks for itself", async () => {
  const error = new GpuError("out_of_memory", "no room");
  expect(await lossBehind(error, undefined, clock(new Promise(() => {})))).toBe(error);
});

test("a first build is retried when there was a device, or an adapter", () => {
  expect(isWorthRetrying(new GpuError("device_lost", "gone"))).toBe(true);
  expect(isWorthRetrying(new GpuError("adapter_lost", "gone"))).toBe(true);
  expect(isWorthRetrying(new GpuError("no_adapter", "none"))).toBe(false);
  expect(isWorthRetrying(odd)).toBe(false);
});
