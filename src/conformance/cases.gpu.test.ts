// Every variant of every kernel against its CPU twin: the cases that `npm run check-gpu` and the check in the page run too.
import { expect, it } from "vitest";
import { testGpu } from "../gpu/testing.ts";
import { casesByVariant } from "./by-kernel.ts";
import type { KernelCase } from "./case.ts";
import { kernelCases } from "./cases/index.ts";
import { runCase } from "./run-case.ts";

/** What is wrong, or "". */
async function failureOf(each: KernelCase): Promise<string> {
  const { ok, binding, index, got, want, tolerance } = await runCase(await testGpu(), each);
  const constants = JSON.stringify(each.constants);
  return ok ? "" : `${each.title} ${constants}: ${binding}[${index}] is ${got}, not ${want} ± ${tolerance}`;
}

// At once, because a software driver compiles each on one core.
it.each([...casesByVariant(kernelCases)])("%s equals its twin", async (_, cases) => {
  const failures = await Promise.all(cases.map(failureOf));
  expect(failures.filter(Boolean)).toEqual([]);
});
