// Plugins that would take the process with them, tried by the bundled command line.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ensureBundle } from "../scripts/lib/headless.mjs";

beforeAll(ensureBundle);

const EXAMPLE = "docs/examples/environment.mjs";
const START = "start(random) {";

const folder = mkdtempSync(join(tmpdir(), "trial-"));

/** Makes the processor time that Node reports pass ten times as fast. */
const HURRIED = `const used = process.cpuUsage;
process.cpuUsage = (since = { user: 0, system: 0 }) => {
  const { user, system } = used();
  return { user: 10 * user - since.user, system: 10 * system - since.system };
};`;
const hurried = join(folder, "hurried.cjs");
writeFileSync(hurried, HURRIED);
// Threads read what is required in advance, and in Node 20 not what is imported.
const inAHurry = { ...process.env, NODE_OPTIONS: `--require=${hurried}` };

/** What `plan` prints with the example, whose `start` begins with other code. */
function plan(name: string, begin: string, env = process.env): Promise<{ code: number; text: string }> {
  const file = join(folder, name);
  writeFileSync(file, readFileSync(EXAMPLE, "utf8").replace(START, `${START} ${begin}`));
  const args = ["scripts/cli.mjs", "plan", "--preset", "sokoban-nano", "--plugin", file];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` }),
    ),
  );
}

test.concurrent.each([
  ["regex.mjs", '/^(a+)+$/.test("a".repeat(40) + "b");', /did not end within 10 seconds/],
  // One array after another, each of which goes beyond what V8's own limit of a thread allows for.
  ["memory.mjs", "for (const all = []; ; ) all.push(new Array(3e7));", /needed more than 1024 MiB of memory/],
  // Outside V8's heap.
  ["bytes.mjs", "for (const all = []; ; ) all.push(new Uint8Array(3e7).fill(1));", /more than 1024 MiB of/],
  ["exit.mjs", "process.exit(0);", /ended the process \(exit code 0\)/],
])("%s costs a message", async (name, begin, message) => {
  const { code, text } = await plan(name, begin, name === "regex.mjs" ? inAHurry : process.env);
  expect(code).toBe(1);
  expect(text).toMatch(new RegExp(`^${name}: when it was tried, it `));
  expect(text).toMatch(message);
  expect(text).not.toMatch(/stack trace|FATAL/i);
});

test.concurrent("the example passes", async () => {
  expect(await plan("environment.mjs", "")).toMatchObject({ code: 0, text: expect.stringContaining("MiB") });
});
