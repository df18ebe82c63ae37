// From the schema's flat list of fields to what the panel shows, and from a field's text to its value.

import {
  type ConfigField,
  describeEnv,
  describeRunConfig,
  describeWeights,
  optionTitle,
  SECTIONS,
} from "../../config/describe.ts";
import { NO_PRESET } from "../../config/field.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { plainText } from "../../core/message.ts";
import { envs } from "../../envs/index.ts";
import { editNumber, parseNumber } from "../lib/format.ts";

export interface FieldSection {
  id: string;
  title: string;
  fields: readonly ConfigField[];
}

interface FieldFilter {
  all: boolean;
  /** Lower-case words that title, help or path must contain. */
  search: string;
  /** Only paths in this set; null shows all. */
  only: ReadonlySet<string> | null;
}

/** Not parameters, or set elsewhere. */
const HIDDEN = new Set([
  "version",
  "name",
  "description",
  "expected_time",
  "env.config",
  // Sections whose entries the user names. The form edits them in panels of their own.
  "envs",
  "trainer.val_sets",
]);

/** Every field of a configuration for this environment, including its own options with the preset's defaults. */
export function fieldsFor(envId: string, preset?: string): ConfigField[] {
  const spec = envs.all.find((known) => known.id === envId);
  const own = spec ? describeEnv(spec, preset) : [];
  return describeRunConfig().flatMap((field) => {
    if (field.path === "env.config") return own;
    if (field.path === "env.preset")
      return [{ ...field, options: [NO_PRESET, ...Object.keys(spec?.presets ?? {})] }];
    if (field.path === "reward.weights") return describeWeights();
    return HIDDEN.has(field.path) ? [] : [field];
  });
}

/** Fields that matter only when a model judges; they are basic then. */
const ENDPOINT = new Set(["judge.provider", "judge.base_url", "judge.model", "reward.judge_scoring"]);

/** The fields for a configuration, with those basic that its judge makes so. */
export function fieldsOf({ env, judge }: RunConfig): ConfigField[] {
  const fields = fieldsFor(env.name, env.preset);
  if (judge.name !== "llm") return fields;
  return fields.map((field) => (ENDPOINT.has(field.path) ? { ...field, basic: true } : field));
}

/** The sections that have something to show under a filter, in the schema's own order. */
export function sectionsFor(fields: readonly ConfigField[], filter: FieldFilter): FieldSection[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = fields.filter((field) => {
    if (filter.only && !filter.only.has(field.path)) return false;
    if (words.length > 0) {
      const text = searchText(field);
      return words.every((word) => text.includes(word));
    }
    return filter.all || filter.only !== null || field.basic;
  });
  // The seed is changed least often.
  const order = Object.entries(SECTIONS).sort(([a], [b]) => Number(a === "") - Number(b === ""));
  return order
    .map(([id, title]) => ({ id, title, fields: shown.filter((field) => field.section === id) }))
    .filter((section) => section.fields.length > 0);
}

const LETTERS: Readonly<Record<string, string>> = {
  γ: "gamma",
  λ: "lambda",
  β: "beta",
  ε: "epsilon",
  τ: "tau",
};

/** What a search looks in: everything that is said of a parameter, its choices and its letters by name. */
function searchText({ title, path, help, options = [] }: ConfigField): string {
  const choices = options.map((option) => `${option} ${optionTitle(path, option)}`);
  const text = [title, path, plainText(help), ...choices].join(" ").toLowerCase();
  return (
    text +
    Object.keys(LETTERS)
      .map((letter) => (text.includes(letter) ? ` ${LETTERS[letter]}` : ""))
      .join("")
  );
}

/** A value as the text of its field. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return editNumber(value);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** What the text of a field means; null when it means nothing. */
export function readField(field: ConfigField, text: string): { value: unknown } | null {
  // A file says null where a form has an empty field.
  if (field.nullable && /^(null)?$/.test(text.trim())) return { value: null };
  switch (field.type) {
    case "integer":
    case "number": {
      const value = parseNumber(text);
      return Number.isNaN(value) ? null : { value };
    }
    case "list": {
      // As the field shows it, `1, 5`, or as a file has it, `[1, 5]` and `["SF", "FG"]`.
      const inner = text.trim().replace(/^\[(.*)\]$/s, "$1");
      const items = inner.split(",").map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2"));
      const numbers = items.map(parseNumber);
      return { value: numbers.some(Number.isNaN) ? items : numbers };
    }
    default:
      return { value: text };
  }
}

/** Position 0…1 of a value on its slider, logarithmic where the field says so. */
export function sliderPosition({ slider, log }: ConfigField, value: number): number {
  if (!slider || !Number.isFinite(value)) return 0;
  const [low, high] = slider;
  const share = log
    ? (Math.log(Math.max(value, low)) - Math.log(low)) / (Math.log(high) - Math.log(low))
    : (value - low) / (high - low);
  return Math.min(1, Math.max(0, share));
}

/** The value at a position: whole for integers, two significant digits on a logarithmic slider. */
export function sliderValue({ slider, log, type }: ConfigField, position: number): number {
  if (!slider) return Number.NaN;
  const [low, high] = slider;
  if (log) return Number((low * (high / low) ** position).toPrecision(2));
  const value = low + (high - low) * position;
  if (type === "integer") return Math.round(value);
  // A hundredth of the range, on round decimals.
  const step = 10 ** Math.floor(Math.log10((high - low) / 50));
  return Number((Math.round(value / step) * step).toPrecision(6));
}

/** The value is allowed but outside what the slider recommends. A least value of 0 turns a thing off, which is nothing unusual. */
export function isUnusual({ slider, min }: ConfigField, value: unknown): boolean {
  if (value === 0 && min === 0) return false;
  return typeof value === "number" && slider !== undefined && (value < slider[0] || value > slider[1]);
}
