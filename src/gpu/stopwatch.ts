// How long the device works on a pass: by its own clock where it has one, otherwise by ours.
import type { Gpu } from "./device.ts";

/** Milliseconds of a compute pass that `record` fills, submitted alone. Ends in `dispose`. */
export interface Stopwatch {
  time(record: (pass: GPUComputePassEncoder) => void): Promise<number>;
  dispose(): void;
}

/**
 * Uses timestamps of the device, which browsers round to 0.1 ms, or the time until the device has finished, which includes some
 * tenths of a millisecond for the submission: a pass should take a few milliseconds.
 */
export const stopwatch = (gpu: Gpu): Stopwatch =>
  gpu.caps.features.includes("timestamp-query") ? deviceClock(gpu) : wallClock(gpu);

const wallClock = (gpu: Gpu): Stopwatch => ({
  time: (record) => wallTime(gpu, record),
  dispose: () => undefined,
});

/** Milliseconds from the start of encoding, which `record` does, until the device has finished. */
export async function wallTime(gpu: Gpu, record: (pass: GPUComputePassEncoder) => void): Promise<number> {
  const start = performance.now();
  const encoder = gpu.device.createCommandEncoder({ label: "stopwatch" });
  const pass = encoder.beginComputePass();
  record(pass);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  await gpu.settle();
  return performance.now() - start;
}

function deviceClock(gpu: Gpu): Stopwatch {
  const { device } = gpu;
  const querySet = device.createQuerySet({ label: "stopwatch", type: "timestamp", count: 2 });
  const buffer = device.createBuffer({
    label: "stopwatch",
    size: 16,
    usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  });
  const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  return {
    async time(record) {
      const encoder = device.createCommandEncoder({ label: "stopwatch" });
      const pass = encoder.beginComputePass({ timestampWrites });
      record(pass);
      pass.end();
      encoder.resolveQuerySet(querySet, 0, 2, buffer, 0);
      device.queue.submit([encoder.finish()]);
      const [begin = 0n, end = 0n] = new BigUint64Array(await gpu.read(buffer, 16));
      return Number(end - begin) / 1e6;
    },
    dispose() {
      querySet.destroy();
      buffer.destroy();
    },
  };
}
