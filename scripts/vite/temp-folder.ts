// Gives a test run one temporary folder, and removes it at the end with everything that the tests left in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where `os.tmpdir` looks; Windows reads TEMP. */
const VARIABLES = ["TMPDIR", "TEMP"] as const;

/** Runs before the processes of the tests start, which inherit the variables. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "vagen-tests-"));
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) process.env[name] = folder;
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
