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

test("a pause resolves when the run is paused, resumed or has ended", async () => {
  for (const settle of ["confirmPause", "resume", "end"] as const) {
    const control = new RunControl();
    const paused = control.pause();
    expect(control.target).toBe("paused");
    expect(await isSettled(paused)).toBe(false);
    control[settle]();
    expect(await isSettled(paused)).toBe(true);
  }
});

test("a step pauses the run once, after its update", () => {
  const control = new RunControl();
  void control.step();
  expect(control.target).toBe("running");
  control.completeStep();
  expect(control.target).toBe("paused");
  control.resume();
  control.completeStep();
  expect(control.target).toBe("running");
});

test("resume cancels a step that is not complete", () => {
  const control = new RunControl();
  void control.step();
  control.resume();
  control.completeStep();
  expect(control.target).toBe("running");
});

test("later requests do not change a stop", async () => {
  const control = new RunControl();
  const done = control.stop();
  expect(await isSettled(control.stopping)).toBe(true);
  void control.pause();
  void control.step();
  control.resume();
  control.completeStep();
  await control.pauseUntilResumed();
  expect(control.target).toBe("stopped");
  expect(await isSettled(done)).toBe(false);
  control.end();
  expect(await isSettled(done)).toBe(true);
});

test("a run that waits for a person resolves every pause and continues only on a command", async () => {
  for (const goOn of ["resume", "step", "stop"] as const) {
    const control = new RunControl();
    const over = control.pauseUntilResumed();
    expect(control.target).toBe("paused");
    expect(await isSettled(control.pause())).toBe(true);
    expect(await isSettled(over)).toBe(false);
    void control[goOn]();
    expect(await isSettled(over)).toBe(true);
  }
});

test("a wake before the wait does not count", async () => {
  const control = new RunControl();
  control.wake();
  const woken = control.nextWake();
  expect(await isSettled(woken)).toBe(false);
  control.wake();
  expect(await isSettled(woken)).toBe(true);
});
