// One training of an ablation: started, resumed, or kept as it is if its folder has all of its updates already.
import { diffConfigs, isDescription } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { afterSftOf, totalUpdates } from "../../config/run-length.ts";
import type { CheckpointMeta } from "../../persistence/checkpoint.ts";
import { UsageError } from "../args.ts";
import type { Io } from "../io.ts";
import { assertPlugins } from "../plugins.ts";
import { storedRun } from "../run-folder/stored-run.ts";
import { type Ending, runTraining, type TrainRequest } from "../run-training.ts";
import { validatedUpdates } from "./results.ts";

/** A run of an ablation, as it would start. */
export type Training = TrainRequest & { start: { config: RunConfig } };

/** Checks before hours are spent that the run in the folder, if there is one, can be used. @throws UsageError, ConfigError */
export async function checkTraining({ out, start }: Training): Promise<void> {
  const stored = await storedIn(out);
  if (stored) await assertServes(out, stored, start.config);
}

/** Trains the run. One with the same settings is resumed; one that is as long or longer stays as it is. */
export async function trainOnce(training: Training, io: Io): Promise<Ending> {
  const { out, start } = training;
  const stored = await storedIn(out);
  if (!stored) return runTraining(training, io);
  await assertServes(out, stored, start.config);
  const { total_updates: updates } = start.config.trainer;
  if (stored.update > endOf(start.config, stored, out)) {
    io.err(`The run in ${out} is longer already; it is reported as it was after update ${updates}.\n`);
    return { code: 0, reason: "completed" };
  }
  const resumed = { checkpoint: undefined, changes: { [LENGTH]: updates } };
  return runTraining({ ...training, source: out, start: resumed }, io);
}

async function storedIn(out: string): Promise<CheckpointMeta | null> {
  const { runId, store } = storedRun(out);
  return (await store.describe(runId))?.meta ?? null;
}

/**
 * @throws UsageError when the folder holds a run of other settings, or a longer one that was not validated where this one ends.
 * @throws ExtensionError when it was made with other plugins.
 */
async function assertServes(out: string, meta: CheckpointMeta, wanted: RunConfig): Promise<void> {
  assertPlugins(meta, out);
  const { update } = meta;
  // Completed with defaults: an earlier version may have had fewer settings.
  const before = checkedRunConfig(meta.config, out);
  const ended = afterSftOf(wanted, before);
  assertSameSettings(out, before, ended);
  const end = totalUpdates(ended);
  const validated = await validatedUpdates(out);
  if (update <= end || validated.includes(end)) return;
  throw new UsageError(
    `${out} was trained for ${update} updates and not validated after update ${end}.`,
    `Set --updates to an update after which it was validated (${validated.filter((at) => at > 0).join(", ") || "none"}) or to more than ${update}, or give another --out.`,
  );
}

/** The last update of a run of a configuration whose SFT ended as that of a stored one in a folder. */
export const endOf = (wanted: RunConfig, { config }: CheckpointMeta, out: string): number =>
  totalUpdates(afterSftOf(wanted, checkedRunConfig(config, out)));

function assertSameSettings(out: string, before: RunConfig, wanted: RunConfig): void {
  const [change] = diffConfigs(before, wanted).filter(({ path }) => !canDiffer(path, wanted));
  if (!change) return;
  const { path, from, to } = change;
  const why = path === LENGTH ? `; actor.lr_schedule ${wanted.actor.lr_schedule} falls over all of them` : "";
  throw new UsageError(
    `${out} was trained with ${path} ${JSON.stringify(from)}, not ${JSON.stringify(to)}${why}.`,
    "Give another --out, or the earlier settings.",
  );
}

const LENGTH = "trainer.total_updates";

/**
 * Neither the path of the first policy nor the description changes a run. The length does not either if the learning rate is
 * constant: more updates continue the run, and fewer are its beginning.
 */
const canDiffer = (path: string, { actor }: RunConfig): boolean =>
  path === "trainer.init_checkpoint" ||
  isDescription(path) ||
  (path === LENGTH && actor.lr_schedule === "constant");
