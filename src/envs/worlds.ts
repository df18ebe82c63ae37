// What the agent and the judge need of environments whose states are not boards, apart from their specifications, so that a page
// that only lists environments does not load their words.
import type { ClaimRules } from "../core/scene.ts";
import { navigationWords } from "./navigation/words.ts";
import { primitiveSkillWords } from "./primitive-skill/words.ts";

/** The words of a world. `C` is the type of its configuration. */
export interface WorldWords<C = unknown> {
  /** Of the environment. */
  readonly id: string;
  /** How claims about a state are said, read and compared. */
  claimRules(config: C): ClaimRules;
  /** Questions or instructions that a configuration has, one with the most words among them. */
  questions(config: C): readonly string[];
  /** A state as text that has as many words as any. */
  longestText(config: C): string;
}

const worlds: readonly WorldWords[] = [navigationWords as WorldWords, primitiveSkillWords as WorldWords];

/** The words of an environment; undefined for one that is played on boards. */
export const wordsOf = (id: string): WorldWords | undefined => worlds.find((words) => words.id === id);
