import { expect, it } from "vitest";
import { defineKernel, type KernelSpec, kernelSource } from "./kernel.ts";

/** A kernel that counts how often its text is read. */
function countingKernel(): { spec: KernelSpec; reads: () => number } {
  let reads = 0;
  const spec = {
    ...defineKernel({
      label: "sum",
      code: [],
      uniforms: {},
      bindings: {},
      constants: { ROWS: 2, SCALE: 1 },
      grid: () => [1],
    }),
    get code() {
      reads++;
      return [
        "const ROWS: u32 = 1u;",
        "const SCALE: f32 = 1.0;",
        "for (var i = 0u; i < ROWS; i++) { // unroll",
        "  sum += i;",
        "}",
      ];
    },
  };
  return { spec, reads: () => reads };
}

const added = (text: string) => text.split("sum +=").length - 1;

it("has the constants that are given, and the kernel's own in place of the others", () => {
  const { spec } = countingKernel();
  expect(kernelSource(spec)).toContain("const ROWS: u32 = 2;");
  const text = kernelSource(spec, { ROWS: 3, SCALE: 2 });
  expect(text).toContain("const ROWS: u32 = 3;");
  expect(text).toContain("const SCALE: f32 = 2.0;");
  expect(added(text)).toBe(3);
});

it("is expanded once for equal constants, and again for others", () => {
  const { spec, reads } = countingKernel();
  const [two, three] = [{ ROWS: 2 }, { ROWS: 3 }].map((constants) => kernelSource(spec, constants));
  expect([added(two!), added(three!), reads()]).toEqual([2, 3, 2]);
  expect(kernelSource(spec, { ROWS: 2 })).toBe(two);
  expect(kernelSource(spec, { ROWS: 3 })).toBe(three);
  expect(reads()).toBe(2);
});

it("refuses a constant that the shader lacks, each time", () => {
  const { spec } = countingKernel();
  for (const _ of [1, 2])
    expect(() => kernelSource(spec, { COLS: 1 })).toThrow("sum: the shader has no constant COLS");
});
