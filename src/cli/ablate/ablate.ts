// `ablate`: a matrix of methods, reply formats and seeds, trained one after the other, and the table that comes of it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type FormatId, formats } from "../../agent/formats.ts";
import { methods } from "../../config/methods.ts";
import { parseOverride } from "../../config/overrides.ts";
import { getPreset } from "../../config/presets.ts";
import { envs } from "../../envs/index.ts";
import { shellWords, UsageError, type Values } from "../args.ts";
import type { Command } from "../command.ts";
import { writeInto } from "../disk.ts";
import type { Io } from "../io.ts";
import { judgeArguments, judgeOptions } from "../judge-options.ts";
import { pluginOption } from "../plugins.ts";
import { holdFolder } from "../run-folder/held-folder.ts";
import { WARMED_UP } from "../run-folder/run-folder.ts";
import type { Ending } from "../train.ts";
import { checkTraining, trainOnce } from "./ablate-run.ts";
import { curvesSpec, drawSvg } from "./chart.ts";
import {
  type AblationRun,
  type Cell,
  cellsOf,
  FORMAT_OF_METHODS,
  METHOD_OF_FORMATS,
  nameOfRun,
  nameOfWarmup,
  runsOf,
} from "./matrix.ts";
import { type AblationInfo, comparisons, csvReport, markdownReport, STRATEGIES } from "./report.ts";
import { type CellResult, groupByCell, type RunResult, readResult } from "./results.ts";

/** The formats of the paper's table of reasoning strategies. */
const FORMATS: readonly FormatId[] = [
  "no_think",
  "free_think",
  "grounding",
  "worldmodeling",
  "grounding_worldmodeling",
];

export const ablateCommand: Command = {
  summary: "Train methods and reply formats against each other, and write the table.",
  options: {
    env: { value: "<id>", help: "frozenlake or sokoban. Default: frozenlake." },
    size: { value: "<name>", help: "The preset's size: nano, small or base. Default: nano." },
    seeds: { value: "<n>", help: "Seeds of each row, from 0. Default: 3." },
    updates: { value: "<n>", help: "PPO updates of each run. Default: the preset's." },
    methods: {
      value: "<a,b>",
      help: `Methods under the format ${FORMAT_OF_METHODS}, or none. Default: ${methods.ids.join(",")}.`,
    },
    formats: {
      value: "<a,b>",
      help: `Formats under the method ${METHOD_OF_FORMATS}, or none. Default: ${FORMATS.join(",")}.`,
    },
    set: {
      value: "<path>=<value>",
      help: "Set a single value in every run. Can be repeated.",
      multiple: true,
    },
    ...judgeOptions,
    ...pluginOption,
    out: {
      value: "<folder>",
      help: "Where the runs and the report are kept. Default: ablation/<env>-<size>.",
    },
  },
  details: [
    "Every format is warmed up once for each seed; the methods then start from the same policy. What is done is not done",
    "again: Ctrl+C ends after an update, and the same command goes on. More --updates make finished runs longer; fewer report",
    "longer ones as they were then. A run that diverges is named in the report and the next one begins; any other failure ends",
    "the ablation.",
    "",
    "The folder receives report.md, runs.csv, methods.svg, formats.svg (after every run) and the runs themselves.",
    "",
    "An estimator of one's own takes the place of a single method's; the methods as they are go into another folder:",
    "",
    "  npm run ablate -- --env frozenlake --seeds 3",
    "  npm run ablate -- --plugin mine.mjs --methods vagen-base --formats none --set algorithm.adv_estimator=mine --out mine",
  ].join("\n"),
  run: runAblation,
};

/** What was asked for. */
interface Plan {
  info: AblationInfo;
  cells: readonly Cell[];
  out: string;
  /** Settings and plugins of every run, as options of `train`. */
  settings: readonly string[];
}

async function runAblation(values: Values, io: Io, args: readonly string[]): Promise<number> {
  const plan = planOf(values, args);
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
    // Its row says so, and the others are trained all the same.
    if (reason === "diverged")
      io.err(`${titleOf(run)} has diverged; the ablation goes on with the next run.\n`);
    else if (code !== 0) {
      if (reason === "failed") io.err(`${howToGoOn(plan)}\n`);
      return code;
    }
  }
  io.out(markdownReport(plan.info, resultsOf(plan, runs)).trimEnd());
  io.err(`In ${plan.out}: report.md, runs.csv and the charts.\n`);
  return 0;
}

const titleOf = ({ method, format, seed }: AblationRun): string =>
  `${methods.get(method).name}, ${format}, seed ${seed}`;

/** What would go wrong in one run, a full disk or a broken extension, would go wrong in the next. */
const howToGoOn = ({ info, out }: Plan): string =>
  [
    "The ablation ends here. When the cause is mended, the same command goes on where it was:",
    `  ${info.command}`,
    `A run that is to begin anew must first be taken out of ${join(out, "runs")}.`,
  ].join("\n");

/** Environments whose states the formats can tell. */
const ENVIRONMENTS: readonly string[] = envs.all
  .filter(({ claims }) => claims.length > 0)
  .map(({ id }) => id);

function planOf(values: Values, args: readonly string[]): Plan {
  const [envId, size] = [values.text("env") ?? "frozenlake", values.text("size") ?? "nano"];
  const preset = `${envId}-${size}`;
  if (!ENVIRONMENTS.includes(envId))
    throw new UsageError(
      `--env is "${envId}".`,
      `Expected ${ENVIRONMENTS.join(" or ")}: the paper's formats state places.`,
    );
  const { config } = getPreset(preset);
  const updates = values.number("updates", 1) ?? config.trainer.total_updates;
  const cells = cellsOf(
    namesOf(values, "methods", methods.ids),
    namesOf(values, "formats", FORMATS) as FormatId[],
  );
  if (cells.length === 0)
    throw new UsageError("--methods and --formats are both none.", "Name a method or a format.");
  const info: AblationInfo = {
    envId,
    preset,
    updates,
    seeds: values.number("seeds", 1) ?? 3,
    command: `npm run ablate -- ${shellWords(...args)}`,
  };
  return {
    info,
    cells,
    settings: settingsOf(values, cells),
    out: values.text("out") ?? join("ablation", preset),
  };
}

