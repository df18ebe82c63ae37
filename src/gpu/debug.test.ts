import { afterEach, expect, it, vi } from "vitest";
import { debug, parseDebug, printKernel } from "./debug.ts";

afterEach(() => {
  debug.kernels = null;
  vi.restoreAllMocks();
});

it("reads a list of switches", () => {
  expect(parseDebug("")).toEqual({ kernels: null, finite: false, batch: null });
  expect(parseDebug("kernels:rope,finite")).toEqual({ kernels: "rope", finite: true, batch: null });
  expect(parseDebug("kernels,batch")).toMatchObject({ kernels: "all", batch: "micro-batch.json" });
  expect(parseDebug("batch:C:/first.json").batch).toBe("C:/first.json");
});

it("reports a switch that does not exist", () => {
  const print = vi.spyOn(console, "error").mockReturnValue();
  expect(parseDebug("fnite,finite").finite).toBe(true);
  expect(print.mock.calls).toEqual([[expect.stringContaining('"fnite"')]]);
});

it("prints the kernel that was named, and no other", () => {
  const print = vi.spyOn(console, "error").mockReturnValue();
  printKernel("rope", "a");
  debug.kernels = "rope";
  printKernel("gelu_forward", "b");
  printKernel("rope", "c");
  debug.kernels = "all";
  printKernel("gelu_forward", "d");
  expect(print.mock.calls).toEqual([["// rope\nc\n"], ["// gelu_forward\nd\n"]]);
});
