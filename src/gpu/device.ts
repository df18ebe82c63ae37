// One GPU device: its properties, pipeline cache, error state and read-back. Knows nothing of models or rewards.
import { Breaker } from "../core/breaker.ts";
import { GpuError } from "../core/errors.ts";
import { createSemaphore } from "../core/mutex.ts";
import { printKernel } from "./debug.ts";
import { type KernelSpec, kernelSource } from "./kernel.ts";
import type { TileClass } from "./linear-tiles.ts";

/** The properties of an adapter that decide which variants of kernels run. */
export interface GpuCaps {
  vendor: string;
  architecture: string;
  description: string;
  /** Software adapter: barriers cost 6–20 times a whole kernel there, so barrier-free variants are used. */
  software: boolean;
  features: readonly string[];
  maxBufferSize: number;
  maxBindingSize: number;
  /** Bytes of workgroup memory. */
  maxWorkgroupMemory: number;
  /** Matrix products that this device computes faster with tiles of 128 × 64; absent: none, or not measured. */
  largeTiles?: readonly TileClass[];
}

interface CompiledKernel {
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
}

/** Bytes of a buffer from `offset` on, both multiples of 4. */
export interface BufferPart {
  buffer: GPUBuffer;
  offset: number;
  bytes: number;
}

/** A device with its pipeline cache, error state and guarded read-back. */
export interface Gpu {
  readonly device: GPUDevice;
  readonly caps: GpuCaps;
  /** Resolves with a sentence when the device is gone, however that happened. */
  readonly lost: Promise<string>;
  compile(spec: KernelSpec, constants: Readonly<Record<string, number>>): Promise<CompiledKernel>;
  /** Waits for submitted work. @throws GpuError device_lost, timeout, validation, out_of_memory. */
  settle(): Promise<void>;
  /** Copies `bytes` of `buffer` (needs COPY_SRC) to the CPU. Same errors as `settle`. */
  read(buffer: GPUBuffer, bytes: number, offset?: number): Promise<ArrayBuffer>;
  /**
   * Copies parts of buffers (with COPY_SRC) to the CPU, in one submission and one wait: a buffer for each part. Same errors as `settle`.
   * @param encoder holds what is to be computed before the copies, and is submitted with them
   */
  readParts(parts: readonly BufferPart[], encoder?: GPUCommandEncoder): Promise<ArrayBuffer[]>;
  /** Whether another run can use the device: it works and has no kernels left to compile, for which that run would have to wait. */
  isReusable(): boolean;
  /** Ends a run's use of the device, whose buffers the run destroys itself. By default this destroys the device; a `GpuKeeper` keeps it. */
  release(): void;
  /** Ends the device on purpose; `lost` resolves. */
  destroy(): void;
}

/**
 * A `GPU` whose provider is notified of waits: `beginWait` is called when a wait begins, and what it returns when the wait
 * ends. Dawn in Node polls the device from the main thread; the provider slows this polling down (throttle.ts).
 */
export interface PolledGpu extends GPU {
  beginWait?(): () => void;
}

/** No wait on a device is unbounded: a hung driver must become an error. Software adapters can be very slow. */
const WAIT_MS = 120_000;
/** A kernel may share the processor with all that are compiled at the same time. */
const COMPILE_MS = 600_000;

/**
 * Kernels that are compiled at a time, twice as many as there are cores. To destroy a device, Dawn compiles all that were requested of it,
 * so those that are not needed any more must not have been requested.
 */
const compiledAtOnce = (): number => 2 * (globalThis.navigator?.hardwareConcurrency || 4);

/** The most kernels that a kept device may hold; a run has about fifty. */
const KEPT_KERNELS = 500;

const timedOut = (ms: number) =>
  new GpuError(
    "timeout",
    `The GPU did not answer for ${ms / 1000} s.`,
    "Try a smaller preset, or restart the browser.",
  );

