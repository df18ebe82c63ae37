// Texts for people. A message keeps the settings and the values that it names as parts: the command line writes them as files
// do, the page with the titles of its form, and neither has to parse prose.
import { short } from "./short.ts";

/** A piece of text, a setting by its dotted path, or a value of the setting `of`. */
export type Part = string | { readonly setting: string } | { readonly of: string; readonly value: unknown };

/** A text, or its parts where it names settings. Plain data. */
export type Message = string | readonly Part[];

/** What an error, a problem or a warning says, as text and, where it names settings, in parts. */
export interface Said {
  message: string;
  /** What to do about it. */
  hint?: string;
  parts?: { readonly message: Message; readonly hint?: Message };
}

/** How the parts of a message are written. */
export interface Wording {
  setting(path: string): string;
  value(value: unknown, path: string): string;
}

/** A setting, named in a message. */
export const setting = (path: string): Part => ({ setting: path });

/** A value of a setting, named in a message. What is neither a list nor a single value becomes text. */
export const value = (of: string, chosen: unknown): Part =>
  isNested(Array.isArray(chosen) ? chosen : [chosen])
    ? short(JSON.stringify(chosen), 400)
    : { of, value: chosen };
const isNested = (values: readonly unknown[]): boolean =>
  values.some((each) => typeof each === "object" && each !== null);

/** A message from a template: message`${setting("actor.lr")} is ${value("actor.lr", 5)}.` */
export const message = (
  texts: TemplateStringsArray,
  ...inserted: readonly (Message | Part | number)[]
): Message => compact(texts.flatMap((text, i) => [text, ...partsOf(inserted[i] ?? "")]));

/** Messages one after another. */
export const joined = (messages: readonly (Message | Part)[], between = " "): Message =>
  compact(messages.flatMap((each, i) => (i > 0 ? [between, ...partsOf(each)] : partsOf(each))));

/** "a, b or c". */
export const listed = (items: readonly (Message | Part)[], last = "and"): Message =>
  items.length < 2 ? joined(items) : message`${joined(items.slice(0, -1), ", ")} ${last} ${items.at(-1)!}`;

/** The text of a message in some wording. */
export const written = (text: Message, wording: Wording): string =>
  partsOf(text)
    .map((part) => {
      if (typeof part === "string") return part;
      return "setting" in part ? wording.setting(part.setting) : wording.value(part.value, part.of);
    })
    .join("");

/** The text of a message as the command line and files have it: settings by path, values as JSON. */
export const plainText = (text: Message): string => written(text, FILES);

/** A message and its hint, as text and, where they name settings, in parts. */
export function said(text: Message, hint?: Message): Said {
  const hasParts = [text, hint].some((each) => Array.isArray(each));
  return {
    message: plainText(text),
    ...(hint !== undefined && { hint: plainText(hint) }),
    ...(hasParts && { parts: { message: text, ...(hint !== undefined && { hint }) } }),
  };
}

const FILES: Wording = {
  setting: (path) => path,
  // JSON has no word for some numbers that YAML can say.
  value: (given) =>
    given === "" ? "empty" : typeof given === "number" ? String(given) : short(JSON.stringify(given), 400),
};

function partsOf(inserted: Message | Part | number): readonly Part[] {
  if (Array.isArray(inserted)) return inserted;
  return [typeof inserted === "number" ? String(inserted) : (inserted as Part)];
}

/** Parts without any setting are a text. */
const compact = (parts: readonly Part[]): Message =>
  parts.every((part) => typeof part === "string") ? parts.join("") : parts.filter((part) => part !== "");
