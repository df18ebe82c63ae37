// Fixed costs of the device: a dispatch among others, and a read-back.
import type { Gpu } from "../gpu/device.ts";
import { defineKernel } from "../gpu/kernel.ts";
import { Arena, bufferOf } from "../gpu/memory.ts";
import { Plan } from "../gpu/plan.ts";
import { wallTime } from "../gpu/stopwatch.ts";
import { spread } from "./stats.ts";
import { timed } from "./timed.ts";

export interface Latency {
  /** Microseconds of a dispatch that depends on the one before, in one pass. */
  dispatchUs: number;
  /** Microseconds from a submission of almost nothing until its result is in JavaScript. */
  readbackUs: number;
}

/** Dispatches of the short pass and of the long one; their difference leaves out what a submission takes. */
const DISPATCHES = { few: 100, many: 1100 } as const;
const ROUNDS = 9;
/** A read-back as small as those of a reply. */
const READ_BYTES = 256;

/** Each dispatch adds to what the one before wrote. */
const increment = defineKernel({
  label: "latency",
  code: [
    `struct Shape { by: f32 }
@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] += shape.by; }`,
  ],
  uniforms: { by: "f32" },
  bindings: { out: "read_write" },
  grid: () => [1],
});

/** Medians of several rounds on `gpu`. */
export async function probeLatency(gpu: Gpu): Promise<Latency> {
  const arena = new Arena();
  const out = arena.tensor("latency", "numbers", 64);
  await arena.create(gpu);
  const plan = new Plan("latency");
  plan.add(increment, { out }, { by: 1 });
  await plan.build(gpu);
  plan.setValues(gpu, {});
  const timePass = (dispatches: number) =>
    wallTime(gpu, (pass) => {
      for (let i = 0; i < dispatches; i++) plan.encode(pass, {});
    });
  const readback = async () => {
    gpu.device.queue.writeBuffer(bufferOf(out), 0, new Float32Array(64));
    await gpu.read(bufferOf(out), READ_BYTES);
  };
  await timePass(DISPATCHES.many);
  await readback();
  const [dispatch, read]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const few = await timePass(DISPATCHES.few);
    const many = await timePass(DISPATCHES.many);
    dispatch.push(((many - few) * 1000) / (DISPATCHES.many - DISPATCHES.few));
    read.push((await timed(readback)) * 1000);
  }
  plan.destroy();
  arena.destroy();
  return { dispatchUs: spread(dispatch).median, readbackUs: spread(read).median };
}
