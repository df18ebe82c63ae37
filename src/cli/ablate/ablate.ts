// `ablate`: trains a matrix of methods, reply formats or values of a setting, and seeds, one run after the other, and writes the table.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDescription } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import { methods, PAPER_METHODS } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import { whyIdle } from "../../config/rules/idle.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { plainText } from "../../core/message.ts";
import type { Checkpoint } from "../../persistence/checkpoint.ts";
import { assertFits } from "../../run/checkpoint-fit.ts";
import { initialFor } from "../../run/initial-for.ts";
import { runSize } from "../../run/size.ts";
import { UsageError, type Values } from "../args.ts";
import { decodeCheckpointFile } from "../checkpoint.ts";
import type { Command } from "../command.ts";
import { writeInto } from "../disk.ts";
import type { Io } from "../io.ts";
import { judgeOptions } from "../judge-options.ts";
import { pluginOption } from "../plugins.ts";
import { holdFolder } from "../run-folder/held-folder.ts";
import { SFT_CHECKPOINT } from "../run-folder/run-folder.ts";
import type { Ending } from "../run-training.ts";
import { assertPaid, paidSimilarity, similarityModels } from "../similarity.ts";
import { changed, nameOfValue, sourceOptions } from "../source.ts";
import { checkTraining, type Training, trainOnce } from "./ablate-run.ts";
import { drawCurves } from "./chart.ts";
import {
  type AblationRun,
  type Cell,
  FORMAT_OF_METHODS,
  METHOD_OF_FORMATS,
  nameOfRun,
  nameOfSft,
  runsOf,
} from "./matrix.ts";
import { ENVIRONMENTS, FORMATS, type Plan, planOf } from "./plan.ts";
import { comparisons, csvReport, labelOfValue, markdownReport, STRATEGIES } from "./report.ts";
import { type CellResult, groupByCell, type RunResult, readResult } from "./results.ts";
import { changesSft } from "./variation.ts";

export const ablateCommand: Command = {
  summary: "Train methods, reply formats or values of a setting against each other, and write the table.",
  options: {
    env: { value: "<id>", help: `${ENVIRONMENTS.join(", ")}. Default: frozenlake.` },
    size: { value: "<name>", help: "The preset's size: nano, small or base. Default: nano." },
    seeds: { value: "<n>", help: "Seeds of each row, from 0. Default: 3." },
    updates: { value: "<n>", help: "PPO updates of each run. Default: the preset's." },
    methods: {
      value: "<a,b>",
      help: `Methods under the format ${FORMAT_OF_METHODS}, or none: ${methods.ids.join(", ")}. Default: the first ${PAPER_METHODS.length}, those of VAGEN's paper.`,
    },
    formats: {
      value: "<a,b>",
      help: `Formats under the method ${METHOD_OF_FORMATS}, or none. Default: ${FORMATS.join(",")}.`,
    },
    vary: {
      multiple: true,
      value: "<path>=<a,b>",
      help: `Compare values of one setting, in place of methods and formats: each is a row under ${METHOD_OF_FORMATS}, or under every method of --methods.`,
    },
    from: {
      value: "<run|file>",
      help: "Start every run from this policy, in place of an SFT policy of its own: the newest good checkpoint in the folder of a run, a file, or a bundled name. Default: SFT for each format and seed.",
    },
    set: { ...sourceOptions.set!, help: "Set a single value in every run. Can be repeated." },
    ...judgeOptions,
    ...paidSimilarity,
    ...pluginOption,
    out: {
      value: "<folder>",
      help: "Where the runs and the report are kept. Default: ablation/<env>-<size>, with --from also its name, with --vary also the setting.",
    },
  },
  details: [
    "SFT trains every format once for each seed; the methods then start from the same policy. Finished runs are not trained",
    "again: Ctrl+C stops after an update, or ends a validation, and the same command continues. More --updates make finished runs longer; fewer",
    "report longer runs as they were at that update. A run that diverges is named in the report, and the next one begins; any other",
    "failure ends the ablation.",
    "",
    "The folder receives report.md, runs.csv, methods.svg and formats.svg, or values.svg (after every run), and the runs themselves.",
    "",
    "  npm run ablate -- --env frozenlake --seeds 3",
    "  npm run ablate -- --from frozenlake-nano-warmup --formats none",
    "  npm run ablate -- --from frozenlake-nano-warmup --vary actor.lr=3e-4,1e-3,3e-3 --out rates",
    "  npm run ablate -- --plugin mine.mjs --vary algorithm.adv_estimator=masked_gae,mine --out mine",
  ].join("\n"),
  run: runAblation,
};

