import { expect, test } from "vitest";
import { LiveRun } from "./live-run.ts";
import { config, FakeRun } from "./testing/fake-run.ts";

const told = { type: "prepare", steps: [] } as const;
/** Tells one thing, and then waits for a device that may never answer. */
async function* train() {
  yield told;
  await new Promise(() => {});
}
const fake = () => new FakeRun("fake", config, undefined, {});

test("gives the training's events, and the loss of the device in place of one that never comes", async () => {
  const run = fake();
  const live = new LiveRun(run, train);
  expect(await live.next()).toEqual({ done: false, value: told });
  const never = live.next();
  run.loseDevice();
  await expect(never).rejects.toMatchObject({ code: "device_lost", message: "The fake device was lost" });
  await expect(live.orLost(new Promise(() => {}))).rejects.toMatchObject({ code: "device_lost" });
});

test("what work throws is thrown on", async () => {
  await expect(new LiveRun(fake(), train).orLost(Promise.reject(new Error("odd")))).rejects.toThrow("odd");
});

test("is let go of without waiting, even when its buffers refuse", () => {
  const run = fake();
  let signal: AbortSignal | undefined;
  const live = new LiveRun(run, (_, given) => {
    signal = given;
    return train();
  });
  void live.next();
  run.dispose = () => {
    throw new Error("the buffer was destroyed");
  };
  live.release();
  expect(signal!.aborted).toBe(true);
});
