import { describe, expect, it } from "vitest";
import { noise, runKernel } from "../testing.ts";
import { gatherRowsRef } from "./gather-rows.ref.ts";
import { gatherRows } from "./gather-rows.ts";
import { expectGradient } from "./test-gradients.ts";

describe("gather rows", () => {
  it("reaches the last of more rows than one dimension of workgroups holds", async () => {
    // 64 rows of one vec4 per workgroup, one row too many for 65,535 of them.
    const r = 65_535 * 64 + 1;
    const inp = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const index = Int32Array.from({ length: r }, (_, i) => i % 2);
    const { out } = await runKernel(gatherRows, { inp, index, out: new Float32Array(4 * r) }, { r, c: 4 });
    expect(out.findIndex((x, i) => x !== inp[i % 8])).toBe(-1);
  });

  it("is its own gradient through the inverse index", () => {
    const index = [3, -1, 0];
    const inverse = [2, -1, -1, 0];
    const dout = noise(3 * 4, 2);
    const gradient = gatherRowsRef(dout, inverse, 4, 4);
    expectGradient((x) => gatherRowsRef(x, index, 3, 4), noise(4 * 4, 1), dout, gradient);
  });
});
