// The actions of an environment: names, and what their arguments can be.
import { counted, listed } from "../core/format.ts";
import { z } from "../core/schema.ts";
import { type Argument, actionName, type OwnAction, ownActions } from "../envs/own/actions.ts";
import type { OwnEnvironment } from "../envs/own/own.ts";
import { firstPair, invalid, isWord, reported, shown } from "./shape.ts";

const MOST_ACTIONS = 20;
const MOST_ARGUMENTS = 4;
/** Most values of all arguments together: each is a token. */
const MOST_VALUES = 1000;
const FARTHEST = 9999;
/** Most actions, all values counted, that a search for a plan tries in each state. */
const MOST_SEARCHED = 1000;

const ARGUMENT_NAME = /^(?!constructor$)(?=.{1,24}$)[A-Za-z][A-Za-z0-9_]*$/;
const VALUE = /^(?=.{1,24}$)[A-Za-z][A-Za-z0-9_-]*$/;

/** Actions by name, or with arguments. */
export const ACTIONS = z
  .unknown()
  .superRefine(reported(problemOfActions))
  .transform((list) => (list as readonly OwnAction[]).map(copied));

/** An extension may change its list after it was checked. */
const copied = (action: OwnAction): OwnAction =>
  typeof action === "string"
    ? action
    : {
        name: action.name,
        arguments: Object.fromEntries(
          Object.entries(action.arguments).map(([name, argument]) => [name, copiedArgument(argument)]),
        ),
      };

const copiedArgument = (argument: Argument): Argument =>
  "from" in argument ? { from: argument.from, to: argument.to, step: argument.step ?? 1 } : [...argument];

const FORM = '{ name: "putt", arguments: { way: ["left", "right"], strength: { from: 1, to: 9 } } }';

function problemOfActions(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MOST_ACTIONS)
    return `are ${shown(value)}; they must be a list of at most ${MOST_ACTIONS} actions`;
  for (const [i, action] of value.entries()) {
    const problem = problemOfAction(action);
    if (problem) return `have ${named(action)} at index ${i}; ${problem}`;
  }
  const actions = value as readonly OwnAction[];
  const twins = firstPair(actions.map(actionName), (name) => name.toLowerCase());
  if (twins) return `have ${listed(twins)}; names must differ in more than their case`;
  const values = actions.flatMap(argumentsOf).reduce((sum, argument) => sum + countOf(argument), 0);
  if (values > MOST_VALUES)
    return `have arguments with ${values} values in all; there may be at most ${MOST_VALUES}, so make "step" larger`;
  return ownActions(actions).count < 2
    ? `are ${shown(value)}; there must be at least two actions to choose from`
    : null;
}

const given = (value: unknown): string => (value === undefined ? "nothing" : shown(value));

/** An action by its name, where it has one that can be read. */
const named = (action: unknown): string =>
  given(isPlain(action) && isWord(action.name) ? action.name : action);

const argumentsOf = (action: OwnAction): Argument[] =>
  typeof action === "string" ? [] : Object.values(action.arguments);

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function problemOfAction(action: unknown): string | null {
  if (typeof action === "string") return problemOfName(action);
  if (!isPlain(action)) return `an action is a name, or ${FORM}`;
  const other = Object.keys(action).find((key) => key !== "name" && key !== "arguments");
  if (other !== undefined) return `nothing reads its part "${other}"; write ${FORM}`;
  const problem = problemOfName(action.name);
  if (problem) return problem;
  return problemOfArguments(action.arguments);
}

const problemOfName = (name: unknown): string | null =>
  isWord(name)
    ? null
    : `its name must be at most 24 letters, digits, hyphens and underscores that begin with a letter, with blanks only between them`;

function problemOfArguments(list: unknown): string | null {
  if (!isPlain(list)) return `its arguments must be an object, as in ${FORM}`;
  const names = Object.keys(list);
  if (names.length === 0 || names.length > MOST_ARGUMENTS)
    return `it must have 1 to ${MOST_ARGUMENTS} arguments, and an action without arguments is only a name`;
  for (const name of names) {
    if (!ARGUMENT_NAME.test(name))
      return `an argument cannot be called ${shown(name)}; write at most 24 letters, digits and underscores that begin with a letter, and not “constructor”`;
    const problem = problemOfArgument(list[name]);
    if (problem) return `its argument "${name}" ${problem}`;
  }
  return null;
}

function problemOfArgument(argument: unknown): string | null {
  if (Array.isArray(argument)) return problemOfWords(argument);
  if (!isPlain(argument)) return "must be a list of words, or numbers such as { from: 4, to: 24, step: 4 }";
  const other = Object.keys(argument).find((key) => !["from", "to", "step"].includes(key));
  if (other !== undefined)
    return `has a part "${other}", which nothing reads; known are "from", "to" and "step"`;
  const { from, to, step = 1 } = argument;
  const wrong = Object.entries({ from, to, step }).find(([, number]) => !isNumber(number));
  if (wrong)
    return `has ${given(wrong[1])} as "${wrong[0]}"; it must be a whole number from -${FARTHEST} to ${FARTHEST}`;
  const [low, high, by] = [Number(from), Number(to), Number(step)];
  if (by < 1) return `has ${by} as "step"; it must be at least 1`;
  if (low >= high) return `goes from ${low} to ${high}, but "from" must be less than "to"`;
  if (by > high - low)
    return `has ${by} as "step"; it must be at most ${high - low}, the way from "from" to "to"`;
  const rest = (high - low) % by;
  return rest === 0
    ? null
    : `goes from ${low} in steps of ${by}, which do not reach ${high}; its last value would be ${high - rest}, so set "to" to ${high - rest}, or change "step"`;
}

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) <= FARTHEST;

function problemOfWords(words: readonly unknown[]): string | null {
  if (words.length === 0) return "has no words";
  const wrong = words.findIndex((word) => typeof word !== "string" || !VALUE.test(word));
  if (wrong >= 0)
    return `has ${given(words[wrong])} at index ${wrong}; a word must be at most 24 letters, digits, hyphens and underscores that begin with a letter${typeof words[wrong] === "number" ? ". Write numbers as { from: 1, to: 3 }" : ""}`;
  const twins = firstPair(words as readonly string[], (word) => word.toLowerCase());
  return twins && `has ${listed(twins)}; words must differ in more than their case`;
}

/** How many values an argument has, without a list of them: it may be long. */
const countOf = (argument: Argument): number =>
  "from" in argument ? (argument.to - argument.from) / (argument.step ?? 1) + 1 : argument.length;

/** @throws ExtensionError("invalid") for an environment whose actions are too many to search for a plan */
export function assertSearchable(name: string, { id, actions, plan }: OwnEnvironment): void {
  const { count } = ownActions(actions);
  if (plan !== undefined || count <= MOST_SEARCHED) return;
  throw invalid(
    name,
    `the environment "${id}" has ${counted(count, "action")}, all values of arguments counted; without a plan it may have at most ${MOST_SEARCHED}, because a search tries all of them in each state.`,
    'Give it a plan(state), or make the "step" of an argument larger.',
  );
}
