// Cases of LayerNorm and RMSNorm.
import {
  layernormBackwardRef,
  layernormBackwardWeightRef,
  layernormForwardRef,
} from "../../gpu/kernels/layernorm.ref.ts";
import { layernormBackward, layernormBackwardWeight, layernormForward } from "../../gpu/kernels/layernorm.ts";
import {
  rmsnormBackwardRef,
  rmsnormBackwardWeightRef,
  rmsnormForwardRef,
} from "../../gpu/kernels/rmsnorm.ref.ts";
import { rmsnormBackward, rmsnormBackwardWeight, rmsnormForward } from "../../gpu/kernels/rmsnorm.ts";
import { added, both, casesOf, close, type KernelCase } from "../case.ts";
import { noise } from "../numbers.ts";

/** [rows, columns] around the workgroup sizes, of rows, of lanes per row and of columns per workgroup. */
const SHAPES = [
  [1, 4],
  [63, 12],
  [65, 256],
  [130, 260],
  // More rows than the lanes of a column read at once.
  [1030, 8],
] as const;
const EPS = 1e-5;
// Sums of up to 260 products of order 1 in f32.
const RTOL = 2e-5;

function layernormInput(n: number, c: number) {
  // A mean of 3, whose rounding enters every element.
  const inp = noise(n * c, 1, 2).map((x) => x + 3);
  const [weight, bias, dout] = [noise(c, 2), noise(c, 5), noise(n * c, 3)];
  const forward = layernormForwardRef(inp, weight, bias, n, c, EPS);
  const [mean, rstd] = [Float32Array.from(forward.mean), Float32Array.from(forward.rstd)];
  return { inp, weight, bias, dout, forward, mean, rstd };
}

const layernorm = (n: number, c: number): KernelCase[] => [
  ...casesOf(`${n} × ${c}`, both(layernormForward), () => {
    const { inp, weight, bias, forward } = layernormInput(n, c);
    const empty = { out: new Float32Array(n * c), mean: new Float32Array(n), rstd: new Float32Array(n) };
    return {
      uniforms: { n, c, eps: EPS },
      arrays: { inp, weight, bias, ...empty },
      want: {
        out: close(forward.out, RTOL, 1e-5),
        mean: close(forward.mean, RTOL, 1e-5),
        rstd: close(forward.rstd, RTOL, 1e-5),
      },
    };
  }),
  ...([0, 1] as const).flatMap((ACCUMULATE) =>
    casesOf(`${n} × ${c}${ACCUMULATE ? ", added" : ""}`, both(layernormBackward, { ACCUMULATE }), () => {
      const { inp, weight, mean, rstd, dout } = layernormInput(n, c);
      const dinp = noise(n * c, 4);
      const want = layernormBackwardRef(inp, weight, mean, rstd, dout, n, c);
      return {
        uniforms: { n, c },
        arrays: { inp, weight, mean, rstd, dout, dinp },
        want: { dinp: close(ACCUMULATE ? added(want, dinp) : want, RTOL, 1e-5) },
      };
    }),
  ),
  ...casesOf(`${n} × ${c}`, both(layernormBackwardWeight), () => {
    const { inp, mean, rstd, dout } = layernormInput(n, c);
    const [dweight, dbias] = [noise(c, 4), noise(c, 6)];
    const want = layernormBackwardWeightRef(inp, mean, rstd, dout, n, c);
    return {
      uniforms: { n, c },
      arrays: { inp, mean, rstd, dout, dweight, dbias },
      want: {
        dweight: close(added(want.dweight, dweight), RTOL, 2e-5),
        dbias: close(added(want.dbias, dbias), RTOL, 2e-5),
      },
    };
  }),
];

function rmsnormInput(n: number, c: number) {
  const [inp, weight, dout] = [noise(n * c, 1, 2), noise(c, 2), noise(n * c, 3)];
  const forward = rmsnormForwardRef(inp, weight, n, c, EPS);
  return { inp, weight, dout, forward, rstd: Float32Array.from(forward.rstd) };
}

const rmsnorm = (n: number, c: number): KernelCase[] => [
  ...casesOf(`${n} × ${c}`, both(rmsnormForward), () => {
    const { inp, weight, forward } = rmsnormInput(n, c);
    return {
      uniforms: { n, c, eps: EPS },
      arrays: { inp, weight, out: new Float32Array(n * c), rstd: new Float32Array(n) },
      want: { out: close(forward.out, RTOL, 5e-6), rstd: close(forward.rstd, RTOL, 5e-6) },
    };
  }),
  ...([0, 1] as const).flatMap((ACCUMULATE) =>
    casesOf(`${n} × ${c}${ACCUMULATE ? ", added" : ""}`, both(rmsnormBackward, { ACCUMULATE }), () => {
      const { inp, weight, rstd, dout } = rmsnormInput(n, c);
      const dinp = noise(n * c, 4);
      const want = rmsnormBackwardRef(inp, weight, rstd, dout, n, c);
      return {
        uniforms: { n, c },
        arrays: { inp, weight, rstd, dout, dinp },
        want: { dinp: close(ACCUMULATE ? added(want, dinp) : want, RTOL, 5e-6) },
      };
    }),
  ),
  ...casesOf(`${n} × ${c}`, both(rmsnormBackwardWeight), () => {
    const { inp, rstd, dout } = rmsnormInput(n, c);
    const dweight = noise(c, 4);
    const want = rmsnormBackwardWeightRef(inp, rstd, dout, n, c);
    return {
      uniforms: { n, c },
      arrays: { inp, rstd, dout, dweight },
      want: { dweight: close(added(want, dweight), RTOL, 2e-5) },
    };
  }),
];

export const normCases: readonly KernelCase[] = SHAPES.flatMap(([n, c]) => [
  ...layernorm(n, c),
  ...rmsnorm(n, c),
]);
