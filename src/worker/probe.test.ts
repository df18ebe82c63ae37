import { expect, test } from "vitest";
import { GpuError } from "../core/errors.ts";
import type { Gpu } from "../gpu/device.ts";
import { probeGpu } from "./probe.ts";

const gpu = {} as GPU;
const clock = { now: () => 0, sleep: () => Promise.resolve() };
const failing = (error: Error) => () => Promise.reject(error);

test.each([
  [
    "an insecure page",
    { isSecureContext: false, gpu },
    failing(new Error()),
    "secure connection",
    "https://",
  ],
  [
    "no WebGPU",
    { isSecureContext: true, gpu: undefined },
    failing(new Error()),
    "no WebGPU",
    "Chrome or Edge",
  ],
  [
    "no adapter",
    { isSecureContext: true, gpu },
    failing(new GpuError("no_adapter", "none")),
    "no graphics device",
    "hardware acceleration",
  ],
  ["a device that fails", { isSecureContext: true, gpu }, failing(new Error("limits")), "limits", "Restart"],
])("%s is named, with a remedy", async (_, scope, open, reason, hint) => {
  expect(await probeGpu(scope, open, clock)).toEqual({
    available: false,
    reason: expect.stringContaining(reason),
    hint: expect.stringContaining(hint),
    device: null,
  });
});

test("a device that opens is described and released", async () => {
  let destroyed = false;
  const caps = {
    vendor: "v",
    architecture: "a",
    description: "d",
    software: false,
    features: ["timestamp-query"],
  };
  const open = async () => ({ caps, destroy: () => (destroyed = true) }) as unknown as Gpu;
  const probe = await probeGpu({ isSecureContext: true, gpu }, open);
  expect(probe).toMatchObject({ available: true, device: caps });
  expect(destroyed).toBe(true);
});

test("a graphics process that has just crashed is waited for", async () => {
  const caps = { vendor: "v", architecture: "a", description: "d", software: false, features: [] };
  let attempts = 0;
  const open = async () => {
    if (++attempts < 3) throw new GpuError("no_adapter", "none");
    return { caps, destroy: () => {} } as unknown as Gpu;
  };
  expect(await probeGpu({ isSecureContext: true, gpu }, open, clock)).toMatchObject({ available: true });
});
