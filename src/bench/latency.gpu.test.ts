import { expect, it } from "vitest";
import { testGpu } from "../gpu/testing.ts";
import { probeLatency } from "./latency.ts";

it("measures a dispatch and a read-back, in microseconds", async () => {
  const { dispatchUs, readbackUs } = await probeLatency(await testGpu());
  for (const us of [dispatchUs, readbackUs]) expect(Number.isFinite(us)).toBe(true);
  expect(readbackUs).toBeGreaterThan(0);
});
