// What real devices do only when they fail: adapters that disappear, promises of a lost device that reject.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { defineKernel } from "./kernel.ts";

// The module remembers that a process had a device once; the other tests of this process did not.
vi.resetModules();
const { openGpu } = await import("./device.ts");
vi.resetModules();

const limits = { maxBufferSize: 1, maxStorageBufferBindingSize: 1 } as GPUSupportedLimits;
const dropped = () => Promise.reject(new DOMException("Instance dropped", "OperationError"));

/** A device that is lost already, but whose `lost` has not resolved. */
const dyingDevice = (lost: Promise<unknown>) =>
  ({
    limits,
    lost,
    addEventListener() {},
    pushErrorScope() {},
    popErrorScope: dropped,
    createShaderModule: () => ({ getCompilationInfo: dropped }),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createComputePipelineAsync: dropped,
    queue: { onSubmittedWorkDone: dropped },
  }) as unknown as GPUDevice;

const provider = (adapter: unknown) => ({ requestAdapter: async () => adapter }) as unknown as GPU;
const adapterOf = (requestDevice: () => Promise<GPUDevice>) => ({
  info: {},
  limits,
  features: new Set(),
  requestDevice,
});
const kernel = defineKernel({
  label: "nothing",
  code: ["@compute @workgroup_size(1) fn main() {}"],
  uniforms: {},
  bindings: {},
  grid: () => [1],
});

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeAll(() => {
  vi.stubGlobal("GPUShaderStage", { COMPUTE: 4 });
  process.on("unhandledRejection", note);
});
afterAll(() => {
  process.off("unhandledRejection", note);
  vi.unstubAllGlobals();
});

test("a missing adapter is reported as missing before the first device, and as lost after it", async () => {
  const refusing = provider(adapterOf(dropped));
  for (const gpu of [undefined, provider(null), refusing])
    await expect(openGpu(gpu)).rejects.toMatchObject({ code: "no_adapter" });
  await openGpu(provider(adapterOf(async () => dyingDevice(new Promise(() => {})))));
  for (const gpu of [provider(null), refusing])
    await expect(openGpu(gpu)).rejects.toMatchObject({
      code: "adapter_lost",
      hint: expect.stringContaining("try again"),
    });
});

test("a device that is lost while kernels compile leaves no rejection unhandled", async () => {
  let lose!: (info: object) => void;
  const lost = new Promise<object>((resolve) => {
    lose = resolve;
  });
  const gpu = await openGpu(provider(adapterOf(async () => dyingDevice(lost))));
  await expect(gpu.compile(kernel, {})).rejects.toMatchObject({
    code: "shader_compile",
    message: expect.stringContaining("Instance dropped"),
  });
  lose({ reason: "unknown", message: "Instance dropped" });
  await lost;
  await expect(gpu.compile({ ...kernel, code: ["fn other() {}"] }, {})).rejects.toMatchObject({
    code: "device_lost",
  });
  await expect(gpu.settle()).rejects.toMatchObject({ code: "device_lost" });
  await new Promise((resolve) => setTimeout(resolve));
  expect(unhandled).toEqual([]);
});

test("a destroyed device has a few kernels left to compile, not all that were wanted", async () => {
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  const begun: (() => void)[] = [];
  let lose!: (info: object) => void;
  const lost = new Promise<object>((resolve) => {
    lose = resolve;
  });
  const device = {
    ...dyingDevice(lost),
    popErrorScope: async () => null,
    createComputePipelineAsync: () => new Promise((resolve) => begun.push(() => resolve({}))),
    destroy: () => lose({ reason: "destroyed", message: "" }),
  } as unknown as GPUDevice;
  const gpu = await openGpu(provider(adapterOf(async () => device)));
  const kernels = Array.from({ length: 10 }, (_, i) => ({ ...kernel, code: [`fn number_${i}() {}`] }));
  const compiled = Promise.allSettled(kernels.map((spec) => gpu.compile(spec, {})));
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toHaveLength(4);
  begun[0]!();
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toHaveLength(5);
  gpu.destroy();
  for (const finish of begun) finish();
  const results = await compiled;
  expect(begun).toHaveLength(5);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", ...Array(9).fill("rejected")]);
  expect(unhandled).toEqual([]);
});

/** A device that works, and what it was asked to report and to compile. */
function workingDevice() {
  const compiling: (() => void)[] = [];
  let report: (event: object) => void = () => {};
  const device = {
    ...dyingDevice(new Promise(() => {})),
    addEventListener: (_: string, listen: typeof report) => (report = listen),
    popErrorScope: async () => null,
    createComputePipelineAsync: () => new Promise((resolve) => compiling.push(() => resolve({}))),
    queue: { onSubmittedWorkDone: async () => undefined },
    destroy() {},
  } as unknown as GPUDevice;
  return { device, compiling, report: (error: object) => report({ error }) };
}

describe("another run can use a device", () => {
  const opened = async () => {
    const fake = workingDevice();
    return { ...fake, gpu: await openGpu(provider(adapterOf(async () => fake.device))) };
  };

  test("that has compiled all kernels", async () => {
    vi.stubGlobal("GPUOutOfMemoryError", class {});
    const { gpu, compiling } = await opened();
    expect(gpu.isReusable()).toBe(true);
    const compiled = gpu.compile(kernel, {});
    expect(gpu.isReusable()).toBe(false);
    await vi.waitFor(() => expect(compiling).toHaveLength(1));
    compiling[0]!();
    await compiled;
    expect(gpu.isReusable()).toBe(true);
  });

  test("but not after an error that nothing captured", async () => {
    vi.stubGlobal("GPUOutOfMemoryError", class {});
    const { gpu, report } = await opened();
    report({ message: "invalid buffer" });
    await expect(gpu.settle()).rejects.toMatchObject({ code: "validation" });
    expect(gpu.isReusable()).toBe(false);
    await gpu.settle();
    expect(gpu.isReusable()).toBe(false);
  });

  test("but not after a wait that failed, such as one of a device that hangs", async () => {
    const { gpu, device } = await opened();
    device.queue.onSubmittedWorkDone = dropped;
    await expect(gpu.settle()).rejects.toThrow();
    expect(gpu.isReusable()).toBe(false);
  });

  test("but not after a kernel that did not compile", async () => {
    const { gpu, device } = await opened();
    device.createComputePipelineAsync = dropped;
    await expect(gpu.compile(kernel, {})).rejects.toMatchObject({ code: "shader_compile" });
    expect(gpu.isReusable()).toBe(false);
  });

  test("but not once it was destroyed", async () => {
    const { gpu } = await opened();
    gpu.destroy();
    expect(gpu.isReusable()).toBe(false);
  });
});
