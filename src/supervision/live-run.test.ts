import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { LiveRun } from "./live-run.ts";
import { config, FakeRun } from "./testing/fake-run.ts";

const fact = { type: "checkpoint_due", update: 1 } as const;
/** Yields one fact, then waits for a device that never answers. */
async function* train() {
  yield fact;
  await new Promise(() => {});
}
const fake = () => new FakeRun("fake", config, undefined, {});

test("yields the training's facts, and rejects a pending one when the device is lost", async () => {
  const run = fake();
  const live = new LiveRun(run, train);
  expect(await live.next()).toEqual({ done: false, value: fact });
  const never = live.next();
  run.loseDevice();
  await expect(never).rejects.toMatchObject({ code: "device_lost", message: "The fake device was lost" });
  await expect(live.orLost(new Promise(() => {}))).rejects.toMatchObject({ code: "device_lost" });
});

test("rethrows what work throws", async () => {
  await expect(new LiveRun(fake(), train).orLost(Promise.reject(new Error("odd")))).rejects.toThrow("odd");
});

test("is released without waiting, even when destroying its buffers throws", () => {
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

test("leaves nothing of a released run behind while its device lives on", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const lost = new Promise<string>(() => {});
  const released = () => {
    const run = Object.assign(fake(), { lost });
    new LiveRun(run, train).release();
    return new WeakRef(run);
  };
  const runs = [released(), released(), released()];
  await expect
    .poll(() => {
      collect();
      return runs.filter((run) => run.deref()).length;
    })
    .toBe(0);
});
