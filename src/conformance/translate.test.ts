// Every variant, with the constants that the cases set, in the languages that browsers turn WGSL into. Naga (the compiler of Firefox)
// parses and validates each, with rules that differ a little from those of Dawn, which runs the other tests.
import { parseWgsl, validate, writeHlsl, writeMsl } from "naga-wasm";
import { expect, it } from "vitest";
import { kernelSource } from "../gpu/kernel.ts";
import { casesByVariant } from "./by-kernel.ts";
import { kernelCases } from "./cases/index.ts";

it.each([...casesByVariant(kernelCases)])("%s translates to MSL and HLSL", (_, cases) => {
  const sources = new Set(cases.map(({ spec, constants }) => kernelSource(spec, constants)));
  for (const source of sources) {
    const module = parseWgsl(source);
    const info = validate(module);
    expect(writeMsl(module, info)).toContain("kernel void main_(");
    expect(writeHlsl(module, info)).toMatch(/^\[numthreads\(/m);
    module.free();
    info.free();
  }
});
