// Every variant of every kernel against its CPU twin: the cases that `npm run check-gpu` and the check in the page run too.
import { expect, it } from "vitest";
import type { Numbers } from "../gpu/run-kernel.ts";
import { testGpu } from "../gpu/testing.ts";
import { casesByVariant } from "./by-kernel.ts";
import type { KernelCase } from "./case.ts";
import { kernelCases } from "./cases/index.ts";
import { failuresOf } from "./check-device.ts";
import { worstElement } from "./numbers.ts";
import { runCase } from "./run-case.ts";

/** A case whose arrays and expected numbers have been computed, which takes longer than to run it. */
function prepared(each: KernelCase): KernelCase {
  const numbers = each.prepare();
  return { ...each, prepare: () => numbers };
}

/** Expects a case to have what its kernel binds, and finite numbers to expect that do not hold before the kernel has run. */
function expectCanFail({ spec, title, prepare }: KernelCase): void {
  const { arrays, want, uniforms } = prepare();
  const name = `${spec.label}: ${title}`;
  expect(Object.keys(arrays), name).toEqual(expect.arrayContaining(Object.keys(spec.bindings)));
  expect(Object.keys(uniforms), name).toEqual(expect.arrayContaining(Object.keys(spec.uniforms)));
  const excesses = Object.entries(want).map(([binding, expected]) => {
    expect((spec.bindings as Record<string, string>)[binding], name).toBe("read_write");
    expect(expected?.values.length, name).toBe(arrays[binding]?.length);
    expect(Array.from(expected?.values ?? []).every(Number.isFinite), name).toBe(true);
    return expected ? worstElement(arrays[binding] as Numbers, expected.values, expected).excess : 0;
  });
  expect(Math.max(...excesses), name).toBeGreaterThan(1);
}

// At once, because a software driver compiles each on one core.
it.each([...casesByVariant(kernelCases)])(
  "%s equals its twin, with the same bits in every run, and did not before it ran",
  async (_, cases) => {
    const ready = cases.map(prepared);
    for (const each of ready) expectCanFail(each);
    const gpu = await testGpu();
    const failures = ready.map(async (each) => failuresOf(each, await runCase(gpu, each)));
    expect((await Promise.all(failures)).flat()).toEqual([]);
  },
);
