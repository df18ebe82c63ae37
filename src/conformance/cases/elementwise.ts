// Cases of the activations and of scaled gradients.
import { geluBackwardRef, geluForwardRef } from "../../gpu/kernels/gelu.ref.ts";
import { geluBackward, geluForward } from "../../gpu/kernels/gelu.ts";
import { scaleGradientRef } from "../../gpu/kernels/scale-gradient.ref.ts";
import { scaleGradient } from "../../gpu/kernels/scale-gradient.ts";
import { swigluBackwardRef, swigluForwardRef } from "../../gpu/kernels/swiglu.ref.ts";
import { swigluBackward, swigluForward } from "../../gpu/kernels/swiglu.ts";
import { casesOf, close, type KernelCase, only } from "../case.ts";
import { noise } from "../numbers.ts";

const SHAPES = [
  [1, 4],
  [63, 4],
  [13, 20],
  [65, 8],
] as const;

/** With two saturated inputs. */
function geluInput(n: number, c: number) {
  const inp = noise(n * c, 1, 2);
  inp.set([-100, 100]);
  return { inp, dout: noise(n * c, 2) };
}

// tanh is good to about 1e-6 on the adapters seen; where it nears ±1 its error is multiplied by x² in the gradient.
const gelu = (n: number, c: number): KernelCase[] => [
  ...casesOf(`${n} × ${c}`, only(geluForward), () => {
    const { inp } = geluInput(n, c);
    return {
      uniforms: { n, c },
      arrays: { inp, out: new Float32Array(n * c) },
      want: { out: close(geluForwardRef(inp, n, c), 1e-5, 2e-5) },
    };
  }),
  ...casesOf(`${n} × ${c}`, only(geluBackward), () => {
    const { inp, dout } = geluInput(n, c);
    return {
      uniforms: { n, c },
      arrays: { inp, dout, dinp: noise(n * c, 3) },
      want: { dinp: close(geluBackwardRef(inp, dout, n, c), 1e-5, 2e-5) },
    };
  }),
];

/** With two gates far beyond where the exponential overflows in f32. */
function swigluInput(n: number, f: number) {
  const inp = noise(n * 2 * f, 1, 2);
  inp.set([-1000, 1000]);
  return { inp, dout: noise(n * f, 2) };
}

// One exponential and a few products: a few ulp of numbers up to 100.
const swiglu = (n: number, f: number): KernelCase[] => [
  ...casesOf(`${n} × ${f}`, only(swigluForward), () => {
    const { inp } = swigluInput(n, f);
    return {
      uniforms: { n, f },
      arrays: { inp, out: new Float32Array(n * f) },
      want: { out: close(swigluForwardRef(inp, n, f), 1e-5, 1e-5) },
    };
  }),
  ...casesOf(`${n} × ${f}`, only(swigluBackward), () => {
    const { inp, dout } = swigluInput(n, f);
    return {
      uniforms: { n, f },
      arrays: { inp, dout, dinp: noise(n * 2 * f, 3) },
      want: { dinp: close(swigluBackwardRef(inp, dout, n, f), 1e-5, 1e-5) },
    };
  }),
];

// One product of 32-bit floats: half an ulp.
const scaledGradient = (n: number, c: number): KernelCase[] =>
  casesOf(`${n} × ${c}`, only(scaleGradient), () => {
    const grad = noise(n * c, 1);
    return {
      uniforms: { n, c, scale: 0.3 },
      arrays: { grad },
      want: { grad: close(scaleGradientRef(grad, Math.fround(0.3)), 1e-6, 1e-7) },
    };
  });

export const elementwiseCases: readonly KernelCase[] = SHAPES.flatMap(([n, c]) => [
  ...gelu(n, c),
  ...swiglu(n, c),
  ...scaledGradient(n, c),
]);
