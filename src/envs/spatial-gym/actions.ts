// The actions as text. Reading forgives letter case and blanks.
import { listed } from "../../core/format.ts";
import { SIDES } from "./heading.ts";
import { partsOf, readEntry } from "./map.ts";
import { isObject } from "./objects.ts";

export type Action =
  | { readonly name: "JumpTo"; readonly object: string }
  | { readonly name: "Rotate"; readonly degrees: number }
  | { readonly name: "Observe" | "Term" }
  | { readonly name: "Answer"; readonly word: string }
  | { readonly name: "Map"; readonly parts: readonly string[] };

const NAMES = ["JumpTo", "Rotate", "Observe", "Term", "Answer", "Map"] as const;

/** An action, or why there is none. */
type Reading = { action: Action } | { why: string };

/** What a text says. @param answers the words that can answer the question of the level, for the reason why a text is no action */
export function read(text: string, answers: readonly string[] = []): Reading {
  const [, written = "", inside = ""] = /^\s*([a-z]+)\s*\(([\s\S]*)\)\s*$/i.exec(text) ?? [];
  const name = NAMES.find((known) => known.toLowerCase() === written.toLowerCase());
  // Several actions at once: whatever is wrong with them, the brackets of the first are not.
  if (name !== "Map" && /\).*\(/s.test(inside)) return { why: "" };
  const argument = tidy(inside);
  switch (name) {
    case "JumpTo":
      return isObject(argument) ? { action: { name, object: argument } } : { why: noObject(argument) };
    case "Rotate":
      return readTurn(argument);
    case "Observe":
    case "Term":
      return argument === ""
        ? { action: { name } }
        : { why: `${name}() takes nothing between its brackets.` };
    case "Answer":
      return isWord(argument) ? { action: { name, word: argument } } : { why: noWord(argument, answers) };
    case "Map":
      return readMap(inside);
    default:
      return { why: "" };
  }
}

/** Small letters without quotation marks, an article or unneeded blanks. */
const tidy = (argument: string): string =>
  argument
    .toLowerCase()
    .replace(/["'`]/g, "")
    .trim()
    .replace(/^(?:the|an?) /, "");

const isWord = (word: string): boolean => (SIDES as readonly string[]).includes(word) || isObject(word);

const noObject = (name: string): string =>
  `No object is called "${name}". Use the name of an object of the task, as in JumpTo(chair).`;
const noWord = (word: string, answers: readonly string[]): string =>
  answers.length > 0
    ? `"${word}" does not answer the question: write ${listed(
        answers.map((answer) => `Answer(${answer})`),
        "or",
      )}.`
    : `"${word}" answers no question: an answer is ${SIDES.join(", ")} or the name of an object.`;

function readTurn(argument: string): Reading {
  const written = argument.replace(/\s/g, "");
  // Plus 0: -0 is 0.
  const degrees = /^[+-]?\d+(\.\d*)?°?$/.test(written) ? Number.parseFloat(written) + 0 : Number.NaN;
  const isTurn = degrees % 45 === 0 && Math.abs(degrees) <= 315;
  if (isTurn) return { action: { name: "Rotate", degrees } };
  return { why: `Rotate(${argument}): turns are multiples of 45 from -315 to 315.` };
}

/** A map of which nothing can be read is none. */
function readMap(inside: string): Reading {
  const parts = partsOf(inside);
  if (parts.some((part) => readEntry(part))) return { action: { name: "Map", parts } };
  return { why: 'Nothing can be read in this map. It has entries as in "chair 2 ahead 1 left facing back".' };
}

/** The text of an action, which `read` reads back. */
export function actionText(action: Action): string {
  switch (action.name) {
    case "JumpTo":
      return `JumpTo(${action.object})`;
    case "Rotate":
      return `Rotate(${action.degrees})`;
    case "Answer":
      return `Answer(${action.word})`;
    case "Map":
      return `Map(${action.parts.join("; ")})`;
    default:
      return `${action.name}()`;
  }
}

/** A text in the spelling of an action; null if it is none. */
export function readAction(text: string): string | null {
  const reading = read(text);
  return "action" in reading ? actionText(reading.action) : null;
}

/** Why a text is no action, where more can be said than that it is unknown. */
export function whyUnknown(text: string, answers: readonly string[] = []): string {
  const reading = read(text, answers);
  return "why" in reading ? reading.why : "";
}
