// An ablation as Markdown and as CSV.
import { methods } from "../../config/methods.ts";
import { STATE_CRITIC } from "../../config/state-critic.ts";
import { counted } from "../../core/format.ts";
import { PAPER_NAMES } from "../../core/formats.ts";
import { reportedSuccess } from "../../eval/paper.ts";
import { nameOfValue } from "../source.ts";
import { FORMAT_OF_METHODS, METHOD_OF_FORMATS } from "./matrix.ts";
import { type CellResult, overSeeds, type RunResult } from "./results.ts";
import { changesSft } from "./variation.ts";

/** The paper's names of the formats, by ours. */
export const STRATEGIES: Readonly<Record<string, string>> = PAPER_NAMES;

/** What the tables are about. */
export interface AblationInfo {
  envId: string;
  preset: string;
  seeds: number;
  updates: number;
  /** The command that makes the same table again. */
  command: string;
  /** The checkpoint that every run starts from; null: SFT policies of their own. */
  from: string | null;
  /** The setting whose values are the rows; null: methods and formats are. */
  varied: string | null;
}

/** The tables with what they mean. */
export function markdownReport(info: AblationInfo, cells: readonly CellResult[]): string {
  const { byMethod, byFormat, byValue } = comparisons(cells);
  return `${[
    `# Ablation: ${info.preset}, ${counted(info.seeds, "seed")}, ${counted(info.updates, "PPO update")}`,
    "",
    `    ${info.command}`,
    "",
    explanation(info, cells),
    "",
    ...section("Methods", `Format \`${FORMAT_OF_METHODS}\`.`, info, byMethod, methodName),
    ...section(
      "Reasoning strategies",
      `Method ${methodName(METHOD_OF_FORMATS)}.`,
      info,
      byFormat,
      strategyName,
    ),
    ...section(
      `Values of \`${info.varied}\``,
      `${methodsOf(byValue).join(" and ")}, format \`${FORMAT_OF_METHODS}\`.`,
      info,
      byValue,
      labelOfValue(byValue, "`"),
    ),
  ]
    .join("\n")
    .trimEnd()}\n`;
}

interface Comparisons {
  byMethod: readonly CellResult[];
  byFormat: readonly CellResult[];
  /** Rows of one setting's values; then there are no others. */
  byValue: readonly CellResult[];
}

/** The rows of the tables. A cell that methods and formats share is no comparison by itself when the other table has it among others. */
export function comparisons(cells: readonly CellResult[]): Comparisons {
  if (cells.some(isVaried)) return { byMethod: [], byFormat: [], byValue: cells };
  const byMethod = cells.filter(({ format }) => format === FORMAT_OF_METHODS);
  const byFormat = inPaperOrder(cells.filter(({ method }) => method === METHOD_OF_FORMATS));
  const shared = (rows: readonly CellResult[], others: readonly CellResult[]) =>
    rows.length === 1 && others.length > 1 && others.includes(rows[0]!);
  return {
    byMethod: shared(byMethod, byFormat) ? [] : byMethod,
    byFormat: shared(byFormat, byMethod) ? [] : byFormat,
    byValue: [],
  };
}

const isVaried = ({ value }: CellResult): boolean => value !== undefined;

/** Rows of formats, from the plainest to the one with everything. */
export function inPaperOrder(cells: readonly CellResult[]): CellResult[] {
  const order = Object.keys(STRATEGIES);
  return [...cells].sort((a, b) => order.indexOf(a.format) - order.indexOf(b.format));
}

const methodName = (cell: { method: string } | string): string =>
  methods.get(typeof cell === "string" ? cell : cell.method).name;

const methodsOf = (cells: readonly CellResult[]): string[] => [...new Set(cells.map(methodName))];

/** Names rows by their value, and by their method if there are several. @param quote around the value */
export const labelOfValue =
  (cells: readonly CellResult[], quote = "") =>
  (cell: CellResult): string => {
    const value = `${quote}${nameOfValue(cell.value)}${quote}`;
    return methodsOf(cells).length > 1 ? `${methodName(cell)}, ${value}` : value;
  };

const strategyName = ({ format }: CellResult): string => `${STRATEGIES[format] ?? format} (\`${format}\`)`;

function explanation(info: AblationInfo, cells: readonly CellResult[]): string {
  const levels = cells[0]?.runs[0]?.levels ?? 0;
  const several = cells.some(({ runs }) => runs.length > 1);
  return [
    `Success on ${levels} validation levels, sampled at temperature 1: ${several ? OVER_SEEDS : "a single seed, so without an interval."}`,
    startOf(info),
    "*Best* is the highest of a run's validations; far above the last one it means that training fell back.",
    "*Grounding* and *prediction* are shares of right claims, *all neighbours* the share of turns that state all four cells beside the player rightly.",
  ].join("\n");
}

const OVER_SEEDS =
  "the mean over the seeds ± the half-width of\nits 95 % interval (Student's t over seeds), every seed in brackets.";

function startOf({ from, varied }: AblationInfo): string {
  if (from) return `All runs start from \`${from}\`, so seeds differ in levels and samples only.`;
  return varied !== null && changesSft(varied)
    ? "Every run starts from an SFT policy of its own."
    : "Rows of one format and seed start from the same SFT policy.";
}

const COLUMNS = [
  "before PPO",
  "after PPO",
  "greedy",
  "best",
  "format",
  "grounding",
  "prediction",
  "all neighbours",
];

/** The paper has no figures for values of a setting. */
const columnsOf = (cells: readonly CellResult[]): string[] =>
  cells.some(isVaried) ? COLUMNS : [...COLUMNS, "paper (3 B)"];

function section(
  title: string,
  note: string,
  { envId, updates }: AblationInfo,
  cells: readonly CellResult[],
  name: (cell: CellResult) => string,
): string[] {
  if (cells.length === 0) return [];
  const head = ["", ...columnsOf(cells)];
  return [
    `## ${title}`,
    "",
    note,
    "",
    `| ${head.join(" | ")} |`,
    `|${head.map((_, i) => (i === 0 ? "---|" : "---:|")).join("")}`,
    ...cells.map((cell) => `| ${[name(cell), ...row(envId, cell)].join(" | ")} |`),
    "",
    ...unfinished(cells, updates, name),
    ...stateCritics(cells, name),
  ];
}

function row(envId: string, cell: CellResult): string[] {
  const metric = (key: string) => interval(cell, (run) => run.metrics[key], false);
  return [
    interval(cell, ({ before }) => before, false),
    interval(cell, ({ after }) => after, true),
    interval(cell, ({ greedy }) => greedy, false),
    interval(cell, ({ best }) => best, false),
    metric("val/format_correct"),
    metric("val/grounding_accuracy"),
    metric("val/worldmodeling_accuracy"),
    metric("val/surroundings_accuracy/all"),
    ...(isVaried(cell) ? [] : [reportedSuccess(envId, cell.method, cell.format)?.toFixed(2) ?? "–"]),
  ];
}

/** "0.871 ± 0.023 (0.87, 0.88, 0.86)", or the mean alone. */
function interval(
  cell: CellResult,
  pick: (run: RunResult) => number | null | undefined,
  full: boolean,
): string {
  const found = overSeeds(cell, pick);
  if (!found) return "–";
  const mean = found.mean.toFixed(3);
  if (!full || found.halfWidth === null) return full ? `**${mean}**` : mean;
  const seeds = cell.runs.map((run) => pick(run)?.toFixed(2) ?? "–").join(", ");
  return `**${mean}** ± ${found.halfWidth.toFixed(3)} (${seeds})`;
}

/** Runs that ended early count with their last validation, and are named. */
function unfinished(
  cells: readonly CellResult[],
  updates: number,
  name: (cell: CellResult) => string,
): string[] {
  const lines = cells.flatMap((cell) =>
    cell.runs
      .filter(({ complete }) => !complete)
      .map(
        ({ seed, curve, diverged }) =>
          `- ${name(cell)}, seed ${seed}: ${diverged ? "diverged" : "ended early"}, last validated after update ${curve.at(-1)?.update ?? 0} of ${updates}.`,
      ),
  );
  return lines.length > 0 ? [...lines, ""] : [];
}

const readsState = ({ runs }: CellResult): boolean => runs.some(({ stateCritic }) => stateCritic);

/** Rows whose critic knew what the policy did not see are named. */
function stateCritics(cells: readonly CellResult[], name: (cell: CellResult) => string): string[] {
  const names = cells.filter(readsState).map(name);
  return names.length > 0 ? [`- ${names.join(", ")}: ${STATE_CRITIC}`, ""] : [];
}

/**
 * One line per validation of every run, for one's own statistics. A varied setting has a column of its own, and so has
 * `asymmetric_critic` if any run had such a critic.
 */
export function csvReport({ varied }: Pick<AblationInfo, "varied">, cells: readonly CellResult[]): string {
  const isNamed = cells.some(readsState);
  const lines = cells.flatMap(({ runs }) =>
    runs.flatMap(({ method, format, value, seed, curve, levels, stateCritic }) =>
      curve.map(({ update, success }) => [
        ...[method, format, ...(varied === null ? [] : [quoted(nameOfValue(value))])],
        ...[seed, update, levels, success, ...(isNamed ? [stateCritic] : [])],
      ]),
    ),
  );
  const head = [
    ...["method", "format", ...(varied === null ? [] : [varied])],
    ...["seed", "update", "levels", "success", ...(isNamed ? ["asymmetric_critic"] : [])],
  ];
  return [head, ...lines].map((line) => `${line.join(",")}\n`).join("");
}

/** A field of a CSV file. */
const quoted = (field: string): string => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
