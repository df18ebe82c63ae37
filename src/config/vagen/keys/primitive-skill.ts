// Options of PrimitiveSkill in a dataset's entry.
import { entry, type KeyMapping } from "../key-mapping.ts";

export const primitiveSkillKeys: readonly KeyMapping[] = [
  entry("config.env_id", "env.config.env_id", { default: "AlignTwoCube" }),
  ...entry.ignored("The studio's agents are never shown which stages they have reached.", [
    "config.mask_success",
  ]),
].map((mapping) => ({ ...mapping, env: "primitive-skill" }));
