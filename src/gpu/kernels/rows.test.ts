import { expect, it } from "vitest";
import { kernelSource } from "../kernel.ts";
import { rmsnormBackward, rmsnormForward } from "./rmsnorm.ts";
import { bothVariants } from "./test-specs.ts";

const shape = { n: 9, c: 8, eps: 1e-5 };

it.each([...bothVariants(rmsnormForward), ...bothVariants(rmsnormBackward)])(
  "the shader of $label computes as many rows at a time as its specification says",
  (spec) => {
    expect(kernelSource(spec)).toContain(`const ROWS: u32 = ${spec.constants.ROWS};`);
    expect(kernelSource(spec, { ROWS: 3 })).toContain("const ROWS: u32 = 3;");
  },
);

it.each([
  [4, 3],
  [3, 3],
  [2, 5],
])("with %i rows at a time, nine rows have %i workgroups on a real GPU", (ROWS, groups) => {
  expect(rmsnormForward.workgroup.grid(shape, { ROWS })).toEqual([groups, 1, 1]);
  expect(rmsnormForward.workgroup.constants).toEqual({ ROWS: 4 });
  expect(rmsnormForward.serial.constants).toEqual({ ROWS: 1 });
});
