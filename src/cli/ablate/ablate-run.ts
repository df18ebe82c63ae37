// One training of an ablation: begun, gone on with, or left alone when its folder has it already.
import { basename, dirname, resolve } from "node:path";
import { diffConfigs } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { totalUpdates } from "../../config/run-length.ts";
import type { CheckpointMeta } from "../../persistence/checkpoint.ts";
import { nodeFiles } from "../../persistence/node-files.ts";
import { openStore } from "../../persistence/store.ts";
import { parseOptions, UsageError, type Values } from "../args.ts";
import type { Io } from "../io.ts";
import { judgeArguments } from "../judge-options.ts";
import { assertPlugins } from "../plugins.ts";
import { type Ending, newConfig, runTraining, trainCommand } from "../train.ts";
import { validatedUpdates } from "./results.ts";

/** Before hours are spent: the options make a configuration, and what their folder holds can serve. @throws UsageError, ConfigError */
export async function checkTraining(args: readonly string[]): Promise<void> {
  const values = optionsOfTrain(args);
  const asked = await newConfig(values);
  const [out, stored] = await storedIn(values);
  if (stored) assertServes(out, stored, asked);
}

/** Trains by these options of `train`; a run of the same settings goes on, and one that is as long or longer stays as it is. */
export async function trainOnce(args: readonly string[], io: Io): Promise<Ending> {
  const values = optionsOfTrain(args);
  const [out, stored] = await storedIn(values);
  if (!stored) return runTraining(values, io, args);
  const asked = await newConfig(values);
  assertServes(out, stored, asked);
  if (stored.update > totalUpdates(asked)) {
    const { total_updates: updates } = asked.trainer;
    io.err(`The run in ${out} is longer already; it is reported as it was after update ${updates}.\n`);
    return { code: 0, reason: "completed" };
  }
  const plugins = values.list("plugin").flatMap((file) => ["--plugin", file]);
  const resume = [
    "--resume",
    out,
    "--updates",
    values.text("updates") as string,
    ...judgeArguments(values),
    ...plugins,
  ];
  return runTraining(optionsOfTrain(resume), io, resume);
}

const optionsOfTrain = (args: readonly string[]): Values =>
  parseOptions("train", trainCommand.options ?? {}, args);

async function storedIn(values: Values): Promise<[out: string, CheckpointMeta | null]> {
  const out = values.text("out") as string;
  const path = resolve(out);
  const stored = await openStore(nodeFiles(dirname(path))).describe(basename(path));
  return [out, stored?.meta ?? null];
}

/**
 * @throws UsageError when the folder holds a run of other settings, or a longer one that was not validated where this one ends.
 * @throws ExtensionError when it was made with other plugins.
 */
function assertServes(out: string, meta: CheckpointMeta, asked: RunConfig): void {
  assertPlugins(meta, out);
  const { config, update } = meta;
  // Completed: a version before may have had fewer settings.
  assertSameSettings(out, checkedRunConfig(config, out), asked);
  const end = totalUpdates(asked);
  const validated = validatedUpdates(out);
  if (update <= end || validated.includes(end)) return;
  throw new UsageError(
    `${out} was trained for ${update} updates and not validated after update ${end}.`,
    `Ask for --updates that it was validated after (${validated.filter((at) => at > 0).join(", ") || "none"}), for more than ${update}, or give another --out.`,
  );
}

function assertSameSettings(out: string, before: RunConfig, asked: RunConfig): void {
  const [change] = diffConfigs(before, asked).filter(({ path }) => !canDiffer(path, asked));
  if (!change) return;
  const { path, from, to } = change;
  const why = path === LENGTH ? `; actor.lr_schedule ${asked.actor.lr_schedule} falls over all of them` : "";
  throw new UsageError(
    `${out} was trained with ${path} ${JSON.stringify(from)}, not ${JSON.stringify(to)}${why}.`,
    "Give another --out, or the settings of before.",
  );
}

const LENGTH = "trainer.total_updates";

/**
 * Where its first policy lies does not change a run. More updates continue it, and fewer are the beginning of it, where the
 * learning rate does not depend on their number.
 */
const canDiffer = (path: string, { actor }: RunConfig): boolean =>
  path === "trainer.init_checkpoint" || (path === LENGTH && actor.lr_schedule === "constant");
