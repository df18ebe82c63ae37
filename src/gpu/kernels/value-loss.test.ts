import { describe, expect, it } from "vitest";
import { centralDifferences, expectClose, noise } from "../testing.ts";
import { scatter } from "./test-specs.ts";
import { valueLossRef } from "./value-loss.ref.ts";

function example(r: number) {
  const { src, nb } = scatter(r);
  return {
    src,
    nb,
    values: noise(r * 4, 1),
    old_values: noise(nb, 2),
    returns: noise(nb, 3),
    value_mask: noise(nb, 4).map((x) => (x > -0.5 ? 1 + x : 0)),
  };
}

describe("value_loss", () => {
  it("has the gradient that central differences give, in every branch", () => {
    const r = 40;
    const { src, values, old_values, returns, value_mask } = example(r);
    const run = (x: ArrayLike<number>) => valueLossRef(x, src, old_values, returns, value_mask, r, 0.3, 0.5);
    const weightOf = (row: number) => value_mask[src[row] as number] as number;
    const loss = (x: Float64Array) =>
      0.3 * run(x).stats.reduce((sum, s, i) => sum + (i % 4 === 0 ? weightOf(i / 4) * s : 0), 0);
    const at = Array.from({ length: r * 4 }, (_, i) => i);
    const { dvalues, stats } = run(values);
    expectClose(dvalues, centralDifferences(loss, values, at), { rtol: 1e-6, atol: 1e-8 });
    const clipped = stats.filter((_, i) => i % 4 === 1).reduce((a, b) => a + b);
    expect(clipped).toBeGreaterThan(3);
    expect(clipped).toBeLessThan(r - 3);
  });
});
