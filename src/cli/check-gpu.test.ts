import { expect, test } from "vitest";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

test("check-gpu --help says how often a case runs, and when the check fails", async () => {
  const io = testIo();
  expect(await main(["check-gpu", "--help"], io)).toBe(0);
  const help = io.written.out.replace(/\s+/g, " ");
  expect(help).toContain(
    "Each case runs two to four times on the same input, and all runs must give equal bits.",
  );
  expect(help).toMatch(/exit code is 1 if a result differs by more than its tolerance, or from run to run\./);
});
