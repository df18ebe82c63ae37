// What a person writes, as an action of an environment.
import { short } from "../../core/short.ts";
import type { SceneTruth } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { counted } from "../lib/format.ts";

type Actions = Pick<EnvSpec, "actions" | "readAction" | "whyUnknown">;
type Written = Actions & Pick<EnvSpec, "examplesIn" | "separator" | "actionWords">;

/** What a person calls an action of the environment. */
export const nounOf = ({ actionWords }: Pick<EnvSpec, "actionWords">): string =>
  actionWords?.noun ?? "action";

/** As many buttons as an environment of one's own may have actions. With more actions than this one is written. */
const MOST_BUTTONS = 20;

/** Whether actions have arguments, so that the listed ones are examples. */
export const hasArguments = ({ actions, readAction }: Actions): boolean =>
  readAction !== undefined && actions.some((name) => /[^\w-]/.test(name));

/** Whether an action is written, because a button for each would not do. */
export const isWritten = (spec: Actions): boolean => hasArguments(spec) || spec.actions.length > MOST_BUTTONS;

/**
 * The actions that a text means, as a policy may write several in a turn, or why it means none.
 * @param most actions of a turn
 */
export function readOwnActions(
  spec: Written,
  text: string,
  most: number,
  truth?: SceneTruth,
): { actions: readonly string[] } | { problem: string } {
  const whole = readOwnAction(spec, text, truth);
  if ("action" in whole) return { actions: [whole.action] };
  const parts = partsOf(spec, text);
  if (parts.length === 0) return whole;
  if (parts.length > most) return { problem: tooMany(parts, most) };
  const read = parts.map((part) => readOwnAction(spec, part, truth));
  const wrong = read.find((one) => "problem" in one);
  return wrong ?? { actions: read.flatMap((one) => ("action" in one ? [one.action] : [])) };
}

/** Between the separators of the environment. A person may write a comma in place of a bar, or a bar in place of a comma. */
function partsOf(spec: Written, text: string): string[] {
  const { separator = "," } = spec;
  if (separator === null) return [text];
  const others = splitAt(separator === "|" ? "," : "|", text);
  const areAll = others.every((part) => "action" in readOwnAction(spec, part));
  return others.length > 1 && areAll ? others : splitAt(separator, text);
}

/** Not within the brackets of an action's arguments. */
const splitAt = (separator: string, text: string): string[] =>
  text
    .split(separator === "," ? /,(?![^()]*\))/ : /\|(?![^()]*\))/)
    .map((part) => part.trim())
    .filter(Boolean);

const tooMany = (parts: readonly string[], most: number): string =>
  most === 1
    ? `You wrote ${counted(parts.length, "action")}, and one is read at a time. Begin with “${short(parts[0]!, 60)}”.`
    : `You wrote ${counted(parts.length, "action")}, and at most ${most} are read at a time. Begin with the first ${most}.`;

/** How several actions are written; empty where one is read at a time. */
export const severalHint = ({ separator = "," }: Pick<EnvSpec, "separator">, most: number): string =>
  separator === null || most < 2
    ? ""
    : `At most ${most} actions are read at a time, with “${separator}” between them.`;

/** The action that a text means, or why it means none and what to write instead, as in the examples of a level's state, `truth`. */
export function readOwnAction(
  spec: Written,
  text: string,
  truth?: SceneTruth,
): { action: string } | { problem: string } {
  const wanted = text.trim();
  const action = spec.readAction?.(text) ?? spec.actions.find(isNamed(wanted));
  if (action !== undefined) return { action };
  const examples = (truth && spec.examplesIn?.(truth)) ?? spec.actions;
  const noun = nounOf(spec);
  if (wanted === "") return { problem: `Your ${noun} is empty. ${remedy(spec, examples)}` };
  const why = spec.whyUnknown?.(text, truth) ?? "";
  // Reasons for short actions say what to write; those for long ones only what is refused.
  const advice = why && isShort(spec.actions) ? [why] : [why, remedy(spec, examples)];
  return {
    problem: [`Your ${noun} “${short(wanted, 60)}” cannot be read.`, ...advice].filter(Boolean).join(" "),
  };
}

const isNamed = (text: string) => (name: string) => name.toLowerCase() === text.toLowerCase();

/** What can be written, as a sentence. */
export function remedy(spec: Actions, examples = spec.actions): string {
  const { actions } = spec;
  if (hasArguments(spec))
    return isShort(examples)
      ? `Write one action as in ${listed(onePerForm(examples))}.`
      : `Write all of it, as in ${examples[0]}`;
  return isCounting(actions)
    ? `Write a whole number from ${actions[0]} to ${actions.at(-1)}.`
    : `Write one of these: ${actions.join(", ")}.`;
}

/** Examples that are longer are not repeated in a sentence. */
const LONGEST_EXAMPLE = 40;
const isShort = (examples: readonly string[]): boolean =>
  examples.every(({ length }) => length <= LONGEST_EXAMPLE);

/** The first example of each name. */
const onePerForm = (examples: readonly string[]): string[] => {
  const nameOf = (example: string) => example.replace(/\(.*/s, "");
  return examples.filter((example, i) => examples.findIndex((one) => nameOf(one) === nameOf(example)) === i);
};

const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;

/** Whether the actions are whole numbers, one after another. */
const isCounting = (actions: readonly string[]): boolean =>
  actions.every((name, i) => /^\d+$/.test(name) && Number(name) === Number(actions[0]) + i);
