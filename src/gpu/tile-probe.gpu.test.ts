import { expect, it } from "vitest";
import { openGpu } from "./device.ts";
import { TILE_CLASSES } from "./linear-tiles.ts";
import { requestOwnGpu } from "./test-sharing.ts";
import { testGpu } from "./testing.ts";
import { probeTiles } from "./tile-probe.ts";

/** Small ones, because a software adapter takes seconds for the real ones. */
const SHAPES = [
  ["small", 68, 4],
  ["medium", 68, 68],
  ["large", 132, 68],
] as const;

it.each([true, false])("times both tiles for every class (with timestamps: %s)", async (hasTimestamps) => {
  const gpu = await testGpu();
  expect(gpu.caps.features).toContain("timestamp-query");
  const caps = { ...gpu.caps, features: hasTimestamps ? gpu.caps.features : [] };
  const times = await probeTiles({ ...gpu, caps }, { budgetMs: 60_000, shapes: SHAPES });
  expect(times.map(({ tileClass }) => tileClass).sort()).toEqual([...TILE_CLASSES].sort());
  for (const { stagedMs, largeMs } of times)
    for (const ms of [stagedMs, largeMs]) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(10_000);
    }
});

it("measures nothing more once its time is up", async () => {
  expect(await probeTiles(await testGpu(), { budgetMs: 0, shapes: SHAPES })).toEqual([]);
});

it("does not begin what would take longer than the time that is left", async () => {
  // 15,000 times the outputs, five times each.
  const shapes = [SHAPES[0], ["large", 4096, 1024]] as const;
  const times = await probeTiles(await testGpu(), { budgetMs: 5000, shapes });
  expect(times.map(({ tileClass }) => tileClass)).toEqual(["forward small", "input small", "weight small"]);
});

it("leaves out a product whose tiles differ in a bit", async () => {
  const gpu = await testGpu();
  // One multiply-add of many, in the other order; of the tile that compiles sooner.
  const swapped = "fma(vec4f(x.y), rows[1], fma(vec4f(x.x), rows[0], sum))";
  const compile: typeof gpu.compile = (spec, constants) =>
    gpu.compile(
      spec.label === "linear_forward_staged"
        ? { ...spec, code: spec.code.map((text) => text.replace(swapped, OTHER_ORDER)) }
        : spec,
      constants,
    );
  const times = await probeTiles({ ...gpu, compile }, { budgetMs: 60_000, shapes: SHAPES.slice(0, 1) });
  expect(times.map(({ tileClass }) => tileClass)).toEqual(["input small", "weight small"]);
});

const OTHER_ORDER = "fma(vec4f(x.x), rows[0], fma(vec4f(x.y), rows[1], sum))";

it("ends when it is asked to", async () => {
  const signal = AbortSignal.abort(new Error("late"));
  await expect(probeTiles(await testGpu(), { signal, shapes: SHAPES })).rejects.toThrow("late");
});

it("rejects on a lost device", async () => {
  const gpu = await openGpu(await requestOwnGpu());
  gpu.destroy();
  await expect(probeTiles(gpu, { shapes: SHAPES })).rejects.toThrow();
});
