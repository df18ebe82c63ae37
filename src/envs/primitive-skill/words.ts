// What agents say and read in PrimitiveSkill: claims, and the longest texts that they meet.
import type { Vec3 } from "../../core/raster/solid.ts";
import type { WorldWords } from "../env.ts";
import { longestWords, skillClaims } from "./claims.ts";
import type { PrimitiveSkillConfig } from "./config.ts";
import { cameraOf, project } from "./view.ts";

export const primitiveSkillWords: WorldWords<PrimitiveSkillConfig> = {
  id: "primitive-skill",
  claimRules: ({ env_id, camera }) =>
    skillClaims((size, position) => project(cameraOf(env_id, camera), size, position as Vec3)),
  questions: ({ env_id }) => [longestWords(env_id).question],
  longestText: ({ env_id }) => longestWords(env_id).text,
};
