import { expect, it } from "vitest";
import type { GpuCaps } from "../../gpu/device.ts";
import { weightSplits } from "./ops.ts";

const caps = (software: boolean) => ({ software }) as GpuCaps;

it("splits gradients of small weights into more parts where many workgroups can run", () => {
  expect(weightSplits(caps(false), 64, 64)).toBe(64);
  expect(weightSplits(caps(false), 256, 64)).toBe(64);
  expect(weightSplits(caps(false), 320, 64)).toBe(16);
  expect(weightSplits(caps(false), 4096, 4096)).toBe(1);
});

it("splits few weights on a software adapter, which runs few workgroups at once", () => {
  expect(weightSplits(caps(true), 64, 64)).toBe(4);
  expect(weightSplits(caps(true), 256, 256)).toBe(1);
});
