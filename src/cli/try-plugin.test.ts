import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";
import { tryPlugin } from "./try-plugin.ts";

const plugin = { name: "mine.mjs", source: "export default () => {};" };
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0))
    expect(child.killed || child.exitCode !== null || child.signalCode !== null).toBe(true);
});

/** Tries `plugin` in a process that runs `code` when it is sent the text; it is ready unless `ready` is other code. */
async function tried(code: string, { limitMs = 60_000, ready = 'process.send({ kind: "ready" });' } = {}) {
  const file = join(await mkdtemp(join(tmpdir(), "trial-")), "trial.mjs");
  await writeFile(file, `process.once("message", (plugin) => { ${code} });\n${ready}\n`);
  const start = () => {
    const child = fork(file, { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
    children.push(child);
    return child;
  };
  return tryPlugin(plugin, start, limitMs);
}

it("returns a plugin that was kept as checked, and sends the text", async () => {
  const isSent = `plugin.source === ${JSON.stringify(plugin.source)}`;
  expect(await tried(`process.send({ kind: ${isSent} ? "kept" : "other" });`)).toEqual({
    ...plugin,
    checked: true,
  });
});

it("says what a trial says of a plugin that is refused", async () => {
  const error = { name: "ExtensionError", code: "invalid", message: "it adds nothing.", hint: "Add a term." };
  await expect(tried(`process.send(${JSON.stringify({ kind: "refused", error })});`)).rejects.toMatchObject({
    code: "invalid",
    message: "it adds nothing.",
    hint: "Add a term.",
  });
});

it.each<[string, string, number | undefined, RegExp, RegExp]>([
  ["never ends", "for (;;);", 300, /^mine\.mjs: .*did not end within 1 seconds?\.$/, /regular expression/],
  [
    "takes all memory",
    'process.stderr.write("FATAL ERROR: JavaScript heap out of memory", () => process.abort());',
    undefined,
    /^mine\.mjs: .*needed more than 1024 MiB of memory\.$/,
    /list, a map or a text/,
  ],
  [
    "uses too much of the processor",
    'process.stderr.write("out of time", () => process.kill(process.pid, "SIGKILL"));',
    undefined,
    /^mine\.mjs: .*did not end within 10 seconds\.$/,
    /regular expression/,
  ],
  ["ends the process", "process.exit(3);", undefined, /^mine\.mjs: .*\(exit code 3\)\.$/, /timers/],
  [
    "throws later",
    'setTimeout(() => { throw new RangeError("boom"); });',
    undefined,
    /ended the process \(exit code 1, RangeError: boom\)/,
    /timers/,
  ],
])("names a plugin that %s", async (_, code, limitMs, message, hint) => {
  await expect(tried(code, limitMs ? { limitMs } : {})).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

it("blames no plugin for a process that does not start", async () => {
  await expect(tried("", { ready: "process.exit(9);" })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("could not be tried, because no process could be started: exit code 9"),
  });
});

it("a command reads no plugin before all of them have been tried", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tried-"));
  const files = ["first.mjs", "second.mjs"].map((name) => join(folder, name));
  for (const file of files) await writeFile(file, 'globalThis.wasRead = true; throw new Error("read");');
  const io = testIo();
  const names: string[] = [];
  const tryOne = async (given: typeof plugin) => {
    names.push(given.name);
    if (given.name === "second.mjs") throw new Error("second.mjs hangs");
    return given;
  };
  const code = await main(["plan", ...files.flatMap((file) => ["--plugin", file])], io, tryOne);
  expect([code, io.written]).toEqual([1, { out: "", err: "second.mjs hangs\n" }]);
  expect(names).toEqual(["first.mjs", "second.mjs"]);
  expect("wasRead" in globalThis).toBe(false);
});