async function runAblation(values: Values, io: Io, args: readonly string[]): Promise<number> {
  const plan = await planOf(values, io, args);
  const runs = runsOf(plan.cells, plan.info.seeds);
  await checkAll(plan, runs);
  const held = await holdFolder(plan.out);
  try {
    return await trainAll(plan, runs, io);
  } finally {
    held.release();
  }
}

async function trainAll(plan: Plan, runs: readonly AblationRun[], io: Io): Promise<number> {
  for (const [i, run] of runs.entries()) {
    io.err(`\n${i + 1} of ${runs.length}: ${titleOf(run)}\n`);
    const { code, reason } = await trainCell(plan, run, io).catch((error) => {
      io.err(`${howToGoOn(plan)}\n`);
      throw error;
    });
    await writeReport(plan, runs);
    // The report names it, and the other runs are trained nonetheless.
    if (reason === "diverged")
      io.err(`${titleOf(run)} has diverged; the ablation continues with the next run.\n`);
    else if (code !== 0) {
      if (reason === "failed") io.err(`${howToGoOn(plan)}\n`);
      return code;
    }
  }
  io.out(markdownReport(plan.info, await resultsOf(plan, runs)).trimEnd());
  io.err(`In ${plan.out}: report.md, runs.csv and the charts.\n`);
  return 0;
}

const titleOf = ({ method, format, value, seed }: AblationRun): string =>
  [
    methods.get(method).name,
    format,
    ...(value === undefined ? [] : [nameOfValue(value)]),
    `seed ${seed}`,
  ].join(", ");

/** A full disk or a broken extension would fail the next run too. */
const howToGoOn = ({ info, out }: Plan): string =>
  [
    "The ablation ends here. After the cause is fixed, the same command continues:",
    `  ${info.command}`,
    `To start a run again, move it out of ${join(out, "runs")} first.`,
  ].join("\n");

/** The SFT run that a run starts from, unless it starts from a given policy; the file with its policy, and the run. */
function trainingsOf(plan: Plan, run: AblationRun) {
  const training = (name: string, as: AblationRun, updates: number, from: string): Training => ({
    out: join(plan.out, "runs", name),
    source: `preset ${plan.info.preset}`,
    start: { config: configOf(plan, as, updates, from) },
    episodes: "sample",
    json: false,
    consent: plan.consent,
    similarities: plan.similarities,
    command: plan.info.command,
    continuation: plan.info.command,
  });
  const { from } = plan.info;
  const before = sftOf(plan, run);
  const sft = from ? null : training(nameOfSft(before), before, 0, "");
  const policy = sft ? join(sft.out, SFT_CHECKPOINT) : from!;
  return { sft, policy, run: training(nameOfRun(run), run, plan.info.updates, policy) };
}

/** The run of SFT alone before a run. Those of one format and seed share it, unless SFT depends on the varied setting. */
function sftOf({ variation }: Plan, { value, ...run }: AblationRun): AblationRun {
  const sft = { ...run, method: METHOD_OF_FORMATS };
  return variation && changesSft(variation.path) ? { ...sft, value } : sft;
}

/** @param from the checkpoint that training starts from; empty for none. @throws ConfigError */
function configOf(
  { info, settings, variation }: Plan,
  { method, format, seed, value }: AblationRun,
  updates: number,
  from: string,
): RunConfig {
  return changed(changed(getPreset(info.preset).config, methods.get(method).changes), {
    "trainer.total_updates": updates,
    seed,
    "trainer.init_checkpoint": from,
    ...settings,
    ...(variation && value !== undefined ? { [variation.path]: value } : {}),
    "rollout.prompt_format": format,
  });
}

