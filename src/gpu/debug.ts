// Switches for debugging, off by default: VAGEN_DEBUG in Node, ?debug= in the address of the page on a development server
// (which passes its query to the worker as the worker's name). What they do: docs/kernels.md.

interface DebugSwitches {
  /** Label of the kernel whose WGSL is printed when it is compiled; "all" prints every kernel. */
  kernels: string | null;
  /** Run plans dispatch by dispatch and stop at the first tensor that is not finite. */
  finite: boolean;
  /** File for the first micro-batch that is trained on, in Node; in the page it goes to the console. */
  batch: string | null;
}

/** Reads a list such as "kernels:rope,finite,batch:first.json". Unknown switches are reported and ignored. */
export function parseDebug(text: string): DebugSwitches {
  const switches: DebugSwitches = { kernels: null, finite: false, batch: null };
  for (const part of text.split(",").filter(Boolean)) {
    const [name, value] = part.split(/:(.*)/, 2);
    if (name === "kernels") switches.kernels = value || "all";
    else if (name === "finite") switches.finite = true;
    else if (name === "batch") switches.batch = value || "micro-batch.json";
    else console.error(`Unknown debug switch "${part}"; there are kernels:LABEL, finite and batch:FILE.`);
  }
  return switches;
}

function debugText(): string {
  const { process, name } = globalThis as { process?: typeof globalThis.process; name?: unknown };
  if (process?.env) return process.env.VAGEN_DEBUG ?? "";
  return new URLSearchParams(/\?.*/.exec(String(name))?.[0]).get("debug") ?? "";
}

/** The switches of this thread. */
export const debug: DebugSwitches = parseDebug(debugText());

/** Prints the final WGSL of a kernel if `debug.kernels` names it. */
export function printKernel(label: string, source: string): void {
  if (debug.kernels === label || debug.kernels === "all") console.error(`// ${label}\n${source}\n`);
}

/** Writes `batch` as JSON once, typed arrays as lists, if `debug.batch` is set. */
export function dumpBatch(batch: object): void {
  if (debug.batch === null) return;
  const text = JSON.stringify(batch, (_, value) =>
    ArrayBuffer.isView(value) ? [...(value as Uint8Array)] : value,
  );
  // Not an import: this module is part of the page too.
  const files = globalThis.process?.getBuiltinModule?.("node:fs");
  if (files) files.writeFileSync(debug.batch, text);
  else console.info(text);
  debug.batch = null;
}
