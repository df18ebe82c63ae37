// Reading several buffers back with one copy and one map.
import type { Gpu } from "./device.ts";
import { bufferOf, type Tensor } from "./memory.ts";

/** A prefix of a tensor: its first `length` 4-byte elements. */
interface ReadPart {
  tensor: Tensor;
  length: number;
}

/** The parts' bytes, in order; one staging buffer, one wait. @throws as `Gpu.read`. */
export async function readTogether(gpu: Gpu, parts: readonly ReadPart[]): Promise<ArrayBuffer[]> {
  const total = parts.reduce((sum, { length }) => sum + length * 4, 0);
  const joined = gpu.device.createBuffer({
    label: "read together",
    size: total,
    usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  });
  const encoder = gpu.device.createCommandEncoder({ label: "read together" });
  let offset = 0;
  for (const { tensor, length } of parts) {
    encoder.copyBufferToBuffer(bufferOf(tensor), tensor.offset, joined, offset, length * 4);
    offset += length * 4;
  }
  gpu.device.queue.submit([encoder.finish()]);
  try {
    const all = await gpu.read(joined, total);
    let end = 0;
    return parts.map(({ length }) => {
      end += length * 4;
      return all.slice(end - length * 4, end);
    });
  } finally {
    joined.destroy();
  }
}
