import { describe, expect, it } from "vitest";
import { centralDifferences, expectClose, runKernel } from "../testing.ts";
import { crossEntropyRef } from "./cross-entropy.ref.ts";
import { crossEntropy } from "./cross-entropy.ts";
import { bothVariants, paddedLogits, randomTargets } from "./test-specs.ts";

describe("cross_entropy", () => {
  it("has the gradient that central differences give", () => {
    const [r, vocab, stride, scale] = [3, 11, 12, 0.5];
    const logits = paddedLogits(r, vocab, stride);
    // The second row does not count, and the third counts three times as much as the first.
    const rows = { targets: randomTargets(r, vocab), src: [4, 0, 2], weights: [0, 7, 3, 7, 1] };
    const shape = { r, vocab, stride, scale };
    const loss = (x: Float64Array) => {
      const { stats } = crossEntropyRef(x, rows, shape);
      const weighted = [1, 0, 3].map((weight, row) => weight * (stats[row * 8] as number));
      return scale * weighted.reduce((a, b) => a + b);
    };
    const at = Array.from({ length: r * stride }, (_, i) => i);
    const { dlogits } = crossEntropyRef(logits, rows, shape);
    expectClose(dlogits, centralDifferences(loss, logits, at), { rtol: 1e-6, atol: 1e-9 });
  });

  it("counts the first of equal maxima as the arg max and survives extreme logits", async () => {
    const logits = Float32Array.from([5, 5, 1, 0, 5, 5, 1, 0, 3e4, -3e4, 0, 0]);
    const targets = Uint32Array.from([0, 1, 1]);
    for (const spec of bothVariants(crossEntropy)) {
      const { stats, logits: gradient } = await runKernel(
        spec,
        {
          logits,
          targets,
          src: Uint32Array.from([2, 1, 0]),
          weights: Float32Array.from([1, 1, 1]),
          stats: new Float32Array(24),
        },
        { r: 3, vocab: 3, stride: 4, scale: 1 },
      );
      expect([stats[1], stats[9], stats[17]]).toEqual([1, 0, 0]);
      expectClose([stats[16] as number], [6e4]);
      expectClose(gradient.slice(8), [1, -1, 0, 0]);
    }
  });
});
