import { expect, test } from "vitest";
import { GpuError } from "../core/errors.ts";
import { adviceOnAbsence, adviceOnInstability, DeviceLosses } from "./device-loss.ts";

test("three losses are too many without a new update in between, however far apart", () => {
  const losses = new DeviceLosses();
  const loss = new GpuError("timeout", "no answer");
  const unstable = () => {
    losses.note(loss);
    return losses.isUnstable;
  };
  expect([unstable(), unstable(), unstable()]).toEqual([false, false, true]);
  expect(losses.last).toBe(loss);
  losses.forget();
  expect([unstable(), unstable(), unstable()]).toEqual([false, false, true]);
});

test("the advice names the time limit when the last loss was a time-out", () => {
  expect(adviceOnInstability(new GpuError("timeout", "no answer")).hint).toContain("time limit");
  const { message, hint } = adviceOnInstability(new GpuError("device_lost", "gone"));
  expect(message).toContain("3 times without a new update");
  expect(hint).toContain("smaller preset");
});

test("the advice on a device that stays away says what was in the way", () => {
  expect(adviceOnAbsence(new GpuError("no_adapter", "none left")).message).toContain("none left");
});
