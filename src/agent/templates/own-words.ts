// What the languages of users' own boards and planes have in common: the words that the environment may choose.
import type { SceneTruth } from "../../core/types.ts";
import { ownActions } from "../../envs/own/actions.ts";
import type { OwnEnvironment } from "../../envs/own/own.ts";
import { DECISION } from "./grid.ts";
import type { Template } from "./template.ts";

/** Before a statement: nothing, or what separates it from the one before. */
export const SEPARATORS = ["", " ; "] as const;

/** Between actions, where commas separate their arguments. The other form follows an action that is also the title, whose token ends with a blank. */
const BAR = " | ";
const BAR_AFTER_BLANK = "| ";

/** The words of an environment, and the parts of its template that they give. */
export function ownWords({ id, title, actions: declared, words, instructions = [] }: OwnEnvironment) {
  const actions = ownActions(declared);
  const { aim, at = "at", is = "is" } = words ?? {};
  const decision = words?.decision === undefined ? DECISION : ` ; ${words.decision} `;
  const parts = {
    id,
    own: true,
    name: aim ? `${title}: ${aim}` : title,
    actions: actions.examples,
    ...(actions.haveArguments && { separator: BAR }),
    decision,
    ended,
    players: {
      heuristic: "Acts at random, because the studio does not know where this environment's goal is.",
    },
    heuristic: (_truth, random) => actions.any(random),
    anyAction: (_truth, random) => actions.any(random),
  } satisfies Partial<Template>;
  const actionWords = [...actions.words, ...(actions.haveArguments ? [BAR, BAR_AFTER_BLANK] : [])];
  return { at, is, decision, parts, actionWords, instructionWords: instructionWords(instructions) };
}

/**
 * The words of instructions, one token each, so that a policy may understand a sentence that it has not been trained on. Every vocabulary
 * has the token " after ", which takes the blank before the next word.
 */
const instructionWords = (instructions: readonly string[]): string[] => [
  ...new Set(instructions.flatMap((text) => ` ${text}`.match(/ after | ?[^ ]+/g) ?? [])),
];

export const ended = ({ facts }: SceneTruth): boolean => facts?.done === true;
