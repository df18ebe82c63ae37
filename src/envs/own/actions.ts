// The actions of a user's own environment. An action may have arguments: `putt(east, 12)`.
import { listed } from "../../core/format.ts";
import type { Rng } from "../../core/rng.ts";
import { short } from "../../core/short.ts";

/** The values that an argument can have: words, or whole numbers at equal distances. */
export type Argument =
  | readonly string[]
  | { readonly from: number; readonly to: number; readonly step?: number };

/** An action as it is declared: its name, or its name and its arguments in the order in which they are written. */
export type OwnAction =
  | string
  | { readonly name: string; readonly arguments: Readonly<Record<string, Argument>> };

/** What `step` is given of an action besides its name: numbers and words by the name of their argument. */
// biome-ignore lint/suspicious/noExplicitAny: the declaration of an argument says whether it is a number or a word, and no type can.
export type ArgumentValues = Readonly<Record<string, any>>;

/** An action that was read. */
interface Reading {
  readonly name: string;
  readonly values: ArgumentValues;
}

/** The actions of an environment as text: `wait`, and `putt(east, 12)` with a blank after each comma. */
export interface OwnActions {
  /** Whether any of them has arguments. */
  readonly haveArguments: boolean;
  /** One action of each name, with values from the middle. */
  readonly examples: readonly string[];
  /** How many different actions there are, all values counted. */
  readonly count: number;
  /** Phrases of which every action consists, one token each. */
  readonly words: readonly string[];
  /** What the arguments are, for people: "putt(direction, strength): …"; empty without arguments. */
  readonly help: string;
  /** Every action there is. */
  all(): readonly string[];
  /** A name, and then each of its values, with equal chances. */
  any(random: Pick<Rng, "pick">): string;
  /** An action that is written in any letter case and with any blanks, or null. */
  read(text: string): string | null;
  /** The name and the values of an action. @throws TypeError for a text that is no action */
  parse(action: string): Reading;
  /** Why a text is no action; empty where there is no more to say than that it is unknown. */
  whyUnknown(text: string): string;
}

interface Form {
  readonly name: string;
  /** Without arguments: empty. */
  readonly arguments: readonly (readonly [
    name: string,
    values: readonly (string | number)[],
    given: Argument,
  ])[];
}

