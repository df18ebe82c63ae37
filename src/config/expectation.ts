// What a field accepts, in words: the same for a value of the wrong type, for one out of range and for a bad list.
import type { ConfigField, FieldType } from "./describe.ts";

type Range = { min?: number; max?: number };

/** E.g. "a whole number from 1 to 20", "a list of two whole numbers from 4 to 15, e.g. [6,6]". */
export function acceptedBy({ type, options, entries, ...range }: ConfigField): string {
  if (options) return `one of ${options.map((option) => JSON.stringify(option)).join(", ")}`;
  if (!entries) return `${KINDS[type] ?? type}${within(range)}`;
  const { count, example } = entries;
  const many = `${count === undefined ? "" : `${COUNTS[count] ?? count} `}${PLURALS[entries.type] ?? "values"}`;
  const like = example === undefined ? "" : `, e.g. ${JSON.stringify(example)}`;
  return `a list of ${many}${within(entries)}${like}`;
}

/** What to write instead of a value that was refused. */
export function remedyOf(field: ConfigField): string {
  const empty = field.nullable ? ", or null to leave it empty" : "";
  return `Use ${acceptedBy(field)}${empty}. The default of ${field.path} is ${JSON.stringify(field.default)}.`;
}

/** The same for a form, where a value is typed as it stands in its field. */
export function formRemedyOf(field: ConfigField, inField: (value: unknown) => string): string {
  const like = field.entries?.example === undefined ? "" : `, e.g. ${inField(field.entries.example)}`;
  const accepted = acceptedBy({
    ...field,
    ...(field.entries && { entries: { ...field.entries, example: undefined } }),
  });
  const empty = field.nullable ? ", or leave the field empty" : "";
  return `Use ${accepted}${like}${empty}. The default is ${inField(field.default) || "empty"}.`;
}

const KINDS: Partial<Record<FieldType, string>> = {
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  text: "a text",
  options: "options by name",
};
const PLURALS: Partial<Record<FieldType, string>> = {
  integer: "whole numbers",
  number: "numbers",
  text: "texts",
};
const COUNTS = ["no", "one", "two", "three", "four"];

function within({ min, max }: Range): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? "" : ` of at most ${max}`;
}
