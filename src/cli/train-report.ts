// What `train` says about a run: before it begins, and after it has ended.
import { envIdsOf } from "../config/entries.ts";
import { halvedRate } from "../config/halved-rate.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates, totalForMore, totalUpdates } from "../config/run-length.ts";
import { stateCriticText } from "../config/state-critic.ts";
import { serializeError } from "../core/errors.ts";
import { counted } from "../core/format.ts";
import { envs } from "../envs/index.ts";
import type { TrainerEvent } from "../training/events.ts";
import { shellWords } from "./args.ts";
import type { OpenRun } from "./open-run.ts";

/** The last event of a run. */
export type RunFinished = Extract<TrainerEvent, { type: "run_finished" }>;

/** What to say of a run that has nothing left to do; null for any other. */
export function finishedLine({
  config,
  out,
  resumption,
}: Pick<OpenRun, "config" | "out" | "resumption">): string | null {
  if (!resumption) return null;
  const { update, counters } = resumption.good.checkpoint.meta;
  // The validation after the last update may still be missing.
  if (update < totalUpdates(config) || (counters.validatedUpdate ?? 0) < update) return null;
  const done = totalForMore(config, update, 0);
  const why = done > 0 ? `it has done all of its ${done} PPO updates` : "it has no PPO updates to do";
  return [
    `The run in ${out} is finished: ${why}.`,
    `To make it longer: npm run train -- --resume ${shellWords(out)} --updates ${done + 100}`,
  ].join("\n");
}

/**
 * What is about to happen, in one line, so that users who give no options see the defaults. E.g. "FrozenLake, preset
 * frozenlake-small: 400 PPO updates from frozenlake-small-warmup, into run." A run without updates only validates.
 */
export function introduction(
  { config, out, resumption }: Pick<OpenRun, "config" | "out" | "resumption">,
  source: string,
): string {
  const task = [...new Set(envIdsOf(config))].map((id) => envs.get(id).title).join(" + ");
  if (resumption) {
    const { update } = resumption.good.checkpoint.meta;
    return `${task}, resuming ${source}: after update ${update} of ${totalUpdates(config)}, into ${out}.`;
  }
  const { init_checkpoint: from, total_updates: ppo } = config.trainer;
  const [sft, ofPpo] = [sftUpdates(config), counted(ppo, "PPO update")];
  const start = from || "random weights";
  if (sft + ppo === 0) return `${task}, ${source}: only a validation of ${start}, into ${out}.`;
  const updates = from && sft === 0 ? `${ofPpo} from ${from}` : `from ${start}, ${sft} SFT and ${ofPpo}`;
  return `${task}, ${source}: ${updates}, into ${out}.`;
}

/** What the results of a run say of a critic that reads the simulator's state, or read it before the run was resumed. */
export function criticOf({ config, resumption }: OpenRun, hasPpo: boolean): string {
  const learned = resumption?.good.checkpoint.meta.stateCritic !== undefined;
  return hasPpo || learned ? stateCriticText(config, learned) : "";
}

/**
 * Why a run failed, and how to continue it if that can help.
 * @param hint how a run continues that can.
 */
export function failureText(end: RunFinished | null, { config }: OpenRun, hint: string | undefined): string {
  const {
    name,
    message,
    hint: remedy,
  } = end?.error ?? serializeError(new Error("The run ended without giving a reason."));
  const rate = end?.reason === "diverged" ? halvedRateOption(config, end.update) : "";
  // An extension that failed would fail again: a run is resumed with the same source only.
  const continues = name !== "ExtensionError" && hint !== undefined && hint + rate;
  const lines = [message, remedy, continues].filter(Boolean);
  return lines.map((line) => `${line}\n`).join("");
}

function halvedRateOption(config: RunConfig, done: number): string {
  const { path, to } = halvedRate(config, done + 1);
  return ` --set ${path}=${to}`;
}

/** How to continue the run in a folder. */
export const continueHint = (out: string, command = `npm run train -- --resume ${shellWords(out)}`): string =>
  `Continue with: ${command}`;