/** The values of an argument in order. */
function valuesOf(argument: Argument): readonly (string | number)[] {
  if (isWords(argument)) return argument;
  const { from, to, step = 1 } = argument;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

const isWords = (argument: Argument): argument is readonly string[] => Array.isArray(argument);

export const actionName = (action: OwnAction): string => (typeof action === "string" ? action : action.name);

const formOf = (action: OwnAction): Form => ({
  name: actionName(action),
  arguments:
    typeof action === "string"
      ? []
      : Object.entries(action.arguments).map(([name, given]) => [name, valuesOf(given), given] as const),
});

const written = (name: string, values: readonly (string | number)[]): string =>
  values.length === 0 ? name : `${name}(${values.join(", ")})`;

/** "putt(direction, strength)". */
const signature = ({ name, arguments: list }: Form): string =>
  written(
    name,
    list.map(([argument]) => argument),
  );

const exampleOf = ({ name, arguments: list }: Form): string =>
  written(
    name,
    list.map(([, values]) => values[Math.floor(values.length / 2)]!),
  );

/** Most words that a message lists: there may be hundreds. */
const MOST_LISTED = 12;

/** "east, south or west", "a whole number from 4 to 24 in steps of 4". */
function kindOf(argument: Argument): string {
  if (isWords(argument))
    return argument.length <= MOST_LISTED
      ? listed(argument, "or")
      : `one of ${argument.length} words: ${argument.slice(0, MOST_LISTED).join(", ")}, …`;
  const { from, to, step = 1 } = argument;
  return `a whole number from ${from} to ${to}${step === 1 ? "" : ` in steps of ${step}`}`;
}

/** The actions of an environment, ready to be written and read. */
export function ownActions(actions: readonly OwnAction[]): OwnActions {
  const forms = actions.map(formOf);
  const read = (text: string) => reading(forms, text);
  const examples = forms.map(exampleOf);
  const withArguments = forms.filter(({ arguments: list }) => list.length > 0);
  return {
    haveArguments: withArguments.length > 0,
    examples,
    count: forms.reduce(
      (sum, form) => sum + form.arguments.reduce((n, [, values]) => n * values.length, 1),
      0,
    ),
    words: [...new Set(forms.flatMap(wordsOf))],
    help: withArguments.map(helpOf).join(" "),
    all: () => forms.flatMap(allOf),
    any(random) {
      const { name, arguments: list } = random.pick(forms);
      return written(
        name,
        list.map(([, values]) => random.pick(values)),
      );
    },
    read(text) {
      const found = read(text);
      return "form" in found ? written(found.form.name, found.values) : null;
    },
    parse(action) {
      const found = read(action);
      if (!("form" in found)) throw new TypeError(`"${action}" is no action`);
      const { form, values } = found;
      return {
        name: form.name,
        values: Object.fromEntries(form.arguments.map(([name], i) => [name, values[i]])),
      };
    },
    whyUnknown(text) {
      const found = read(text);
      return "why" in found ? found.why : "";
    },
  };
}

/** An action of each combination of values. */
const allOf = ({ name, arguments: list }: Form): string[] =>
  list
    .reduce<(string | number)[][]>(
      (before, [, values]) => before.flatMap((some) => values.map((value) => [...some, value])),
      [[]],
    )
    .map((values) => written(name, values));

/**
 * The token of a value includes what follows it, so that an argument is one token, and a number has one token for each place at which it
 * can stand.
 */
function wordsOf({ name, arguments: list }: Form): string[] {
  if (list.length === 0) return [name];
  return [
    `${name}(`,
    ...list.flatMap(([, values], i) =>
      values.map((value) => `${value}${i === list.length - 1 ? ")" : ", "}`),
    ),
  ];
}

/** "putt(direction, strength): direction is north, east, south or west; strength is a whole number from 4 to 24 in steps of 4." */
const helpOf = (form: Form): string =>
  `${signature(form)}: ${form.arguments.map(([name, , given]) => `${name} is ${kindOf(given)}`).join("; ")}.`;

type Found = { form: Form; values: readonly (string | number)[] } | { why: string };

function reading(forms: readonly Form[], text: string): Found {
  const [, before, list] = /^([^()]+)(?:\(([^()]*)\))?$/.exec(text.trim()) ?? [];
  if (before === undefined) return { why: whyUnread(text, forms) };
  const said = before.trim();
  const form = forms.find(({ name }) => name.toLowerCase() === said.toLowerCase());
  if (!form) return { why: unknownName(said, forms) };
  const parts = list === undefined || list.trim() === "" ? [] : list.split(",").map((part) => part.trim());
  if (parts.length !== form.arguments.length) return { why: miscounted(parts.length, form) };
  const values: (string | number)[] = [];
  for (const [i, [name, known, given]] of form.arguments.entries()) {
    const value = known.find((one) => isWritten(one, parts[i]!));
    if (value === undefined)
      return {
        why: `The argument ${name} of ${form.name} is ${parts[i] === "" ? "missing" : `"${short(parts[i]!)}"`}; it must be ${kindOf(given)}.`,
      };
    values.push(value);
  }
  return { form, values };
}

const isWritten = (value: string | number, text: string): boolean =>
  typeof value === "number"
    ? /^[+-]?\d+$/.test(text) && Number(text) === value
    : value.toLowerCase() === text.toLowerCase();

/** Policies write a comma between actions, as they do where actions have no arguments. */
function whyUnread(text: string, forms: readonly Form[]): string {
  if (text.trim() === "" || !hasArguments(forms)) return "";
  const two = [forms[0]!, forms.at(-1)!].map(exampleOf).join(" | ");
  return `Close each bracket, and write a bar between actions: ${two}.`;
}

const hasArguments = (forms: readonly Form[]): boolean =>
  forms.some(({ arguments: list }) => list.length > 0);

/** Said only where actions have arguments: elsewhere all names are listed anyway. */
const unknownName = (said: string, forms: readonly Form[]): string =>
  hasArguments(forms)
    ? `There is no action called "${short(said)}". Use ${listed(forms.map(signature), "or")}.`
    : "";

function miscounted(given: number, form: Form): string {
  const { name, arguments: list } = form;
  if (list.length === 0) return `${name} takes no arguments.`;
  const takes = list.length === 1 ? "1 argument" : `${list.length} arguments`;
  return `${name} takes ${takes}, as in ${exampleOf(form)}, but ${given || "none"} ${given === 1 ? "is" : "are"} given.`;
}
