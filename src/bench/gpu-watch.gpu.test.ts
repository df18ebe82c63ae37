import { expect, it } from "vitest";
import { openGpu } from "../gpu/device.ts";
import { requestOwnGpu } from "../gpu/test-sharing.ts";
import { type GpuCounts, watchGpu } from "./gpu-watch.ts";

it("counts what a device does and how often the host waits for it", async () => {
  const watch = watchGpu();
  // The device that tests share reuses buffers.
  const gpu = await openGpu(await requestOwnGpu());
  const buffer = gpu.device.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_SRC });
  const before = watch.counts(gpu.device);
  const since = (name: keyof GpuCounts) => watch.counts(gpu.device)[name] - before[name];
  await gpu.settle();
  expect([since("waits"), since("submissions")]).toEqual([1, 0]);
  // A read-back submits a copy and waits for it.
  await gpu.read(buffer, 16);
  expect([since("waits"), since("submissions"), since("buffers")]).toEqual([2, 1, 0]);
  const written = gpu.device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_WRITE });
  await written.mapAsync(GPUMapMode.WRITE);
  expect([since("waits"), since("buffers"), since("bytes")]).toEqual([2, 1, 16]);
  gpu.destroy();
});
