// A small part of `npm run torture -- --only kill`: a kill in the middle of one write.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { killsAtWrites } from "../../e2e/torture/kill.ts";
import { ensureBundle } from "../../scripts/lib/headless.mjs";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

beforeAll(ensureBundle);

/** Trains in this process, whose kernels are ready; only what is killed needs a process of its own. */
async function unharmed(args: readonly string[]) {
  const io = testIo();
  const code = await main(args, io);
  return { killed: false, code, text: io.written.out + io.written.err, ms: 0 };
}

test("a killed run ends as one that was left alone", async () => {
  const problems: string[] = [];
  const figure = await killsAtWrites(
    {
      seed: 0,
      first: 0,
      folder: mkdtempSync(join(tmpdir(), "kill-")),
      progress: () => {},
      fail: (trial, found) => problems.push(`${trial}: ${found.join("; ")}`),
    },
    ["9:half"],
    unharmed,
  );
  expect(problems).toEqual([]);
  expect(figure).toMatchObject({ passed: true, value: expect.stringContaining("1 kills") });
});
