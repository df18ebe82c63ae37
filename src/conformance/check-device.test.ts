// The check against devices that fail, without a GPU.
import { describe, expect, it, vi } from "vitest";
import { GpuError } from "../core/errors.ts";
import type { Gpu } from "../gpu/device.ts";
import { defineKernel } from "../gpu/kernel.ts";
import { casesOf, close, only } from "./case.ts";
import { checkDevice } from "./check-device.ts";
import { type CheckReport, reportText, resultRows, variantOf, verdictOf } from "./report.ts";

const kernel = (label: string) =>
  defineKernel({
    label,
    code: [],
    uniforms: { n: "u32" },
    bindings: { out: "read_write" },
    grid: () => [1],
  });

const caseOf = (label: string, value: number) =>
  casesOf("2 numbers", only(kernel(label)), () => ({
    uniforms: { n: 2 },
    arrays: { out: new Float32Array(2) },
    want: { out: close([1, value], 0, 0.5) },
  }));

/** What is read of a buffer: some numbers, and all bits set behind them. */
function wordsOf(numbers: readonly number[], bytes: number): ArrayBuffer {
  const words = new Uint32Array(bytes / 4).fill(0xffffffff);
  new Float32Array(words.buffer).set(numbers);
  return words.buffer;
}

/** A device whose every dispatch leaves 1 and 1, unless `read` returns or throws something else. */
function fakeGpu({
  compile,
  read,
}: {
  compile?: () => Promise<never>;
  read?: (buffer: unknown, bytes: number) => Promise<ArrayBuffer>;
} = {}) {
  vi.stubGlobal("GPUBufferUsage", { STORAGE: 1, COPY_SRC: 2, COPY_DST: 4, UNIFORM: 8 });
  const pass = { setPipeline() {}, setBindGroup() {}, dispatchWorkgroups() {}, end() {} };
  const device = {
    pushErrorScope() {},
    popErrorScope: async () => null,
    createBuffer: () => ({ destroy() {} }),
    createBindGroup: () => ({}),
    createCommandEncoder: () => ({ beginComputePass: () => pass, finish: () => ({}) }),
    queue: { writeBuffer() {}, submit() {} },
  };
  const destroy = vi.fn();
  const gpu = {
    device,
    caps: { maxBufferSize: 1e9, maxBindingSize: 1e9 },
    compile: compile ?? (async () => ({ pipeline: {}, layout: {} })),
    read: read ?? (async (_: unknown, bytes: number) => wordsOf([1, 1], bytes)),
    destroy,
  } as unknown as Gpu;
  return { gpu, destroy };
}

const REPORT: Pick<CheckReport, "device"> = {
  device: {
    ...{ vendor: "acme", architecture: "one", description: "", software: false, host: "Node v24" },
    features: ["subgroups"],
    limits: { maxBufferSize: 4 },
  },
};

