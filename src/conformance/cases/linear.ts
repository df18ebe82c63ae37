// Cases of the linear layers: every register tile of the direct kernels, and both tiles in workgroup memory.
import {
  linearBackwardInputRef,
  linearBackwardWeightRef,
  linearForwardRef,
} from "../../gpu/kernels/linear.ref.ts";
import * as linear from "../../gpu/kernels/linear.ts";
import { added, casesOf, close, type KernelCase, variant } from "../case.ts";
import { noise } from "../numbers.ts";

/** [M, K, N]: one row, no multiple of a tile, more than one tile of 64 and of 128 in every direction. */
const SHAPES = [
  [1, 4, 4],
  [7, 12, 8],
  [65, 32, 96],
  [130, 68, 132],
  [37, 132, 72],
] as const;
type Shape = readonly [m: number, k: number, n: number];

/** Rounding of a sum of `length` products of numbers of order 1 grows with its root, about 1e-6 each. */
const rounding = (length: number): readonly [rtol: number, atol: number] => [1e-5, 4e-6 * Math.sqrt(length)];

const sizes = ([m, k, n]: Shape) => `${m} × ${k} × ${n}`;

/** What is added to a product. A layer of a model has a bias or takes the residual stream, or neither. */
const EPILOGUES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;
type Epilogue = (typeof EPILOGUES)[number];

function forward(shape: Shape, [HAS_BIAS, HAS_RESIDUAL]: Epilogue): KernelCase[] {
  const [m, k, n] = shape;
  const tiles = [
    { ROWS: 16, COLS: 2 },
    { ROWS: 8, COLS: 2 },
    { ROWS: 8, COLS: 1 },
    { ROWS: 1, COLS: 1 },
  ];
  const set = { HAS_BIAS, HAS_RESIDUAL };
  const variants = [
    ...tiles.map((tile) => variant(linear.linearForwardDirect, { ...tile, ...set })),
    variant(linear.linearForwardStaged, set),
    variant(linear.linearForwardLarge, set),
  ];
  const terms = [HAS_BIAS ? ", bias" : "", HAS_RESIDUAL ? ", residual" : ""].join("");
  return casesOf(`${sizes(shape)}${terms}`, variants, () => {
    const [inp, weight] = [noise(m * k, 1), noise(k * n, 2)];
    const [bias, residual] = [noise(n, 3), noise(m * n, 4)];
    const want = linearForwardRef(
      ...([inp, weight, HAS_BIAS ? bias : null, HAS_RESIDUAL ? residual : null] as const),
      ...([m, k, n] as const),
    );
    return {
      uniforms: { m, k, n },
      arrays: { inp, weight, bias, residual, out: new Float32Array(m * n) },
      want: { out: close(want, ...rounding(k)) },
    };
  });
}

function backwardInput(shape: Shape, ACCUMULATE: 0 | 1): KernelCase[] {
  const [m, k, n] = shape;
  const tiles = [
    { ROWS: 16, COLS: 2 },
    { ROWS: 8, COLS: 2 },
    { ROWS: 8, COLS: 1 },
  ];
  const variants = [
    ...tiles.map((tile) => variant(linear.linearBackwardInputDirect, { ...tile, ACCUMULATE })),
    variant(linear.linearBackwardInputStaged, { ACCUMULATE }),
    variant(linear.linearBackwardInputLarge, { ACCUMULATE }),
  ];
  return casesOf(`${sizes(shape)}${ACCUMULATE ? ", added" : ""}`, variants, () => {
    const [dout, weight, dinp] = [noise(m * n, 1), noise(k * n, 2), noise(m * k, 3)];
    const want = linearBackwardInputRef(dout, weight, m, k, n);
    return {
      uniforms: { m, k, n },
      arrays: { dout, weight, dinp },
      want: { dinp: close(ACCUMULATE ? added(want, dinp) : want, ...rounding(n)) },
    };
  });
}

/** Partial products of consecutive rows, ⌈M / splits⌉ each. */
function partialProducts(
  inp: Float32Array,
  dout: Float32Array,
  [m, k, n]: Shape,
  splits: number,
): Float64Array {
  const partials = new Float64Array(splits * k * n);
  const each = Math.ceil(m / splits);
  for (let split = 0; split < splits; split++) {
    const [from, to] = [Math.min(m, split * each), Math.min(m, (split + 1) * each)];
    const [x, g] = [inp.subarray(from * k, to * k), dout.subarray(from * n, to * n)];
    partials.set(linearBackwardWeightRef(x, g, to - from, k, n), split * k * n);
  }
  return partials;
}

function backwardWeight(shape: Shape, splits: 1 | 3): KernelCase[] {
  const [m, k, n] = shape;
  const ACCUMULATE = splits === 1 ? 1 : 0;
  const tiles = [
    { ROWS: 2, COLS: 2 },
    { ROWS: 4, COLS: 1 },
  ];
  const variants = [
    ...tiles.map((tile) => variant(linear.linearBackwardWeightDirect, { ...tile, ACCUMULATE })),
    variant(linear.linearBackwardWeightStaged, { ACCUMULATE }),
    variant(linear.linearBackwardWeightLarge, { ACCUMULATE }),
  ];
  return casesOf(`${sizes(shape)}${splits > 1 ? `, ${splits} splits` : ""}`, variants, () => {
    const [inp, dout, dweight] = [noise(m * k, 1), noise(m * n, 2), noise(splits * k * n, 3)];
    const want =
      splits === 1
        ? added(linearBackwardWeightRef(inp, dout, m, k, n), dweight)
        : partialProducts(inp, dout, shape, splits);
    return {
      uniforms: { m, k, n, splits },
      arrays: { inp, dout, dweight },
      want: { dweight: close(want, ...rounding(m)) },
    };
  });
}

/**
 * Outputs of more workgroups than most GPUs run at once, 17 × 13 of 64 × 64 or 9 × 13 of 128 × 64, each a short sum: workgroups
 * that disturb each other show here only.
 */
const MANY = { rows: 1031, cols: 772, inner: 36 } as const;

/** As `MANY`, with rows that are a multiple of 4, as the inputs of a layer are. */
const MANY_INPUTS = 1028;

const manyWorkgroups: readonly KernelCase[] = [
  ...forward([MANY.rows, MANY.inner, MANY.cols], [1, 1]),
  ...backwardInput([MANY.rows, MANY.cols, MANY.inner], 1),
  ...backwardWeight([37, MANY_INPUTS, MANY.cols], 1),
];

export const linearCases: readonly KernelCase[] = [
  ...SHAPES.flatMap((shape) => [
    ...EPILOGUES.flatMap((epilogue) => forward(shape, epilogue)),
    ...backwardInput(shape, 0),
    ...backwardInput(shape, 1),
    ...backwardWeight(shape, 1),
    ...backwardWeight(shape, 3),
  ]),
  ...manyWorkgroups,
];
