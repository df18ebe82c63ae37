import { describe, expect, it } from "vitest";
import { garbageCollector, growth, soak } from "../bench/soak.ts";
import { openGpu } from "../gpu/device.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";

describe("a long supervised run", () => {
  // `npm run bench -- --soak 2000` is the same over 2,000 updates.
  it("holds the same memory after 300 updates as after 60", async () => {
    const samples = await soak(await requestNodeGpu(), 300, 60);
    expect(samples.map(({ update }) => update)).toEqual([60, 120, 180, 240, 300]);
    expect(growth(samples)).toEqual([]);
  });

  it("leaves nothing behind when it waits for the GPU", async () => {
    const gpu = await openGpu(await requestNodeGpu());
    const collectGarbage = garbageCollector();
    const wait = async (times: number) => {
      for (let i = 0; i < times; i++) await gpu.settle();
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = await wait(1000);
    const after = await wait(10_000);
    // What a wait keeps is a promise and its reactions, a few hundred bytes; 10,000 of them are megabytes.
    expect((after - before) / 10_000).toBeLessThan(50);
    gpu.destroy();
  });
});
