import { expect, it } from "vitest";
import type { Gpu } from "./device.ts";
import { defineKernel } from "./kernel.ts";
import { encodeTogether, Plan } from "./plan.ts";

const kernel = defineKernel({
  label: "scale",
  code: [],
  uniforms: { n: "u32", by: "f32", width: "u32" },
  bindings: {},
  grid: ({ n, width }) => [n / 2, width],
});

/** A device that notes what is written and dispatched. */
function recorder() {
  const written: [ints: number[], floats: number[]][] = [];
  const dispatched: number[][] = [];
  const device = {
    createBuffer: () => ({ destroy() {} }),
    createBindGroup: () => ({}),
    queue: {
      writeBuffer: (_: unknown, __: number, words: Uint32Array<ArrayBuffer>) =>
        written.push([[...words], [...new Float32Array(words.slice().buffer)]]),
    },
  };
  const pass = {
    setPipeline() {},
    setBindGroup() {},
    dispatchWorkgroups: (...grid: number[]) => dispatched.push(grid),
  } as unknown as GPUComputePassEncoder;
  const gpu = { device, compile: async () => ({}) } as unknown as Gpu;
  return { gpu, pass, written, dispatched };
}

async function built() {
  globalThis.GPUBufferUsage ??= {} as typeof GPUBufferUsage;
  const recorded = recorder();
  const plan = new Plan<"rows" | "factor">("test");
  plan.add(kernel, {}, { n: "rows", by: "factor", width: 3 });
  await plan.build(recorded.gpu);
  recorded.written.length = 0;
  return { plan, ...recorded };
}

it("writes uniforms only in replays that change one of them", async () => {
  const { plan, gpu, written } = await built();
  plan.setValues(gpu, { rows: 8, factor: 0.5 });
  plan.setValues(gpu, { rows: 8, factor: 0.5 });
  plan.setValues(gpu, { rows: 8, factor: 0.25 });
  expect(written.map(([ints, floats]) => [ints[0], floats[1], ints[2]])).toEqual([
    [8, 0.5, 3],
    [8, 0.25, 3],
  ]);
});

it("dispatches the workgroups of each replay's own values", async () => {
  const { plan, gpu, pass, written, dispatched } = await built();
  for (const rows of [8, 8, 6, 0, 8]) plan.encode(pass, { rows, factor: 1 });
  expect(dispatched).toEqual([
    [4, 3, 1],
    [4, 3, 1],
    [3, 3, 1],
    [4, 3, 1],
  ]);
  // What was encoded does not count as written.
  plan.setValues(gpu, { rows: 8, factor: 1 });
  expect(written.map(([ints]) => ints[0])).toEqual([8]);
});

it("names the value that a replay lacks", async () => {
  const { plan, gpu, pass } = await built();
  expect(() => plan.setValues(gpu, { rows: 8 })).toThrow("no value for the uniform by (factor)");
  expect(() => plan.encode(pass, { factor: 1 })).toThrow("no value for the uniform n (rows)");
});

it("writes and dispatches what changed before a value was missing", async () => {
  const { plan, gpu, pass, written, dispatched } = await built();
  plan.setValues(gpu, { rows: 4, factor: 1 });
  plan.encode(pass, { rows: 4, factor: 1 });
  expect(() => plan.setValues(gpu, { rows: 8 })).toThrow();
  expect(() => plan.encode(pass, { rows: 8 })).toThrow();
  plan.setValues(gpu, { rows: 8, factor: 1 });
  plan.encode(pass, { rows: 8, factor: 1 });
  expect(written.map(([ints]) => ints[0])).toEqual([4, 8]);
  expect(dispatched).toEqual([
    [2, 3, 1],
    [4, 3, 1],
  ]);
});

it("refuses two values for one plan in a submission, whose uniforms are one buffer", async () => {
  const { plan, gpu, written } = await built();
  const [values, others] = [
    { rows: 8, factor: 1 },
    { rows: 6, factor: 1 },
  ];
  const replays = [values, values, others].map((each) => ({ plan, values: each }));
  expect(() => encodeTogether(gpu, replays)).toThrow("plan test: two replays of one submission");
  expect(written).toEqual([]);
});
