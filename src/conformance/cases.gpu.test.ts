// Every variant of every kernel against its CPU twin: the cases that `npm run check-gpu` and the check in the page run too.
import { expect, it } from "vitest";
import { testGpu } from "../gpu/testing.ts";
import { casesByVariant } from "./by-kernel.ts";
import type { KernelCase } from "./case.ts";
import { kernelCases } from "./cases/index.ts";
import { failuresOf } from "./check-device.ts";
import { runCase } from "./run-case.ts";

const failures = async (each: KernelCase) => failuresOf(each, await runCase(await testGpu(), each));

// At once, because a software driver compiles each on one core.
it.each([...casesByVariant(kernelCases)])(
  "%s equals its twin, with the same bits in every run",
  async (_, cases) => {
    expect((await Promise.all(cases.map(failures))).flat()).toEqual([]);
  },
);