/** What the rows differ in, and how long they are: an option decides, and a setting of every run would undo it. */
const DECIDED: Readonly<Record<string, string>> = {
  "env.name": "--env",
  seed: "--seeds",
  "trainer.total_updates": "--updates",
  "rollout.prompt_format": "--formats",
};

/** @throws UsageError for a setting that would make rows alike that differ in it. */
function settingsOf(values: Values, cells: readonly Cell[]): string[] {
  const settings = values.list("set");
  for (const { path } of settings.map(parseOverride)) {
    if (Object.hasOwn(DECIDED, path))
      throw new UsageError(
        `--set ${path} was given; the runs of an ablation differ in it.`,
        `Use ${DECIDED[path]}.`,
      );
    assertAlike(path, [...new Set(cells.map(({ method }) => method))]);
  }
  const plugins = values.list("plugin").flatMap((file) => ["--plugin", file]);
  return [...settings.flatMap((setting) => ["--set", setting]), ...judgeArguments(values), ...plugins];
}

/** @throws UsageError for a setting to which these methods give different values: under all their names one would be trained. */
function assertAlike(path: string, ids: readonly string[]): void {
  const given = ids.map((id) => methods.get(id).changes[path]).filter((value) => value !== undefined);
  if (new Set(given).size <= 1) return;
  throw new UsageError(
    `--set ${path} was given; the methods ${ids.join(", ")} differ in it.`,
    `Give one method and its own --out: --methods ${ids[0]} --formats none, or --methods none.`,
  );
}

/** A list of names; `none` is the empty one. @throws UsageError for a name that does not exist. */
function namesOf(values: Values, option: "methods" | "formats", all: readonly string[]): readonly string[] {
  const text = values.text(option);
  if (text === undefined) return all;
  const names = text === "none" ? [] : text.split(",").map((name) => name.trim());
  const known = option === "methods" ? methods.ids : formats.ids;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--${option} names "${unknown}".`, `There are ${known.join(", ")}.`);
  return names;
}

/** Options of `train` for the warm-up that a run starts from, and for the run. */
function optionsOf(plan: Plan, run: AblationRun) {
  const folder = join(plan.out, "runs");
  const format = ["--set", `rollout.prompt_format=${run.format}`];
  const shared = ["--preset", plan.info.preset, "--seed", `${run.seed}`, ...plan.settings, ...format];
  const warmup = join(folder, nameOfWarmup(run));
  const policy = join(warmup, WARMED_UP);
  return {
    warmup: [...shared, "--method", METHOD_OF_FORMATS, "--scratch", "--updates", "0", "--out", warmup],
    policy,
    run: [
      ...[...shared, "--method", run.method, "--from", policy],
      ...["--updates", `${plan.info.updates}`, "--out", join(folder, nameOfRun(run))],
    ],
  };
}

/** Before hours are spent: every training is possible, in the folder that it goes to. @throws ConfigError, UsageError */
async function checkAll(plan: Plan, runs: readonly AblationRun[]): Promise<void> {
  for (const run of runs) {
    const options = optionsOf(plan, run);
    // A warm-up that is done is taken as it is.
    if (!existsSync(options.policy)) await checkTraining(options.warmup);
    await checkTraining(options.run);
  }
}

/** The warm-up that the run starts from, then the run; the ending of the first that is not completed. */
async function trainCell(plan: Plan, run: AblationRun, io: Io): Promise<Ending> {
  const options = optionsOf(plan, run);
  if (!existsSync(options.policy)) {
    const warmed = await trainOnce(options.warmup, io);
    // Without it no run of the format and seed can begin.
    if (warmed.reason === "diverged") return { ...warmed, reason: "failed" };
    if (warmed.reason !== "completed") return warmed;
    if (!existsSync(options.policy)) return withoutPolicy(options.policy, io);
  }
  return trainOnce(options.run, io);
}

function withoutPolicy(policy: string, io: Io): Ending {
  io.err(
    `The warm-up has left no ${policy}: its last update was skipped, or the disk could not be written.\n`,
  );
  return { code: 1, reason: "failed" };
}

function resultsOf({ out, info, cells }: Plan, runs: readonly AblationRun[]): CellResult[] {
  const results = runs.map((run) => readResult(join(out, "runs"), run, info.updates));
  return groupByCell(
    cells,
    results.filter((result): result is RunResult => result !== null),
  );
}

async function writeReport(plan: Plan, runs: readonly AblationRun[]): Promise<void> {
  const cells = resultsOf(plan, runs);
  if (cells.length === 0) return;
  const write = (name: string, text: string) => writeInto(join(plan.out, name), text);
  await write("report.md", markdownReport(plan.info, cells));
  await write("runs.csv", csvReport(cells));
  const { byMethod, byFormat } = comparisons(cells);
  const chart = async (name: string, of: readonly CellResult[], label: (cell: CellResult) => string) => {
    const rows = of.map((cell) => ({ name: label(cell), cell }));
    if (rows.length > 0)
      await write(name, await drawSvg(curvesSpec(`${plan.info.preset}: ${name.slice(0, -4)}`, rows)));
  };
  await chart("methods.svg", byMethod, ({ method }) => methods.get(method).name);
  await chart("formats.svg", byFormat, ({ format }) => STRATEGIES[format] ?? format);
}
