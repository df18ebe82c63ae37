// The templates by environment id. Small policies can speak of a new environment once it has a line here.
import { registry } from "../../core/registry.ts";
import { frozenlakeTemplate } from "./frozenlake.ts";
import { navigationTemplate } from "./navigation.ts";
import { primitiveSkillTemplate } from "./primitive-skill.ts";
import { sokobanTemplate } from "./sokoban.ts";
import type { Template } from "./template.ts";
import { visualMathTemplate } from "./visual-math.ts";

/** All templates. */
export const templates = registry<Template>(
  "template",
  frozenlakeTemplate,
  sokobanTemplate,
  visualMathTemplate,
  navigationTemplate,
  primitiveSkillTemplate,
);
