// The options of `ablate` as the rows of its table, with the settings of every run.
import { join, parse } from "node:path";
import { methods, PAPER_METHODS } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import { type FormatId, formats } from "../../core/formats.ts";
import { envs } from "../../envs/index.ts";
import type { Consent } from "../../run/judge-consent.ts";
import { shellWords, UsageError, type Values } from "../args.ts";
import { startPath } from "../checkpoint.ts";
import type { Io } from "../io.ts";
import { consentOf } from "../judge-options.ts";
import { type Changes, overrides } from "../source.ts";
import { type Cell, cellsOf, cellsOfValues, FORMAT_OF_METHODS, METHOD_OF_FORMATS } from "./matrix.ts";
import type { AblationInfo } from "./report.ts";
import { readVariation, type Variation } from "./variation.ts";

/** The formats of the paper's table of reasoning strategies. */
export const FORMATS: readonly FormatId[] = [
  "no_think",
  "free_think",
  "grounding",
  "worldmodeling",
  "grounding_worldmodeling",
];

/** Environments whose states the formats can describe. */
export const ENVIRONMENTS: readonly string[] = envs.all
  .filter(({ claims }) => claims.length > 0)
  .map(({ id }) => id);

/** What the options describe. */
export interface Plan {
  info: AblationInfo;
  cells: readonly Cell[];
  /** The setting in which the cells differ; null: they differ in method and format. */
  variation: Variation | null;
  out: string;
  /** Settings of every run, by path. */
  settings: Changes;
  consent: Consent;
  /** Models that compare drawings, each as `<kind>=<file.onnx>`. */
  similarities: readonly string[];
}

/** @throws UsageError, ConfigError, CheckpointError for options that do not go together, or name what does not exist. */
export async function planOf(values: Values, io: Io, args: readonly string[]): Promise<Plan> {
  const [envId, size] = [values.text("env") ?? "frozenlake", values.text("size") ?? "nano"];
  const preset = `${envId}-${size}`;
  if (!ENVIRONMENTS.includes(envId))
    throw new UsageError(
      `--env is "${envId}".`,
      `Expected ${ENVIRONMENTS.join(" or ")}: the paper's formats state places.`,
    );
  const { config } = getPreset(preset);
  const updates = values.number("updates", 1) ?? config.trainer.total_updates;
  const variation = variationOf(values);
  const cells = cellsFor(values, variation);
  const from = values.text("from");
  const info: AblationInfo = {
    envId,
    preset,
    updates,
    seeds: values.number("seeds", 1) ?? 3,
    command: `npm run ablate -- ${shellWords(...args)}`,
    from: from === undefined ? null : await startPath(from, "--from"),
    varied: variation?.path ?? null,
  };
  return {
    info,
    cells,
    variation,
    settings: settingsOf(values, cells, variation),
    consent: consentOf(values, io),
    similarities: values.list("similarity"),
    out: values.text("out") ?? join("ablation", folderOf(info, from)),
  };
}

/**
 * Runs that differ in the policy that they start from, or in the setting that is varied, need folders of their own.
 * @param from the policy as the user named it
 */
const folderOf = ({ preset, varied }: AblationInfo, from: string | undefined): string =>
  [preset, ...(from ? [`from-${parse(from).name}`] : []), ...(varied ? [varied] : [])].join("-");

/** @throws UsageError, ConfigError */
function variationOf(values: Values): Variation | null {
  const [text, another] = values.list("vary");
  if (text === undefined) return null;
  if (another !== undefined)
    throw new UsageError(
      `--vary was given twice, ${text} and ${another}.`,
      "Vary one setting, and set the other with --set in an ablation with its own --out.",
    );
  if ((values.text("formats") ?? "none") !== "none") throw formatFixed("--formats");
  return readVariation(text);
}

/** The rows. @throws UsageError when there are none. */
function cellsFor(values: Values, variation: Variation | null): Cell[] {
  const cells = variation
    ? cellsOfValues(namesOf(values, "methods", [METHOD_OF_FORMATS]), variation.values)
    : cellsOf(namesOf(values, "methods", PAPER_METHODS), namesOf(values, "formats", FORMATS) as FormatId[]);
  if (cells.length > 0) return cells;
  throw variation
    ? new UsageError("--methods is none, and --vary was given.", "Name a method, or leave --methods out.")
    : new UsageError("--methods and --formats are both none.", "Name a method or a format.");
}

/** What to do instead of setting what an ablation sets by itself; `--set` would override it in every run. */
const DECIDED: Readonly<Record<string, string>> = {
  "env.name": "Use --env.",
  seed: "Use --seeds.",
  "trainer.total_updates": "Use --updates.",
  "trainer.init_checkpoint": "Use --from.",
  "rollout.prompt_format": "Use --formats.",
  "trainer.val_temperature": "The report has success at temperature 1, and greedily: leave it out.",
};

/** The settings of every run. @throws UsageError for a setting in which the rows differ, or that is varied, too. */
function settingsOf(values: Values, cells: readonly Cell[], variation: Variation | null): Changes {
  const settings = overrides(values);
  const ids = [...new Set(cells.map(({ method }) => method))];
  const withFormat = variation && Object.hasOwn(settings, "rollout.prompt_format");
  if (withFormat) throw formatFixed("--set rollout.prompt_format");
  for (const path of Object.keys(settings)) assertFree("--set", path, ids);
  if (!variation) return settings;
  assertFree("--vary", variation.path, ids);
  if (!Object.hasOwn(settings, variation.path)) return settings;
  throw new UsageError(`--set and --vary both name ${variation.path}.`, "Leave out one of them.");
}

const formatFixed = (option: string): UsageError =>
  new UsageError(
    `--vary and ${option} were both given.`,
    `Values are compared under the format ${FORMAT_OF_METHODS}: leave ${option} out.`,
  );

/** @throws UsageError for a setting that an ablation sets by itself, or in which the methods differ. */
function assertFree(option: "--set" | "--vary", path: string, ids: readonly string[]): void {
  if (Object.hasOwn(DECIDED, path))
    throw new UsageError(`${option} ${path} was given; an ablation sets it by itself.`, DECIDED[path]!);
  const given = ids.map((id) => methods.get(id).changes[path]).filter((value) => value !== undefined);
  // It would make them the same method.
  if (new Set(given).size > 1)
    throw new UsageError(
      `${option} ${path} was given; the methods ${ids.join(", ")} differ in it.`,
      option === "--vary"
        ? `Give one method: --methods ${ids[0]}.`
        : `Give one method and its own --out: --methods ${ids[0]} --formats none, or --methods none.`,
    );
}

/** A list of names; `none` is the empty list. @throws UsageError for an unknown name. */
function namesOf(values: Values, option: "methods" | "formats", all: readonly string[]): readonly string[] {
  const text = values.text(option);
  if (text === undefined) return all;
  const names = text === "none" ? [] : text.split(",").map((name) => name.trim());
  const known = option === "methods" ? methods.ids : formats.ids;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--${option} names "${unknown}".`, `Use some of ${known.join(", ")}.`);
  return names;
}