/** Rejects with a timeout unless `work` settles first. @throws GpuError timeout. */
export async function inTime<T>(work: Promise<T>, ms = WAIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(ms)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether an adapter computes on the processor. */
export function isSoftware(info: GPUAdapterInfo): boolean {
  const text = `${info.vendor} ${info.architecture} ${info.description} ${info.device}`.toLowerCase();
  return info.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|basic render/.test(text);
}

const OPTIONAL_FEATURES = ["timestamp-query"] as const;

/** The larger limits that kernels profit from; everything is designed to fit the defaults too. */
function requestedLimits(limits: GPUSupportedLimits): Record<string, number> {
  return {
    maxBufferSize: limits.maxBufferSize,
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage: Math.min(limits.maxStorageBuffersPerShaderStage, 10),
    maxComputeWorkgroupStorageSize: Math.min(limits.maxComputeWorkgroupStorageSize, 32768),
  };
}

/** Whether this thread ever had a device. If so, a missing adapter has been lost and may come back. */
let hadDevice = false;

function noAdapter(message: string, hint: string, cause?: unknown): GpuError {
  if (!hadDevice) return new GpuError("no_adapter", message, hint, { cause });
  return new GpuError(
    "adapter_lost",
    "The graphics adapter was lost and has not come back yet.",
    "Wait a few seconds and try again. If that does not help, restart the browser.",
    { cause },
  );
}

async function requestAdapter(gpu: GPU | undefined): Promise<GPUAdapter> {
  const options = { powerPreference: "high-performance" } as const;
  const adapter = gpu && (await inTime(gpu.requestAdapter(options)));
  if (adapter) return adapter;
  throw noAdapter(
    "No WebGPU adapter was found.",
    "Use Chrome or Edge 113 or newer with hardware acceleration on, and a current graphics driver.",
  );
}

async function requestDevice(adapter: GPUAdapter, requiredFeatures: GPUFeatureName[]): Promise<GPUDevice> {
  const requiredLimits = requestedLimits(adapter.limits);
  try {
    const device = await inTime(adapter.requestDevice({ label: "studio", requiredFeatures, requiredLimits }));
    hadDevice = true;
    return device;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw noAdapter(
      `The graphics adapter gave no device: ${reason}`,
      "Close other programs that use the GPU, or restart the browser.",
      error,
    );
  }
}

/**
 * Opens the best adapter of `gpu` (navigator.gpu or Dawn).
 * @throws GpuError("no_adapter") with the remedy; GpuError("adapter_lost") when there was a device before.
 */
export async function openGpu(gpu: PolledGpu | undefined): Promise<Gpu> {
  const adapter = await requestAdapter(gpu);
  const { info } = adapter;
  const features = OPTIONAL_FEATURES.filter((feature) => adapter.features.has(feature));
  const device = await requestDevice(adapter, features);
  const caps: GpuCaps = {
    vendor: info.vendor,
    architecture: info.architecture,
    description: info.description,
    software: isSoftware(info),
    features,
    maxBufferSize: device.limits.maxBufferSize,
    maxBindingSize: device.limits.maxStorageBufferBindingSize,
    maxWorkgroupMemory: device.limits.maxComputeWorkgroupStorageSize,
  };
  return wrapDevice(device, caps, gpu?.beginWait ?? (() => () => undefined));
}

/** Collects errors that no error scope captures. Returns a function that takes the first one since the last call. */
function watchErrors(device: GPUDevice): () => GpuError | null {
  let failure: GpuError | null = null;
  device.addEventListener("uncapturederror", (event) => {
    const { error } = event as GPUUncapturedErrorEvent;
    const code = error instanceof GPUOutOfMemoryError ? "out_of_memory" : "validation";
    failure ??= new GpuError(
      code,
      error.message,
      code === "out_of_memory" ? "Choose a smaller preset." : undefined,
    );
  });
  return () => {
    const taken = failure;
    failure = null;
    return taken;
  };
}

function wrapDevice(device: GPUDevice, caps: GpuCaps, beginWait: () => () => void): Gpu {
  const takeFailure = watchErrors(device);
  const lost = device.lost.then(
    (info) => `The graphics device was lost (${info.reason}): ${info.message || "no details"}`,
  );
  const breaker = new Breaker();
  void lost.then((message) =>
    breaker.break(new GpuError("device_lost", message, "The run continues from its last checkpoint.")),
  );
  const cache = new Map<string, Promise<CompiledKernel>>();
  const compiling = createSemaphore(compiledAtOnce());
  let isDestroyed = false;
  let compilations = 0;
  let hasFailed = false;
  const noteFailure = (error: unknown): never => {
    hasFailed = true;
    throw error;
  };
  lost.then(noteFailure).catch(() => undefined);

  /** Waits for `work` of the device: no longer than the device lives, nor than the time limit. */
  async function waitFor<T>(work: Promise<T>): Promise<T> {
    const value = await breaker.guard(inTime(work)).finally(beginWait()).catch(noteFailure);
    const failed = takeFailure();
    return failed ? noteFailure(failed) : value;
  }

  const settle = () => waitFor(device.queue.onSubmittedWorkDone());

  async function read(buffer: GPUBuffer, bytes: number, offset = 0): Promise<ArrayBuffer> {
    const [all] = await readParts([{ buffer, offset, bytes: Math.ceil(bytes / 4) * 4 }]);
    return all!.byteLength === bytes ? all! : all!.slice(0, bytes);
  }

  async function readParts(
    parts: readonly BufferPart[],
    encoder = device.createCommandEncoder({ label: "read-back" }),
  ): Promise<ArrayBuffer[]> {
    const starts = startsOf(parts);
    const staging = device.createBuffer({
      label: "read-back",
      size: starts.at(-1)!,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    try {
      for (const [i, { buffer, offset, bytes }] of parts.entries())
        encoder.copyBufferToBuffer(buffer, offset, staging, starts[i]!, bytes);
      device.queue.submit([encoder.finish()]);
      await waitFor(staging.mapAsync(GPUMapMode.READ));
      const mapped = staging.getMappedRange();
      return parts.map((_, i) => mapped.slice(starts[i], starts[i + 1]));
    } finally {
      staging.destroy();
    }
  }

  function compile(spec: KernelSpec, constants: Readonly<Record<string, number>>): Promise<CompiledKernel> {
    const source = kernelSource(spec, constants);
    const known = cache.get(source);
    if (known) return known;
    printKernel(spec.label, source);
    compilations++;
    const work = compiling.run(() => compileNow(spec, source)).finally(() => compilations--);
    const compiled = breaker.guard(work).finally(beginWait()).catch(noteFailure);
    cache.set(source, compiled);
    return compiled;
  }

  async function compileNow(spec: KernelSpec, source: string): Promise<CompiledKernel> {
    if (isDestroyed)
      throw new GpuError("device_lost", "The device was destroyed before a kernel was compiled.");
    return inTime(compileKernel(device, spec, source), COMPILE_MS);
  }

  const isReusable = () => !isDestroyed && !hasFailed && compilations === 0 && cache.size <= KEPT_KERNELS;

  function destroy(): void {
    isDestroyed = true;
    device.destroy();
  }
  return { device, caps, lost, compile, settle, read, readParts, isReusable, release: destroy, destroy };
}

/** Where each part begins when all stand in a row, and where the last one ends. */
function startsOf(parts: readonly BufferPart[]): number[] {
  const starts = [0];
  for (const { bytes } of parts) starts.push(starts.at(-1)! + bytes);
  return starts;
}

/** @throws GpuError("shader_compile") with the kernel's label, the line and its text. */
async function compileKernel(device: GPUDevice, spec: KernelSpec, source: string): Promise<CompiledKernel> {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ label: spec.label, code: source });
  const layout = device.createBindGroupLayout({ label: spec.label, entries: layoutEntries(spec) });
  const pipelineLayout = device.createPipelineLayout({ label: spec.label, bindGroupLayouts: [layout] });
  const descriptor = { label: spec.label, layout: pipelineLayout, compute: { module, entryPoint: "main" } };
  // The scope only keeps these errors from being reported twice. It rejects, like everything else, on a lost device.
  device.popErrorScope().catch(() => null);
  try {
    return { pipeline: await device.createComputePipelineAsync(descriptor), layout };
  } catch (cause) {
    throw await describeCompileError(spec, source, module, cause);
  }
}

function layoutEntries(spec: KernelSpec): GPUBindGroupLayoutEntry[] {
  const storage = Object.values(spec.bindings).map((access, i) => ({
    binding: i + 1,
    visibility: GPUShaderStage.COMPUTE,
    buffer: { type: access === "read" ? "read-only-storage" : "storage" } as GPUBufferBindingLayout,
  }));
  if (Object.keys(spec.uniforms).length === 0) return storage;
  return [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: "uniform" } }, ...storage];
}

async function describeCompileError(
  spec: KernelSpec,
  source: string,
  module: GPUShaderModule,
  cause: unknown,
): Promise<GpuError> {
  const lines = source.split("\n");
  // A lost device has no messages.
  const info = await module.getCompilationInfo().catch(() => ({ messages: [] }));
  const text = [...info.messages]
    .filter((m) => m.type === "error")
    .map((m) => `line ${m.lineNum}: ${m.message}\n    ${lines[m.lineNum - 1] ?? ""}`)
    .join("\n");
  const fallback = cause instanceof Error ? cause.message : String(cause);
  return new GpuError("shader_compile", `The kernel ${spec.label} does not compile. ${text || fallback}`);
}
