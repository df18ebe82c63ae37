// Buffers are described first and created later, so that memory can be planned, shown and refused before allocation.

import { GpuError } from "../core/errors.ts";
import { formatMiB } from "../core/format.ts";
import type { Gpu } from "./device.ts";

/** Storage offsets must be multiples of this many bytes (WebGPU's default, treated as fixed). */
export const BINDING_ALIGNMENT = 256;

export interface BufferSize {
  readonly label: string;
  readonly category: string;
  readonly bytes: number;
}

/** A described buffer; `gpuBuffer` exists after `Arena.create`. */
interface BufferSlot extends BufferSize {
  gpuBuffer: GPUBuffer | null;
}

/** A range of a buffer that a kernel sees as one array. */
export interface Tensor {
  readonly slot: BufferSlot;
  /** Bytes from the start of the buffer; a multiple of 256. */
  readonly offset: number;
  /** Number of 4-byte elements. */
  readonly length: number;
}

export class Arena {
  private readonly slots: BufferSlot[] = [];

  /** Describes a buffer of `length` 4-byte elements (f32, u32 or i32), usable for storage and copies. */
  tensor(category: string, label: string, length: number): Tensor {
    const bytes = Math.max(16, Math.ceil((length * 4) / 16) * 16);
    const slot: BufferSlot = { label, category, bytes, gpuBuffer: null };
    this.slots.push(slot);
    return { slot, offset: 0, length };
  }

  get totalBytes(): number {
    return this.slots.reduce((sum, slot) => sum + slot.bytes, 0);
  }

  get largest(): BufferSize {
    return this.largestOf(() => true);
  }

  /** The largest of some buffers; one without a name and bytes when there is none. */
  largestOf(wanted: (slot: BufferSize) => boolean): BufferSize {
    const none: BufferSize = { label: "", category: "", bytes: 0 };
    return this.slots
      .filter(wanted)
      .reduce<BufferSize>((max, slot) => (slot.bytes > max.bytes ? slot : max), none);
  }

  get bytesByCategory(): Record<string, number> {
    const parts: Record<string, number> = {};
    for (const { category, bytes } of this.slots) parts[category] = (parts[category] ?? 0) + bytes;
    return parts;
  }

  /**
   * Creates every described buffer, zero-filled.
   * @throws GpuError("limit_exceeded") naming the largest buffer and the limit, GpuError("out_of_memory").
   */
  async create({ device, caps }: Gpu): Promise<void> {
    const limit = Math.min(caps.maxBufferSize, caps.maxBindingSize);
    const { label, bytes } = this.largest;
    if (bytes > limit) {
      throw new GpuError(
        "limit_exceeded",
        `The buffer "${label}" needs ${formatMiB(bytes)}; this adapter allows ${formatMiB(limit)}.`,
        "Describe smaller buffers: a smaller model, or fewer tokens at a time.",
      );
    }
    device.pushErrorScope("out-of-memory");
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    for (const slot of this.slots)
      slot.gpuBuffer ??= device.createBuffer({ label: slot.label, size: slot.bytes, usage });
    const error = await device.popErrorScope();
    if (error)
      throw new GpuError(
        "out_of_memory",
        `The GPU has no room for ${formatMiB(this.totalBytes)}: ${error.message}`,
        "Choose a smaller preset.",
      );
  }

  destroy(): void {
    for (const slot of this.slots) {
      slot.gpuBuffer?.destroy();
      slot.gpuBuffer = null;
    }
  }
}

/** The buffer behind a tensor. @throws when the arena has not been created yet: a bug in the caller. */
export function bufferOf(tensor: Tensor): GPUBuffer {
  if (!tensor.slot.gpuBuffer) throw new Error(`buffer ${tensor.slot.label} is used before it is created`);
  return tensor.slot.gpuBuffer;
}

/** A part of a tensor as a tensor; `start` must keep the 256-byte alignment. */
export function slice(tensor: Tensor, start: number, length: number): Tensor {
  const offset = tensor.offset + start * 4;
  if (offset % BINDING_ALIGNMENT !== 0)
    throw new Error(`${tensor.slot.label}: offset ${offset} is not 256-byte aligned`);
  return { slot: tensor.slot, offset, length };
}
