// What the languages of users' own boards and planes have in common: the words that the environment may choose.
import type { SceneTruth } from "../../core/types.ts";
import type { OwnEnvironment } from "../../envs/own/own.ts";
import { DECISION } from "./grid.ts";
import type { Template } from "./template.ts";

/** Before a statement: nothing, or what separates it from the one before. */
export const SEPARATORS = ["", " ; "] as const;

/** The words of an environment, and the parts of its template that they give. */
export function ownWords({ id, title, actions, words }: OwnEnvironment) {
  const { aim, at = "at", is = "is" } = words ?? {};
  const decision = words?.decision === undefined ? DECISION : ` ; ${words.decision} `;
  const parts = {
    id,
    own: true,
    name: aim ? `${title}: ${aim}` : title,
    actions,
    decision,
    ended,
    players: {
      heuristic: "Acts at random, because the studio does not know where this environment's goal is.",
    },
    heuristic: (_truth, random) => random.pick(actions),
  } satisfies Partial<Template>;
  return { at, is, decision, parts };
}

export const ended = ({ facts }: SceneTruth): boolean => facts?.done === true;
