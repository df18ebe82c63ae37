import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { logProbRowsRef } from "./log-prob.ref.ts";
import { logProbRows } from "./log-prob.ts";
import {
  bothVariants,
  expectSpecAgrees,
  paddedLogits,
  ROW_SHAPES,
  randomTargets,
  scatter,
} from "./test-specs.ts";

describe("log_prob", () => {
  it("has specs that agree with the shader", () => {
    for (const spec of bothVariants(logProbRows)) expectSpecAgrees(spec);
  });

  it.each(ROW_SHAPES)("equals its twin at %i rows, vocabulary %i, stride %i", async (r, vocab, stride) => {
    const logits = paddedLogits(r, vocab, stride);
    const targets = randomTargets(r, vocab);
    const { src, nb } = scatter(r);
    const values = noise(r * 4, 3);
    for (const temperature of [1, 0.7, 0]) {
      const want = logProbRowsRef(logits, targets, r, vocab, stride, temperature);
      for (const spec of bothVariants(logProbRows)) {
        const got = await runKernel(
          spec,
          {
            logits,
            targets,
            src,
            values,
            logprobs: new Float32Array(nb),
            entropy: new Float32Array(nb),
            values_out: new Float32Array(nb),
          },
          { r, vocab, stride, temperature },
        );
        const gather = (x: Float32Array) => Array.from(src, (at) => x[at] as number);
        expectClose(gather(got.logprobs), want.logprobs, { rtol: 1e-5, atol: 2e-6 });
        expectClose(gather(got.entropy), want.entropy, { rtol: 1e-5, atol: 3e-6 });
        expect(gather(got.values_out)).toEqual(Array.from(src, (_, row) => values[row * 4]));
        const written = new Set(src);
        expect(got.logprobs.every((x, i) => written.has(i) || x === 0)).toBe(true);
      }
    }
  });
});
