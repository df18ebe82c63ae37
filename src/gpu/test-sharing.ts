// One device for all tests of a process. A software driver compiles the kernels of a small run for longer than the run
// trains, and most runs need the same kernels. Imported by tests only.
import type { PolledGpu } from "./device.ts";
import { requestNodeGpu } from "./node-device.ts";

// Vitest loads this module again for a file that it isolates; the device outlives that.
const slot = Symbol.for("vagen.node-gpu");
const ownSlot = Symbol.for("vagen.own-node-gpu");
const held = globalThis as typeof globalThis & {
  [slot]?: Promise<PolledGpu>;
  [ownSlot]?: Promise<PolledGpu>;
};

/** From now on, `requestNodeGpu` gives a GPU whose devices are shared. @throws GpuError, as `requestNodeGpu` does. */
export async function shareNodeGpu(): Promise<void> {
  if (held[ownSlot]) return;
  const own = await requestNodeGpu();
  held[ownSlot] = Promise.resolve(own);
  held[slot] = Promise.resolve(shareDevices(own));
}

/** The GPU for a test that is about a device's life: each device is a new one. */
export function requestOwnGpu(): Promise<PolledGpu> {
  return held[ownSlot] ?? requestNodeGpu();
}

/**
 * A provider like `gpu` whose devices are one device with one set of pipelines. A device that is destroyed ends for its
 * opener alone.
 */
function shareDevices(gpu: PolledGpu): PolledGpu {
  const devices = new Map<string | undefined, Promise<GPUDevice>>();
  const shareOf = (adapter: GPUAdapter) => async (descriptor?: GPUDeviceDescriptor) => {
    const key = JSON.stringify(descriptor);
    const device = devices.get(key) ?? adapter.requestDevice(descriptor).then(keepPipelines);
    devices.set(key, device);
    return openShare(await device);
  };
  return overlay(gpu, {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await gpu.requestAdapter(options);
      return adapter && overlay(adapter, { requestDevice: shareOf(adapter) });
    },
  });
}

/** The device as one opener has it: with an end and with listeners of its own. */
function openShare(device: GPUDevice): GPUDevice {
  let end: (info: unknown) => void = () => undefined;
  const lost = new Promise((resolve) => {
    end = resolve;
  });
  void device.lost.then(end);
  const closed = new AbortController();
  return overlay(device, {
    lost,
    destroy() {
      closed.abort();
      end({ reason: "destroyed", message: "Device was destroyed." });
    },
    addEventListener(type: "uncapturederror", listen: (event: Event) => void) {
      device.addEventListener(type, listen);
      closed.signal.addEventListener("abort", () => device.removeEventListener(type, listen));
    },
  });
}

/** The device with one module and one pipeline for each kernel, however often the kernel is compiled. */
function keepPipelines(device: GPUDevice): GPUDevice {
  const texts = new WeakMap<object, string>();
  const noted = <T extends object>(object: T, text: string): T => {
    texts.set(object, text);
    return object;
  };
  const modules = new Map<string, GPUShaderModule>();
  const pipelines = new Map<string, Promise<GPUComputePipeline>>();
  return overlay(device, {
    // To read the text of a kernel takes milliseconds, too.
    createShaderModule(from: GPUShaderModuleDescriptor) {
      const module = modules.get(from.code) ?? noted(device.createShaderModule(from), from.code);
      modules.set(from.code, module);
      return module;
    },
    createBindGroupLayout: (from: GPUBindGroupLayoutDescriptor) =>
      noted(device.createBindGroupLayout(from), JSON.stringify(from.entries)),
    createPipelineLayout: (from: GPUPipelineLayoutDescriptor) =>
      noted(
        device.createPipelineLayout(from),
        JSON.stringify([...from.bindGroupLayouts].map((layout) => layout && texts.get(layout))),
      ),
    createComputePipelineAsync(from: GPUComputePipelineDescriptor) {
      const { module, entryPoint, constants } = from.compute;
      const key = JSON.stringify([
        texts.get(from.layout as object),
        texts.get(module),
        entryPoint,
        constants,
      ]);
      const pipeline = pipelines.get(key) ?? device.createComputePipelineAsync(from);
      pipelines.set(key, pipeline);
      return pipeline;
    },
  });
}

/** `target` with some members replaced; native objects insist on their own `this`. */
export function overlay<T extends object>(target: T, replaced: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get(object, name) {
      if (Object.hasOwn(replaced, name)) return replaced[name as keyof T];
      const value = Reflect.get(object, name, object);
      return typeof value === "function" ? value.bind(object) : value;
    },
    set: (object, name, value) => Reflect.set(object, name, value, object),
  });
}
