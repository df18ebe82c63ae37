// How a new run starts: the options --from and --scratch.
import { INIT_CHECKPOINT } from "../config/init-checkpoint.ts";
import { type Options, refuseTogether, type Values } from "./args.ts";
import { startPath } from "./checkpoint.ts";
import type { Changes } from "./source.ts";

/** Options of commands that begin a new run. */
export const startOptions: Options = {
  from: {
    value: "<run|file>",
    help: "Start from the weights of a checkpoint, without SFT: the newest good one in the folder of a run, a file, or a bundled name.",
  },
  scratch: { help: "Start from random weights, with SFT, even if the preset names a checkpoint." },
};

/**
 * What `--scratch` or `--from` changes.
 * @throws UsageError for both; CheckpointError for a folder without a checkpoint
 */
export async function startChange(values: Values): Promise<Changes> {
  refuseTogether(
    values,
    "from",
    ["scratch"],
    "Give --from to start from a checkpoint, --scratch to start without one.",
  );
  const from = values.text("from");
  if (from !== undefined) return { [INIT_CHECKPOINT]: await startPath(from, "--from") };
  return values.has("scratch") ? { [INIT_CHECKPOINT]: "" } : {};
}
