import { expect, it, vi } from "vitest";
import type { Gpu } from "../gpu/device.ts";
import { TileChoices } from "../gpu/tile-choice.ts";
import { modelArchitecture } from "../policy/wgsl/architecture.ts";
import { tinyModel } from "../policy/wgsl/testing.ts";
import { tunedGpu } from "./tuned-gpu.ts";

const gpu = { caps: { vendor: "acme", architecture: "one", description: "", software: false } } as Gpu;

function setUp(width: number) {
  const probe = vi.fn(async () => [{ tileClass: "forward large", stagedMs: 2, largeMs: 1 } as const]);
  const architecture = modelArchitecture({ ...tinyModel, hidden_size: width }, 19, { rows: 2, cols: 2 });
  return { probe, tuned: tunedGpu(gpu, architecture, new TileChoices(null, probe)) };
}

it("measures the device for a wide model", async () => {
  expect((await setUp(128).tuned).caps).toEqual({ ...gpu.caps, largeTiles: ["forward large"] });
});

it("measures nothing for a narrow one", async () => {
  const { probe, tuned } = setUp(96);
  expect(await tuned).toBe(gpu);
  expect(probe).not.toHaveBeenCalled();
});
