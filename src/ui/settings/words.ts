// Messages in the words of the form: settings and choices by their titles.
import { fieldAt, optionTitle, settingTitle } from "../../config/describe.ts";
import { type ConfigProblem, sentenceOf } from "../../config/rules/problem.ts";
import {
  joined,
  type Message,
  message,
  type Part,
  type Said,
  value as valuePart,
  type Wording,
  written,
} from "../../core/message.ts";
import { short } from "../../core/short.ts";
import { numberBeside } from "../lib/format.ts";
import { fieldText } from "./fields.ts";

/** A value as its field shows it: "on", "All tokens", "3e-4", "empty". */
export function valueText(path: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  const isChoice = typeof value === "string" && fieldAt(path)?.options;
  return isChoice ? optionTitle(path, value) : fieldText(value) || "empty";
}

/** The wording of the form. Numbers of one setting, such as an old and a new one, have one notation. */
const formOf = (text: Message): Wording => ({
  setting: (path) => (fieldAt(path) ? `“${settingTitle(path)}”` : path),
  value: (value, path) => {
    if (typeof value === "number") return numberBeside(value, numbersOf(path, text));
    const shown = short(valueText(path, value), 400);
    return typeof value === "string" && value !== "" ? `“${shown}”` : shown;
  },
});

/** The numbers that a message names of a setting. */
const numbersOf = (path: string, text: Message): number[] =>
  typeof text === "string" ? [] : text.flatMap((part) => numberIn(part, path));

function numberIn(part: Part, path: string): number[] {
  const isOf = typeof part !== "string" && "of" in part && part.of === path;
  return isOf && typeof part.value === "number" ? [part.value] : [];
}

/** A message as the form words it. */
export const formText = (text: Message): string => written(text, formOf(text));

/** What an error or a warning says, and what to do about it, as the form words them. */
export const inForm = ({ message: text, hint = "", parts }: Said): { message: string; hint: string } => ({
  message: formText(parts?.message ?? text),
  hint: formText(parts?.hint ?? hint),
});

/** Both in one text. */
export const wholeText = (said: Said): string => {
  const { message: text, hint } = inForm(said);
  return hint ? `${text} ${hint}` : text;
};

/** A problem with the setting that it is of: "“Minibatch” is 32; it must … Use at most 4." */
export const problemInForm = (problem: ConfigProblem): string =>
  formText(joined([sentenceOf(problem), problem.hint]));

/** "it must be at most 16. Use …"; where that only says twice what the setting accepts, once: "it must be a whole number from 1 to 20." */
const demandOf = ({ expected, hint, accepted }: ConfigProblem): Message =>
  accepted === undefined ? message`${expected}.${hint && " "}${hint}` : message`it must be ${accepted}.`;

/** What must change, beside the field, which shows setting and value: "It must … Use at most 4." */
export function besideField(problem: ConfigProblem): string {
  const text = formText(demandOf(problem));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same behind the title of the setting: " is 32; it must … Use at most 4." */
export const behindTitle = (problem: ConfigProblem): string =>
  formText(message` is ${valuePart(problem.path, problem.value)}; ${demandOf(problem)}`);
