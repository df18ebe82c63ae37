// All parameters live in one flat buffer, so that the optimiser, clipping and checkpoints see one array. This file
// says where each tensor lies, how it starts, and to which optimiser group it belongs.
import { rng } from "../../core/rng.ts";
import type { ModelArchitecture } from "./architecture.ts";

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

/** Appends tensors to a layout. */
type LayoutWriter = ReturnType<typeof layoutWriter>;

/** A writer to `specs` of tensors of `group` whose names begin with `prefix`. */
function layoutWriter(specs: ParameterSpec[], group: ParameterSpec["group"], prefix = "") {
  const add = (
    name: string,
    shape: readonly number[],
    { decay, init }: Pick<ParameterSpec, "decay" | "init">,
  ) => {
    const length = shape.reduce((product, n) => product * n, 1);
    specs.push({ name: prefix + name, shape, offset: endOf(specs), length, group, decay, init });
  };
  return {
    matrix: (name: string, rows: number, cols: number, std: number, decay = true) =>
      add(name, [rows, cols], { decay, init: { kind: "normal", std } }),
    vector: (name: string, length: number, value: number) =>
      add(name, [length], { decay: false, init: { kind: "constant", value } }),
  };
}

/** The first float after the last tensor and its padding. */
function endOf(specs: readonly ParameterSpec[]): number {
  const last = specs.at(-1);
  return last ? last.offset + Math.ceil(last.length / PARAMETER_BLOCK) * PARAMETER_BLOCK : 0;
}

/** Residual outputs start smaller by √(2·layers), so that depth does not change the scale of the stream. */
const residualStd = (fanIn: number, layers: number) => 1 / Math.sqrt(fanIn * 2 * layers);

function addTower(b: LayoutWriter, { vision, decoder }: ModelArchitecture): void {
  const { width, patch, rows, cols, layers, ffn } = vision;
  const pixels = 3 * patch * patch;
  b.matrix("vision.patch.weight", pixels, width, 1 / Math.sqrt(pixels));
  b.vector("vision.patch.bias", width, 0);
  b.matrix("vision.rows", rows, width, 0.5, false);
  b.matrix("vision.cols", cols, width, 0.5, false);
  for (let i = 0; i < layers; i++) {
    const layer = `vision.layers.${i}.`;
    for (const norm of ["norm1", "norm2"]) {
      b.vector(`${layer}${norm}.weight`, width, 1);
      b.vector(`${layer}${norm}.bias`, width, 0);
    }
    b.matrix(`${layer}qkv.weight`, width, 3 * width, 1 / Math.sqrt(width));
    b.vector(`${layer}qkv.bias`, 3 * width, 0);
    b.matrix(`${layer}out.weight`, width, width, residualStd(width, layers));
    b.vector(`${layer}out.bias`, width, 0);
    b.matrix(`${layer}up.weight`, width, ffn, 1 / Math.sqrt(width));
    b.vector(`${layer}up.bias`, ffn, 0);
    b.matrix(`${layer}down.weight`, ffn, width, residualStd(ffn, layers));
    b.vector(`${layer}down.bias`, width, 0);
  }
  if (layers > 0) {
    b.vector("vision.norm.weight", width, 1);
    b.vector("vision.norm.bias", width, 0);
  }
  if (vision.connector) {
    const merged = width * vision.merge * vision.merge;
    b.matrix("connector.weight", merged, decoder.width, 1 / Math.sqrt(merged));
  }
}

function addDecoder(b: LayoutWriter, { decoder, vocabStride }: ModelArchitecture): void {
  const { layers, width, heads, kvHeads, headDim, ffn } = decoder;
  b.matrix("embed.weight", vocabStride, width, 0.5, false);
  for (let i = 0; i < layers; i++) {
    const layer = `layers.${i}.`;
    b.vector(`${layer}norm1.weight`, width, 1);
    b.matrix(`${layer}qkv.weight`, width, (heads + 2 * kvHeads) * headDim, 1 / Math.sqrt(width));
    b.matrix(`${layer}out.weight`, heads * headDim, width, residualStd(heads * headDim, layers));
    b.vector(`${layer}norm2.weight`, width, 1);
    b.matrix(`${layer}gate_up.weight`, width, 2 * ffn, 1 / Math.sqrt(width));
    b.matrix(`${layer}down.weight`, ffn, width, residualStd(ffn, layers));
  }
  b.vector("norm.weight", width, 1);
}

/** Where every tensor of `architecture` lies in the flat buffer. Names are stable: checkpoints use them. */
export function parameterLayout(architecture: ModelArchitecture): ParameterLayout {
  const { decoder, vocabStride, tied, valueHidden, critic } = architecture;
  const specs: ParameterSpec[] = [];
  const policy = layoutWriter(specs, "actor");
  addTower(policy, architecture);
  addDecoder(policy, architecture);
  if (!tied) policy.matrix("head.weight", decoder.width, vocabStride, 0.5 / Math.sqrt(decoder.width));
  if (critic === "separate") {
    const backbone = layoutWriter(specs, "critic", "critic.");
    addTower(backbone, architecture);
    addDecoder(backbone, architecture);
  }
  const value = layoutWriter(specs, "critic");
  value.matrix("value.hidden.weight", decoder.width, valueHidden, 1 / Math.sqrt(decoder.width));
  value.vector("value.hidden.bias", valueHidden, 0);
  value.matrix("value.out.weight", valueHidden, 4, 0.01);
  value.vector("value.out.bias", 4, 0);
  return {
    specs,
    byName: new Map(specs.map((spec) => [spec.name, spec])),
    flatLength: endOf(specs),
    count: specs.reduce((sum, spec) => sum + spec.length, 0),
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
