// What a field accepts: the same words for a value of the wrong type, for one out of range and for a bad list.
import { joined, type Message, message, value } from "../core/message.ts";
import type { ConfigField, FieldType } from "./describe.ts";

type Range = { min?: number; max?: number };

/** E.g. "a whole number from 1 to 20", "a list of two whole numbers from 4 to 15, e.g. [6,6]". */
export function acceptedBy({ path, type, options, entries, ...range }: ConfigField): Message {
  if (options)
    return message`one of ${joined(
      options.map((option) => value(path, option)),
      ", ",
    )}`;
  if (!entries) return `${KINDS[type] ?? type}${within(range)}`;
  const { count, counts, example } = entries;
  const number = count === undefined ? counts?.join(" to ") : (COUNTS[count] ?? count);
  const many = `${number ? `${number} ` : ""}${PLURALS[entries.type] ?? "values"}`;
  const like = example === undefined ? "" : message`, e.g. ${value(path, example)}`;
  return message`a list of ${many}${within(entries)}${like}`;
}

/** The same with what it is to be empty, for a field that may be. */
export const acceptedOrEmpty = (field: ConfigField): Message =>
  field.nullable ? message`${acceptedBy(field)}, or ${value(field.path, null)}` : acceptedBy(field);

/** What to write instead of a value that was refused. */
export function remedyOf(field: ConfigField): Message {
  const empty = field.nullable ? message`, or leave it ${value(field.path, null)}` : "";
  return message`Use ${acceptedBy(field)}${empty}. The default is ${value(field.path, field.default)}.`;
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
