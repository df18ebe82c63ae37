import { expect, test } from "vitest";
import { GpuError } from "../core/errors.ts";
import { deferred } from "./deferred.ts";
import { adviceOnAbsence, DeviceLosses, isLoss, lossBehind } from "./device-loss.ts";

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

test("an odd error is a loss when its news comes in time", async () => {
  const { promise: lost, resolve: lose } = deferred<string>();
  const waits: number[] = [];
  const message = lossBehind(odd, lost, clock(new Promise(() => {}), waits));
  lose("The driver was reset");
  expect(await message).toBe("The driver was reset");
  expect(waits).toEqual([250]);
});

test("an odd error without such news, or without a device, is a fault of its own", async () => {
  expect(await lossBehind(odd, still, clock(Promise.resolve()))).toBeNull();
  expect(await lossBehind(odd, undefined, clock(new Promise(() => {})))).toBeNull();
});

test("a loss speaks for itself", async () => {
  const error = new GpuError("out_of_memory", "no room");
  expect(await lossBehind(error, undefined, clock(new Promise(() => {})))).toBe("no room");
});

test("two losses are too many within two minutes, not beyond", () => {
  const losses = new DeviceLosses();
  losses.note("first", 1000);
  expect(losses.isUnstable(1000)).toBe(false);
  losses.note("second", 120_999);
  expect(losses.isUnstable(120_999)).toBe(true);
  expect(losses.isUnstable(121_000)).toBe(false);
  expect(losses.message).toBe("second");
});

test("losses are forgotten when a person decides to go on", () => {
  const losses = new DeviceLosses();
  losses.note("first", 0);
  losses.note("second", 0);
  losses.forget();
  losses.note("third", 0);
  expect(losses.isUnstable(0)).toBe(false);
});

test("the advice on a device that stays away says what was in the way", () => {
  expect(adviceOnAbsence(new GpuError("no_adapter", "none left")).message).toContain("(none left)");
});
