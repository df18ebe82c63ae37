// Reading several tensors back with one submission and one map.
import type { Gpu } from "./device.ts";
import { bufferOf, type Tensor } from "./memory.ts";

/** A stretch to read: the first `length` 4-byte elements of a tensor. */
export interface Stretch {
  tensor: Tensor;
  length: number;
}

/**
 * Reads the named stretches in one wait, each as f32 in a buffer of its own; `new Uint32Array(result.buffer)` gives the
 * same words as integers. @throws as `Gpu.read`.
 * @param encoder holds what is to be computed first, and is submitted with the copies
 */
export async function readNamed<Wanted extends Readonly<Record<string, Stretch>>>(
  gpu: Gpu,
  wanted: Wanted,
  encoder?: GPUCommandEncoder,
): Promise<{ [Name in keyof Wanted]: Float32Array<ArrayBuffer> }> {
  const parts = Object.values(wanted).map(({ tensor, length }) => ({
    buffer: bufferOf(tensor),
    offset: tensor.offset,
    bytes: length * 4,
  }));
  const read = await gpu.readParts(parts, encoder);
  const entries = Object.keys(wanted).map((name, i) => [name, new Float32Array(read[i]!)]);
  return Object.fromEntries(entries);
}
