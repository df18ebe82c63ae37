// The folder of a run as a store sees it: the folder above is the store, its name the id of the run.
import { basename, dirname, resolve } from "node:path";
import { nodeFiles } from "../../persistence/node-files.ts";
import { type CheckpointStore, openStore } from "../../persistence/store.ts";

/** The run in a folder, which need not exist. */
export function storedRun(folder: string): { runId: string; store: CheckpointStore } {
  const path = resolve(folder);
  return { runId: basename(path), store: openStore(nodeFiles(dirname(path))) };
}
