// The command on the adapter of the tests: what it prints, its exit codes, and Ctrl+C.
import { expect, it } from "vitest";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

async function check(...args: string[]) {
  const io = testIo();
  const code = await main(["check-gpu", ...args], io);
  return { code, ...io.written };
}

it("prints the device and a row for each variant of the kernels that it is asked for", async () => {
  const { code, out } = await check("--kernel", "decode_positions", "--kernel", "column_sum");
  expect(code).toBe(0);
  expect(out).toMatch(/^Adapter: .+\nHost: Node v.+\nFeatures: .+\nLimits: maxBufferSize \d+/);
  expect(out).toMatch(/decode_positions +all +5 +0\.0e\+0 +0\.0e\+0 +ok/);
  expect(out).toMatch(/column_sum +software .*\ncolumn_sum +hardware /);
  expect(out).toContain("3 kernel variants gave the right numbers on this device.");
});

it("prints Markdown and JSON", async () => {
  expect((await check("--kernel", "gelu", "--markdown")).out).toContain("| gelu_forward | all | 4 |");
  const { results, skipped } = JSON.parse((await check("--kernel", "gelu", "--json")).out);
  expect(results.map(({ label, ok }: { label: string; ok: boolean }) => [label, ok])).toEqual([
    ["gelu_forward", true],
    ["gelu_backward", true],
  ]);
  expect(skipped).toEqual([]);
});

it("ends after the variant that is running on Ctrl+C, and says what did not run", async () => {
  const io = { ...testIo((_, own) => own.interrupt()), isTty: true };
  const code = await main(["check-gpu", "--kernel", "gelu"], io);
  expect(code).toBe(1);
  expect(io.written.out).toContain(
    "1 kernel variant gave the right numbers on this device. 1 variant did not run.",
  );
});

it("refuses a kernel that does not exist", async () => {
  const { code, err } = await check("--kernel", "matmul");
  expect(code).toBe(2);
  expect(err).toContain('no kernel has a name that contains "matmul"');
});
