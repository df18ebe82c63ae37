// Counts the submissions, dispatches, waits and live buffers of any library that uses WebGPU.

export interface GpuCounts {
  submissions: number;
  dispatches: number;
  /** Times that the host asked to be woken: when a buffer can be read, or when all submitted work is done. */
  waits: number;
  /** Buffers that were created and not destroyed, and their bytes. */
  buffers: number;
  bytes: number;
}

export interface GpuWatch {
  /** Numbers of one device, or of all. */
  counts(device?: GPUDevice): GpuCounts;
  /** Devices in the order of their first buffer. */
  devices(): GPUDevice[];
}

let watch: GpuWatch | undefined;

/**
 * Starts counting; call it before any device exists. One watch per process: a second call returns the first.
 * A buffer that is dropped without `destroy` still counts, because it remains allocated until it is collected.
 */
export function watchGpu(): GpuWatch {
  watch ??= install();
  return watch;
}

function install(): GpuWatch {
  const byDevice = new Map<GPUDevice, GpuCounts>();
  const queueOf = new Map<GPUQueue, GPUDevice>();
  let current: GPUDevice | undefined;
  const of = (device: GPUDevice): GpuCounts => {
    const known = byDevice.get(device);
    if (known) return known;
    const fresh = { submissions: 0, dispatches: 0, waits: 0, buffers: 0, bytes: 0 };
    byDevice.set(device, fresh);
    queueOf.set(device.queue, device);
    return fresh;
  };
  watchBuffers(of);
  after(GPUDevice.prototype, "createCommandEncoder", (device) => {
    current = device;
  });
  after(GPUQueue.prototype, "submit", (queue) => {
    const device = queueOf.get(queue);
    if (device) of(device).submissions++;
  });
  after(GPUQueue.prototype, "onSubmittedWorkDone", (queue) => {
    const device = queueOf.get(queue);
    if (device) of(device).waits++;
  });
  // An encoder does not expose its device; dispatches belong to the device that last began to encode.
  const dispatched = () => {
    if (current) of(current).dispatches++;
  };
  after(GPUComputePassEncoder.prototype, "dispatchWorkgroups", dispatched);
  after(GPUComputePassEncoder.prototype, "dispatchWorkgroupsIndirect", dispatched);
  return {
    counts: (device) => (device ? { ...of(device) } : total([...byDevice.values()])),
    devices: () => [...byDevice.keys()],
  };
}

function watchBuffers(of: (device: GPUDevice) => GpuCounts): void {
  const owners = new WeakMap<GPUBuffer, GPUDevice>();
  after(GPUDevice.prototype, "createBuffer", (device, buffer) => {
    owners.set(buffer, device);
    const counts = of(device);
    counts.buffers++;
    counts.bytes += buffer.size;
  });
  after(GPUBuffer.prototype, "mapAsync", (buffer, _, [mode]) => {
    const device = owners.get(buffer);
    // A map for writing waits for nothing that the GPU computes.
    if (device && mode === GPUMapMode.READ) of(device).waits++;
  });
  after(GPUBuffer.prototype, "destroy", (buffer) => {
    const device = owners.get(buffer);
    if (!device) return;
    owners.delete(buffer);
    const counts = of(device);
    counts.buffers--;
    counts.bytes -= buffer.size;
  });
}

/** Calls `then` after every call of a method, with its object, result and arguments. */
function after<T extends object, K extends keyof T>(
  prototype: T,
  name: K,
  then: (self: T, result: T[K] extends (...args: never[]) => infer R ? R : never, args: unknown[]) => void,
): void {
  const original = prototype[name] as (...args: unknown[]) => never;
  prototype[name] = function (this: T, ...args: unknown[]) {
    const result = original.apply(this, args);
    then(this, result, args);
    return result;
  } as T[K];
}

function total(all: readonly GpuCounts[]): GpuCounts {
  const sum = (name: keyof GpuCounts) => all.reduce((s, counts) => s + counts[name], 0);
  return {
    submissions: sum("submissions"),
    dispatches: sum("dispatches"),
    waits: sum("waits"),
    buffers: sum("buffers"),
    bytes: sum("bytes"),
  };
}
