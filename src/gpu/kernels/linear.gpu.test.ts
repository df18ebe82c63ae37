// The two tiles in workgroup memory give the same bits, so a run may use either.
import { describe, expect, it } from "vitest";
import { noise, runKernel } from "../testing.ts";
import * as linear from "./linear.ts";

type Shape = [m: number, k: number, n: number];

/** Less than a step, an odd number of half steps, edges in every direction, more than one tile of 128. */
const SHAPES: Shape[] = [
  [1, 4, 4],
  [9, 24, 20],
  [131, 40, 68],
  [70, 132, 72],
];

const bits = (numbers: Float32Array) => new Uint32Array(numbers.buffer);

const forward = async ([m, k, n]: Shape, epilogue: 0 | 1, spec: typeof linear.linearForwardLarge) => {
  const inputs = { inp: noise(m * k, 1), weight: noise(k * n, 2), bias: noise(n, 3) };
  const arrays = { ...inputs, residual: noise(m * n, 4), out: new Float32Array(m * n) };
  const constants = { HAS_BIAS: epilogue, HAS_RESIDUAL: epilogue };
  return bits((await runKernel(spec, arrays, { m, k, n }, constants)).out);
};

const backwardInput = async (
  [m, k, n]: Shape,
  ACCUMULATE: 0 | 1,
  spec: typeof linear.linearBackwardInputLarge,
) => {
  const arrays = { dout: noise(m * n, 1), weight: noise(k * n, 2), dinp: noise(m * k, 3) };
  return bits((await runKernel(spec, arrays, { m, k, n }, { ACCUMULATE })).dinp);
};

const backwardWeight = async (
  [m, k, n]: Shape,
  splits: 1 | 3,
  spec: typeof linear.linearBackwardWeightLarge,
) => {
  const arrays = { inp: noise(m * k, 1), dout: noise(m * n, 2), dweight: noise(splits * k * n, 3) };
  const ACCUMULATE = splits === 1 ? 1 : 0;
  return bits((await runKernel(spec, arrays, { m, k, n, splits }, { ACCUMULATE })).dweight);
};

describe.each(SHAPES)("tiles of 64 × 64 and of 128 × 64 give the same bits at %i × %i × %i", (...shape) => {
  it.each([0, 1] as const)("forward, epilogue %i", async (epilogue) => {
    const want = await forward(shape, epilogue, linear.linearForwardStaged);
    expect(await forward(shape, epilogue, linear.linearForwardLarge)).toEqual(want);
  });

  it.each([0, 1] as const)("gradient of the input, accumulate %i", async (accumulate) => {
    const want = await backwardInput(shape, accumulate, linear.linearBackwardInputStaged);
    expect(await backwardInput(shape, accumulate, linear.linearBackwardInputLarge)).toEqual(want);
  });

  it.each([1, 3] as const)("gradient of the weight, %i splits", async (splits) => {
    const want = await backwardWeight(shape, splits, linear.linearBackwardWeightStaged);
    expect(await backwardWeight(shape, splits, linear.linearBackwardWeightLarge)).toEqual(want);
  });
});

it("gives other bits in another order, as the direct kernels do", async () => {
  const [m, k, n] = [131, 40, 68];
  const want = await forward([m, k, n], 0, linear.linearForwardStaged);
  const arrays = {
    ...{ inp: noise(m * k, 1), weight: noise(k * n, 2), bias: noise(n, 3) },
    ...{ residual: noise(m * n, 4), out: new Float32Array(m * n) },
  };
  const direct = bits((await runKernel(linear.linearForwardDirect, arrays, { m, k, n })).out);
  expect(direct.length).toBe(want.length);
  expect(direct.some((word, i) => word !== want[i])).toBe(true);
});