describe("a check", () => {
  it("compares every variant and reports the worst element", async () => {
    const { gpu, destroy } = fakeGpu();
    const onProgress = vi.fn();
    const cases = [...caseOf("right", 1.25), ...caseOf("wrong", 3)];
    const { results, skipped } = await checkDevice({ open: async () => gpu, cases, onProgress });
    expect(results.map(({ label, ok }) => [label, ok])).toEqual([
      ["right", true],
      ["wrong", false],
    ]);
    expect(results[0]?.worst).toEqual({ error: 0.25, tolerance: 0.5 });
    expect(results[1]?.failures).toEqual(["2 numbers: out[1] is 1, should be 3 ± 5.0e-1"]);
    expect(skipped).toEqual([]);
    expect(onProgress.mock.calls).toEqual([
      [0, 2, "right"],
      [1, 2, "wrong"],
    ]);
    expect(destroy).toHaveBeenCalledOnce();
  });

  it("reports a kernel whose runs differ in a bit, though each is within its tolerance", async () => {
    let reads = 0;
    const read = async (_: unknown, bytes: number) => wordsOf([1, ++reads === 2 ? 1.25 : 1], bytes);
    const { results } = await checkDevice({
      open: async () => fakeGpu({ read }).gpu,
      cases: [...caseOf("unstable", 1), ...caseOf("stable", 1)],
    });
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(results[0]?.worst).toEqual({ error: 0, tolerance: 0.5 });
    expect(results[0]?.failures).toEqual([
      expect.stringMatching(
        /^2 numbers: not deterministic: of [2-4] runs on the same input, one gave 1 for out\[1\] and another 1\.25; their difference of 2\.5e-1 is the largest$/,
      ),
    ]);
  });

  it("reports both a wrong number and runs that differ", async () => {
    let reads = 0;
    const read = async (_: unknown, bytes: number) => wordsOf([1, Math.min(++reads, 2)], bytes);
    const { results } = await checkDevice({
      open: async () => fakeGpu({ read }).gpu,
      cases: caseOf("wrong", 5),
    });
    expect(results[0]?.failures).toEqual([
      "2 numbers: out[1] is 1, should be 5 ± 5.0e-1",
      expect.stringContaining("one gave 1 for out[1] and another 2; their difference of 1.0e+0"),
    ]);
  });

  it.each([
    ["reads", [1, 2], /reads out of range: out\[1\] depends on what lies beyond the data/],
    ["writes", [1, 1, 0], /writes out of range: out\[2\] is beyond the data and was overwritten/],
  ])("reports a kernel that %s out of range", async (_, extended, failure) => {
    const read = async (_: unknown, bytes: number) => wordsOf(bytes > 8 ? extended : [1, 1], bytes);
    const { gpu } = fakeGpu({ read });
    const { results } = await checkDevice({ open: async () => gpu, cases: caseOf("straying", 1) });
    expect(results[0]?.ok).toBe(false);
    expect(results[0]?.failures).toEqual([expect.stringMatching(failure)]);
  });

  it("reports a kernel that does not compile and goes on", async () => {
    const compile = async () => {
      throw new GpuError("shader_compile", "The kernel broken does not compile.");
    };
    const { gpu } = fakeGpu({ compile });
    const { results } = await checkDevice({
      open: async () => gpu,
      cases: [...caseOf("a", 1), ...caseOf("b", 1)],
    });
    expect(results.map(({ ok, worst }) => [ok, worst])).toEqual([
      [false, null],
      [false, null],
    ]);
    expect(results[0]?.failures[0]).toContain("does not compile");
  });

  it.each(["device_lost", "timeout"] as const)("opens the device again after %s", async (code) => {
    const lost = fakeGpu({ read: () => Promise.reject(new GpuError(code, "The device is gone.")) });
    const good = fakeGpu();
    const open = vi.fn().mockResolvedValueOnce(lost.gpu).mockResolvedValue(good.gpu);
    const cases = [...caseOf("a", 1), ...caseOf("b", 1)];
    const { results } = await checkDevice({ open, cases });
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(lost.destroy).toHaveBeenCalledOnce();
    expect(good.destroy).toHaveBeenCalledOnce();
  });

  it("ends after the third lost device and names what did not run", async () => {
    const { gpu } = fakeGpu({ read: () => Promise.reject(new GpuError("device_lost", "Gone.")) });
    const cases = ["a", "b", "c", "d"].flatMap((label) => caseOf(label, 1));
    const { results, skipped } = await checkDevice({ open: async () => gpu, cases });
    expect(results).toHaveLength(3);
    expect(skipped).toEqual(["d"]);
  });

  it("can be cancelled between variants", async () => {
    const stop = new AbortController();
    const { gpu } = fakeGpu();
    const cases = [...caseOf("a", 1), ...caseOf("b", 1)];
    const onResult = () => stop.abort();
    const { skipped } = await checkDevice({ open: async () => gpu, cases, onResult, signal: stop.signal });
    expect(skipped).toEqual(["b"]);
  });
});

describe("a report", () => {
  const results = [
    { label: "rope", cases: 6, worst: { error: 1e-6, tolerance: 1e-5 }, ok: true, failures: [], ms: 12.3 },
    { label: "sample", cases: 2, worst: null, ok: false, failures: ["does not compile"], ms: 1 },
    {
      label: "sample_workgroup",
      cases: 2,
      worst: { error: Number.POSITIVE_INFINITY, tolerance: 0 },
      ok: false,
      failures: ["x"],
      ms: 1,
    },
  ];

  it("has a row for each variant", () => {
    expect(resultRows({ results, skipped: [] })).toEqual([
      ["rope", "all", "6", "1.0e-6", "1.0e-5", "ok", "12"],
      ["sample", "software", "2", "–", "–", "FAILED", "1"],
      ["sample", "hardware", "2", "not finite", "0.0e+0", "FAILED", "1"],
    ]);
    expect(variantOf("attention_cached", ["attention_cached", "attention_cached_group"])).toBe("software");
  });

  it("says in one sentence what came of it", () => {
    expect(verdictOf({ results, skipped: [] })).toBe("2 of 3 kernel variants failed on this device.");
    expect(verdictOf({ results: results.slice(0, 1), skipped: ["a", "b"] })).toBe(
      "1 kernel variant gave the right numbers on this device. 2 variants did not run.",
    );
  });

  it("quotes the device, the table, failures and what did not run", () => {
    const text = reportText({ ...REPORT, results, skipped: ["gae"] });
    expect(text).toContain(
      "Adapter: acme, one\nHost: Node v24\nFeatures: subgroups\nLimits: maxBufferSize 4",
    );
    expect(text).toContain("| rope | all | 6 | 1.0e-6 | 1.0e-5 | ok | 12 |");
    expect(text).toContain("- sample: does not compile");
    expect(text).toContain("Not run: gae");
  });
});
