import { expect, it } from "vitest";
import { testGpu } from "../gpu/testing.ts";
import { CANDIDATES } from "../gpu/tile-candidates.ts";
import { productCommand, productTable, timeProducts } from "./products.ts";

it("times every tile of a product", async () => {
  const forward = CANDIDATES.filter(({ product }) => product === "forward");
  const times = await timeProducts(await testGpu(), 64, forward);
  const labels = ["linear_forward", "linear_forward_staged", "linear_forward_large"];
  expect(times.map(({ label }) => label)).toEqual(labels);
  for (const { ms, gflops } of times) expect(gflops * ms * 1e6).toBeCloseTo(2 * 64 ** 3);
});

it("relates the rates to the peak", () => {
  const rows = productTable([{ label: "linear_forward", ms: 2, gflops: 15 }], 60).split("\n");
  expect(rows.at(-1)).toMatch(/^linear_forward +2\.00 +15\.0 +25 %$/);
});

it("rejects a side that the kernels cannot read", async () => {
  await expect(productCommand(30, () => undefined)).rejects.toThrow("--product 30");
});
