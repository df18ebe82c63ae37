// Runs before every file of the `gpu` test project. A machine without an adapter fails here, with the remedy: a GPU
// test that quietly did not run would prove nothing.

import { writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { StudioError } from "../core/errors.ts";
import { requestOwnGpu, shareNodeGpu } from "./test-sharing.ts";

await withHalfTheCores(openDriver).catch((error) => {
  // Vitest prints the message only; the remedy is in the hint.
  if (error instanceof StudioError) throw new Error(`${error.message}. ${error.hint}`, { cause: error });
  throw error;
});

/** The driver reads its configuration when it creates the first device of a process. */
async function openDriver(): Promise<void> {
  await shareNodeGpu();
  const adapter = await (await requestOwnGpu()).requestAdapter();
  (await adapter?.requestDevice())?.destroy();
}

/**
 * Runs `open` in a working directory with a configuration that gives SwiftShader half of the cores. Its threads wait by
 * spinning, so a thread per core takes time from the browser tests that run beside these, and is not faster.
 */
async function withHalfTheCores(open: () => Promise<void>): Promise<void> {
  const before = process.cwd();
  const threads = Math.max(1, Math.floor(availableParallelism() / 2));
  writeFileSync(join(tmpdir(), "SwiftShader.ini"), `[Processor]\nThreadCount=${threads}\n`);
  process.chdir(tmpdir());
  await open().finally(() => process.chdir(before));
}