/** Before hours are spent: every training is possible, in its folder. @throws ConfigError, CheckpointError, UsageError */
async function checkAll(plan: Plan, runs: readonly AblationRun[]): Promise<void> {
  const { from } = plan.info;
  const policy = from === null ? null : await decodeCheckpointFile(from, "--from");
  const models = similarityModels(plan.similarities);
  assertVaries(plan, (cell) => trainingsOf(plan, { ...cell, seed: 0 }).run.start.config);
  for (const trainings of runs.map((run) => trainingsOf(plan, run))) {
    if (policy) assertStarts(trainings.run.start.config, policy);
    // A finished SFT run is used as it is.
    if (trainings.sft && !existsSync(trainings.policy)) await checkTraining(trainings.sft);
    await checkTraining(trainings.run);
    assertPaid(models, trainings.run.start.config);
  }
}

/** @throws UsageError where the varied setting has no effect under one of the methods: its rows would be the same. */
function assertVaries({ variation, cells }: Plan, configOfCell: (cell: Cell) => RunConfig): void {
  if (!variation) return;
  const { path } = variation;
  const why = (cell: Cell): string =>
    isDescription(path) ? "It describes a run." : plainText(whyIdle(path, configOfCell(cell)));
  for (const id of new Set(cells.map(({ method }) => method))) {
    const reasons = cells.filter(({ method }) => method === id).map(why);
    if (reasons.includes("")) continue;
    throw new UsageError(
      `--vary ${path} has no effect under ${methods.get(id).name}. ${reasons[0]}`,
      "Set what it waits for, or vary another setting.",
    );
  }
}

/** @throws UsageError, CheckpointError when a run of `config` cannot start from the policy, or it replies in another format. */
function assertStarts(config: RunConfig, policy: Checkpoint): void {
  const known = checkedRunConfig(policy.meta.config).rollout.prompt_format;
  const { prompt_format: format } = config.rollout;
  if (format !== known)
    throw new UsageError(
      `The policy of --from replies as ${known}, and a row of the ablation as ${format}.`,
      "Leave those rows out with --methods or --formats, or leave out --from.",
    );
  const size = runSize(config);
  const { meta } = initialFor(size, config, policy);
  assertFits(config, { architecture: size.architecture, vocabulary: size.task.vocabulary }, meta);
}

/** Trains the SFT run that the run starts from, then the run. Returns the first ending that is not "completed". */
async function trainCell(plan: Plan, cell: AblationRun, io: Io): Promise<Ending> {
  const { sft, policy, run } = trainingsOf(plan, cell);
  if (sft && !existsSync(policy)) {
    const ending = await trainOnce(sft, io);
    // Without it no run of this format and seed can begin.
    if (ending.reason === "diverged") return { ...ending, reason: "failed" };
    if (ending.reason !== "completed") return ending;
    if (!existsSync(policy)) return withoutPolicy(policy, io);
  }
  return trainOnce(run, io);
}

function withoutPolicy(policy: string, io: Io): Ending {
  io.err(`SFT did not write ${policy}: its last update was skipped, or the disk is not writable.\n`);
  return { code: 1, reason: "failed" };
}

async function resultsOf({ out, info, cells }: Plan, runs: readonly AblationRun[]): Promise<CellResult[]> {
  const results = await Promise.all(runs.map((run) => readResult(join(out, "runs"), run, info.updates)));
  return groupByCell(
    cells,
    results.filter((result): result is RunResult => result !== null),
  );
}

async function writeReport(plan: Plan, runs: readonly AblationRun[]): Promise<void> {
  const cells = await resultsOf(plan, runs);
  if (cells.length === 0) return;
  const write = (name: string, text: string) => writeInto(join(plan.out, name), text);
  await write("report.md", markdownReport(plan.info, cells));
  await write("runs.csv", csvReport(plan.info, cells));
  const { byMethod, byFormat, byValue } = comparisons(cells);
  const chart = async (
    name: string,
    of: readonly CellResult[],
    label: (cell: CellResult) => string,
    what = name,
  ) => {
    const rows = of.map((cell) => ({ name: label(cell), cell }));
    if (rows.length > 0) await write(`${name}.svg`, drawCurves(`${plan.info.preset}: ${what}`, rows));
  };
  await chart("methods", byMethod, ({ method }) => methods.get(method).name);
  await chart("formats", byFormat, ({ format }) => STRATEGIES[format] ?? format);
  await chart("values", byValue, labelOfValue(byValue), plan.info.varied ?? "");
}
