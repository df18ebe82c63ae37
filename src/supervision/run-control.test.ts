import { expect, test } from "vitest";
import { RunControl } from "./run-control.ts";

/** Whether a promise is settled once everything that can run has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test("a pause is over when the run is held, goes on after all, or has ended", async () => {
  for (const settle of ["settleHolds", "resume", "end"] as const) {
    const control = new RunControl();
    const held = control.pause();
    expect(control.wish).toBe("pause");
    expect(await isSettled(held)).toBe(false);
    control[settle]();
    expect(await isSettled(held)).toBe(true);
  }
});

test("a step pauses the run once, after its update", () => {
  const control = new RunControl();
  void control.step();
  expect(control.wish).toBe("run");
  control.stepTaken();
  expect(control.wish).toBe("pause");
  control.resume();
  control.stepTaken();
  expect(control.wish).toBe("run");
});

test("resume takes a step back that has not been taken", () => {
  const control = new RunControl();
  void control.step();
  control.resume();
  control.stepTaken();
  expect(control.wish).toBe("run");
});

test("nothing is wished any more of a run that is to stop", async () => {
  const control = new RunControl();
  const done = control.stop();
  expect(await isSettled(control.stopping)).toBe(true);
  void control.pause();
  void control.step();
  control.resume();
  control.stepTaken();
  await control.holdUnasked();
  expect(control.wish).toBe("stop");
  expect(await isSettled(done)).toBe(false);
  control.end();
  expect(await isSettled(done)).toBe(true);
});

test("a run that holds unasked answers every pause and goes on only when told to", async () => {
  for (const goOn of ["resume", "step", "stop"] as const) {
    const control = new RunControl();
    const over = control.holdUnasked();
    expect(control.wish).toBe("pause");
    expect(await isSettled(control.pause())).toBe(true);
    expect(await isSettled(over)).toBe(false);
    void control[goOn]();
    expect(await isSettled(over)).toBe(true);
  }
});

test("rings before somebody listens are not heard", async () => {
  const control = new RunControl();
  control.ring();
  const heard = control.nextRing();
  expect(await isSettled(heard)).toBe(false);
  control.ring();
  expect(await isSettled(heard)).toBe(true);
});
