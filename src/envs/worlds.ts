// What the agent and the judge need of environments whose states are not boards, apart from their specifications, so that a page
// that only lists environments does not load their words.
import type { WorldWords } from "./env.ts";
import { navigationWords } from "./navigation/words.ts";
import { ownWorlds } from "./own/plane-words.ts";
import { primitiveSkillWords } from "./primitive-skill/words.ts";
import { spatialGymWords } from "./spatial-gym/words.ts";
import { svgWords } from "./svg/words.ts";

const worlds: readonly WorldWords[] = [
  navigationWords as WorldWords,
  primitiveSkillWords as WorldWords,
  svgWords,
  spatialGymWords as WorldWords,
];

/** The words of an environment, the studio's or a user's own; undefined for one that is played on boards. */
export const wordsOf = (id: string): WorldWords | undefined =>
  [...worlds, ...ownWorlds.all].find((words) => words.id === id);
