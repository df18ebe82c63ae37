import { describe, expect, it } from "vitest";
import { runKernel } from "../testing.ts";
import { decodePositionsRef } from "./decode-positions.ref.ts";
import { decodePositions } from "./decode-positions.ts";
import { expectSpecAgrees } from "./test-specs.ts";

describe("decode positions", () => {
  it("has a spec that agrees with its shader", () => {
    expectSpecAgrees(decodePositions);
  });

  it.each([1, 63, 64, 65, 130])(
    "equals its twin for %i sequences, and leaves what is behind them",
    async (b) => {
      const state = Uint32Array.from({ length: b * 4 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 0);
      const before = new Uint32Array(b + 5).fill(7);
      const { positions } = await runKernel(decodePositions, { state, positions: before }, { b });
      // Copies: exact.
      expect([...new Uint32Array(positions.buffer)]).toEqual([
        ...decodePositionsRef(state, b),
        7,
        7,
        7,
        7,
        7,
      ]);
    },
  );
});
