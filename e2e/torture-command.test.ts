// `npm run torture` bundles itself with the page's configuration, so a change there can break it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the torture command bundles, and lists its suites", async () => {
  const script = join(import.meta.dirname, "..", "scripts", "torture.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--help"]);
  for (const suite of ["kill", "tabs", "gpu", "store", "fuzz", "hostile", "soak"])
    expect(stdout).toMatch(new RegExp(`^ +${suite} +\\S`, "m"));
});
