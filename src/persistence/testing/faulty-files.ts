// A file system that fails at chosen writes, for tests of how runs react.
import { type Files, storageFull } from "../files.ts";

/**
 * - `fail`: rejects, and writes nothing.
 * - `short`: writes half of the bytes, and reports success.
 * - `lost`: writes nothing, and reports success.
 * - `full`: writes half of the bytes, and rejects because the disk is full.
 */
export type Fault = "fail" | "short" | "lost" | "full";

export interface FaultPlan {
  fault: Fault;
  /** The first write that fails, counted from 1. */
  at: number;
  /** How many writes fail; default 1. */
  times?: number;
}

export interface FaultyFiles extends Files {
  /** Writes so far: every `write`, `append` and `move`. */
  readonly writes: number;
  /** Paths of the writes that went wrong. */
  readonly failed: readonly string[];
}

/** Passes everything on to `files`, except the writes that are to go wrong. Reading and removing always work. */
export function faultyFiles(files: Files, { fault, at, times = 1 }: FaultPlan): FaultyFiles {
  let writes = 0;
  const failed: string[] = [];
  const strikes = (path: string): boolean => {
    writes++;
    const isStruck = writes >= at && writes < at + times;
    if (isStruck) failed.push(path);
    return isStruck;
  };
  async function strike(path: string, bytes?: Uint8Array<ArrayBuffer>, put?: Files["write"]): Promise<void> {
    if (fault === "fail") throw new Error(`${path} could not be written`);
    if (fault !== "lost" && bytes && put) await put(path, bytes.slice(0, bytes.length / 2));
    if (fault === "full") throw storageFull(path);
  }
  return {
    ...files,
    get writes() {
      return writes;
    },
    failed,
    write: (path, bytes) => (strikes(path) ? strike(path, bytes, files.write) : files.write(path, bytes)),
    append: (path, bytes, from) =>
      strikes(path)
        ? strike(path, bytes, (to, half) => files.append(to, half, from))
        : files.append(path, bytes, from),
    move: (from, to) => (strikes(to) ? strike(to) : files.move(from, to)),
  };
}
