// Peak rates of the device: multiply-adds in registers, and copies between buffers.
import type { Gpu } from "../gpu/device.ts";
import { defineKernel } from "../gpu/kernel.ts";
import { Arena } from "../gpu/memory.ts";
import { Plan } from "../gpu/plan.ts";
import { wallTime } from "../gpu/stopwatch.ts";

export interface Roofline {
  /** 10⁹ floating-point operations a second; a multiply-add is two. */
  readonly gflops: number;
  /** 10⁹ bytes a second, read and written together. */
  readonly gbytes: number;
}

/** The larger of several probes of each peak. */
export interface Peaks extends Roofline {
  /** How far the probes of a peak lie apart, over the largest of them; of both peaks the worse. 0 is none. */
  readonly disagreement: number;
}

/** Probes that differ by more leave it open how large a peak is. */
const MOST_DISAGREEMENT = 0.05;

/** Whether shares of these peaks are uncertain. */
export const isUncertain = ({ disagreement }: Peaks): boolean => disagreement > MOST_DISAGREEMENT;

/** The largest of each peak: a probe may read too low while something else uses the device, and hardly ever too high. */
export function peaksOf(probes: readonly [Roofline, ...Roofline[]]): Peaks {
  const flops = probes.map(({ gflops }) => gflops);
  const bytes = probes.map(({ gbytes }) => gbytes);
  return {
    gflops: Math.max(...flops),
    gbytes: Math.max(...bytes),
    disagreement: Math.max(...[flops, bytes].map((rates) => 1 - Math.min(...rates) / Math.max(...rates))),
  };
}

const THREADS = 64;
/** Independent chains of one invocation: enough to hide the latency of a multiply-add, few enough to stay in registers. */
const CHAINS = 4;
/** Multiply-adds of a chain in one turn of the loop: the loop itself must not count. */
const UNROLLED = 16;
const TURNS = 32;

/** Chains of vec4 multiply-adds; the only access to memory is one store. */
const multiplyAdds = defineKernel({
  label: "roofline_fma",
  code: [
    `struct Shape { a: f32, b: f32 }
@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let a = vec4f(shape.a);
  let b = vec4f(shape.b);
  ${chains((c) => `var x${c} = vec4f(f32(id.x + ${c}u));`)}
  for (var i = 0u; i < ${TURNS}u; i++) {
    ${chains((c) => `x${c} = ${"fma(".repeat(UNROLLED)}x${c}${", a, b)".repeat(UNROLLED)};`)}
  }
  out[id.x] = ${Array.from({ length: CHAINS }, (_, c) => `x${c}`).join(" + ")};
}`,
  ],
  uniforms: { a: "f32", b: "f32" },
  bindings: { out: "read_write" },
  grid: () => [1],
});

function chains(line: (chain: number) => string): string {
  return Array.from({ length: CHAINS }, (_, c) => line(c)).join("\n  ");
}

/** One vec4 per invocation; the grid folds into y as the product's element-wise kernels do. */
const copy = defineKernel({
  label: "roofline_copy",
  code: [
    `struct Shape { n: u32 }
@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * ${THREADS}u + id.x;
  if (i < shape.n) { out[i] = inp[i]; }
}`,
  ],
  uniforms: { n: "u32" },
  bindings: { inp: "read", out: "read_write" },
  grid: ({ n }) => {
    const groups = Math.ceil(n / THREADS);
    const y = Math.ceil(groups / 65535);
    return [Math.ceil(groups / y), y];
  },
});

/** Milliseconds of one dispatch of a plan: the shortest of several batches, as a roofline is what is possible. */
export async function shortest(gpu: Gpu, plan: Plan, minMs: number): Promise<number> {
  const batch = async (repeats: number) => {
    const ms = await wallTime(gpu, (pass) => {
      plan.setValues(gpu, {});
      for (let i = 0; i < repeats; i++) plan.encode(pass, {});
    });
    return ms / repeats;
  };
  await batch(1);
  const repeats = Math.max(1, Math.ceil(minMs / (await batch(2))));
  const times: number[] = [];
  for (let i = 0; i < 5; i++) times.push(await batch(repeats));
  return Math.min(...times);
}

/** Both peaks of `gpu`. Sizes follow the adapter: a graphics card needs far more work to be full. */
export async function probeRoofline(gpu: Gpu): Promise<Roofline> {
  const groups = gpu.caps.software ? 64 : 8192;
  const bytes = (gpu.caps.software ? 64 : 256) * 2 ** 20;
  const arena = new Arena();
  const out = arena.tensor("roofline", "fma", groups * THREADS * 4);
  const from = arena.tensor("roofline", "copy from", bytes / 4);
  const to = arena.tensor("roofline", "copy to", bytes / 4);
  await arena.create(gpu);
  const fma = new Plan("roofline fma");
  fma.add({ ...multiplyAdds, grid: () => [groups] }, { out }, { a: 0.999, b: 0.001 });
  const copying = new Plan("roofline copy");
  copying.add(copy, { inp: from, out: to }, { n: bytes / 16 });
  await Promise.all([fma.build(gpu), copying.build(gpu)]);
  const fmaMs = await shortest(gpu, fma, 50);
  const copyMs = await shortest(gpu, copying, 50);
  for (const plan of [fma, copying]) plan.destroy();
  arena.destroy();
  const flops = groups * THREADS * TURNS * UNROLLED * CHAINS * 4 * 2;
  return { gflops: flops / fmaMs / 1e6, gbytes: (2 * bytes) / copyMs / 1e6 };
}
