// What agents say and read in Navigation: claims, and the longest texts that they meet.
import type { WorldWords } from "../env.ts";
import { MOST_CLEAR, MOST_STEPS, navigationClaims } from "./claims.ts";
import type { NavigationConfig } from "./config.ts";
import { longestInstruction } from "./instructions.ts";
import { tangentOf } from "./pose.ts";
import { stylesOf } from "./task-sets.ts";

const LONGEST_LINE = `sofa ${MOST_STEPS} ahead ${MOST_STEPS} right`;

export const navigationWords: WorldWords<NavigationConfig> = {
  id: "navigation",
  claimRules: ({ step_length, fov }) => navigationClaims(step_length, tangentOf(fov)),
  questions: ({ eval_set }) => stylesOf(eval_set).map(longestInstruction),
  longestText: ({ max_objects_in_state }) =>
    [...Array.from({ length: max_objects_in_state }, () => LONGEST_LINE), `clear ${MOST_CLEAR}`].join("\n"),
};
