// All parameters live in one flat buffer, so that the optimiser, clipping and checkpoints see one array. This file
// says where each tensor lies, how it starts, and to which optimiser group it belongs.
import { rng } from "../../core/rng.ts";
import type { ModelArchitecture, StackShape } from "./architecture.ts";

/** Tensors start at multiples of this many floats: WebGPU's 256-byte binding alignment. */
const PARAMETER_BLOCK = 64;

interface ParameterSpec {
  name: string;
  /** Row-major; weights of linear layers are (in, out). */
  shape: readonly number[];
  /** First float in the flat buffer. */
  offset: number;
  length: number;
  /** Which learning rate applies. */
  group: "actor" | "critic";
  /** Decoupled weight decay applies to matrices only. */
  decay: boolean;
  init: { kind: "normal"; std: number } | { kind: "constant"; value: number };
}

export interface ParameterLayout {
  specs: readonly ParameterSpec[];
  byName: ReadonlyMap<string, ParameterSpec>;
  /** Floats in the flat buffer, padding included. */
  flatLength: number;
  /** Trainable numbers. */
  count: number;
}

class LayoutBuilder {
  readonly specs: ParameterSpec[] = [];
  private offset = 0;
  constructor(private readonly vocab: number) {}

  private add(
    name: string,
    shape: readonly number[],
    group: ParameterSpec["group"],
    decay: boolean,
    init: ParameterSpec["init"],
  ): void {
    const length = shape.reduce((product, n) => product * n, 1);
    this.specs.push({ name, shape, offset: this.offset, length, group, decay, init });
    this.offset += Math.ceil(length / PARAMETER_BLOCK) * PARAMETER_BLOCK;
  }
  matrix(
    name: string,
    rows: number,
    cols: number,
    std: number,
    group: ParameterSpec["group"],
    decay = true,
  ): void {
    this.add(name, [rows, cols], group, decay, { kind: "normal", std });
  }
  vector(name: string, length: number, value: number, group: ParameterSpec["group"]): void {
    this.add(name, [length], group, false, { kind: "constant", value });
  }
  get flatLength(): number {
    return this.offset;
  }
  get vocabulary(): number {
    return this.vocab;
  }
}

/** Residual outputs start smaller by √(2·layers), so that depth does not change the scale of the stream. */
const residualStd = (fanIn: number, layers: number) => 1 / Math.sqrt(fanIn * 2 * layers);

function addTower(
  b: LayoutBuilder,
  prefix: string,
  { vision, decoder }: ModelArchitecture,
  group: ParameterSpec["group"],
): void {
  const { width, patch, rows, cols, layers, ffn } = vision;
  const pixels = 3 * patch * patch;
  b.matrix(`${prefix}vision.patch.weight`, pixels, width, 1 / Math.sqrt(pixels), group);
  b.vector(`${prefix}vision.patch.bias`, width, 0, group);
  b.matrix(`${prefix}vision.rows`, rows, width, 0.5, group, false);
  b.matrix(`${prefix}vision.cols`, cols, width, 0.5, group, false);
  for (let i = 0; i < layers; i++) {
    const layer = `${prefix}vision.layers.${i}.`;
    for (const norm of ["norm1", "norm2"]) {
      b.vector(`${layer}${norm}.weight`, width, 1, group);
      b.vector(`${layer}${norm}.bias`, width, 0, group);
    }
    b.matrix(`${layer}qkv.weight`, width, 3 * width, 1 / Math.sqrt(width), group);
    b.vector(`${layer}qkv.bias`, 3 * width, 0, group);
    b.matrix(`${layer}out.weight`, width, width, residualStd(width, layers), group);
    b.vector(`${layer}out.bias`, width, 0, group);
    b.matrix(`${layer}up.weight`, width, ffn, 1 / Math.sqrt(width), group);
    b.vector(`${layer}up.bias`, ffn, 0, group);
    b.matrix(`${layer}down.weight`, ffn, width, residualStd(ffn, layers), group);
    b.vector(`${layer}down.bias`, width, 0, group);
  }
  if (layers > 0) {
    b.vector(`${prefix}vision.norm.weight`, width, 1, group);
    b.vector(`${prefix}vision.norm.bias`, width, 0, group);
  }
  if (vision.connector) {
    const merged = width * vision.merge * vision.merge;
    b.matrix(`${prefix}connector.weight`, merged, decoder.width, 1 / Math.sqrt(merged), group);
  }
}

function addDecoder(
  b: LayoutBuilder,
  prefix: string,
  { layers, width, heads, kvHeads, headDim, ffn }: StackShape,
  group: ParameterSpec["group"],
): void {
  b.matrix(`${prefix}embed.weight`, b.vocabulary, width, 0.5, group, false);
  for (let i = 0; i < layers; i++) {
    const layer = `${prefix}layers.${i}.`;
    b.vector(`${layer}norm1.weight`, width, 1, group);
    b.matrix(`${layer}qkv.weight`, width, (heads + 2 * kvHeads) * headDim, 1 / Math.sqrt(width), group);
    b.matrix(`${layer}out.weight`, heads * headDim, width, residualStd(heads * headDim, layers), group);
    b.vector(`${layer}norm2.weight`, width, 1, group);
    b.matrix(`${layer}gate_up.weight`, width, 2 * ffn, 1 / Math.sqrt(width), group);
    b.matrix(`${layer}down.weight`, ffn, width, residualStd(ffn, layers), group);
  }
  b.vector(`${prefix}norm.weight`, width, 1, group);
}

/** Where every tensor of `architecture` lies in the flat buffer. Names are stable: checkpoints use them. */
export function parameterLayout(architecture: ModelArchitecture): ParameterLayout {
  const { decoder, vocabStride, tied, valueHidden, critic } = architecture;
  const b = new LayoutBuilder(architecture.vocabStride);
  addTower(b, "", architecture, "actor");
  addDecoder(b, "", decoder, "actor");
  if (!tied) b.matrix("head.weight", decoder.width, vocabStride, 0.5 / Math.sqrt(decoder.width), "actor");
  if (critic === "separate") {
    addTower(b, "critic.", architecture, "critic");
    addDecoder(b, "critic.", decoder, "critic");
  }
  b.matrix("value.hidden.weight", decoder.width, valueHidden, 1 / Math.sqrt(decoder.width), "critic");
  b.vector("value.hidden.bias", valueHidden, 0, "critic");
  b.matrix("value.out.weight", valueHidden, 4, 0.01, "critic");
  b.vector("value.out.bias", 4, 0, "critic");
  return {
    specs: b.specs,
    byName: new Map(b.specs.map((spec) => [spec.name, spec])),
    flatLength: b.flatLength,
    count: b.specs.reduce((sum, spec) => sum + spec.length, 0),
  };
}

/** Initial values of the flat buffer; each tensor has its own random stream, so adding one never shifts another. */
export function initialParameters(layout: ParameterLayout, seed: number): Float32Array<ArrayBuffer> {
  const flat = new Float32Array(layout.flatLength);
  const root = rng(seed).fork("parameters");
  for (const { name, offset, length, init } of layout.specs) {
    const values = flat.subarray(offset, offset + length);
    if (init.kind === "constant") values.fill(init.value);
    else fillNormal(values, root.fork(name), init.std);
  }
  return flat;
}

/** Box–Muller, both outputs used. */
function fillNormal(values: Float32Array, random: { float(): number }, std: number): void {
  for (let i = 0; i < values.length; i += 2) {
    const radius = std * Math.sqrt(-2 * Math.log(1 - random.float()));
    const angle = 2 * Math.PI * random.float();
    values[i] = radius * Math.cos(angle);
    if (i + 1 < values.length) values[i + 1] = radius * Math.sin(angle);
  }
}

/**
 * One pair per block of 64 floats for the optimiser: (0 actor | 1 critic, 1 when weight decay applies).
 * Padding belongs to the block's tensor and stays zero because its gradient is.
 */
export function blockTable({ specs, flatLength }: ParameterLayout): Float32Array<ArrayBuffer> {
  const table = new Float32Array((flatLength / PARAMETER_BLOCK) * 2);
  for (const { offset, length, group, decay } of specs) {
    const first = offset / PARAMETER_BLOCK;
    const last = first + Math.ceil(length / PARAMETER_BLOCK);
    for (let block = first; block < last; block++) {
      table[block * 2] = group === "critic" ? 1 : 0;
      table[block * 2 + 1] = decay ? 1 : 0;
    }
  }
  return table;
}
