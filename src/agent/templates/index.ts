// The templates by environment id. Small policies can speak of a new environment once it has a line here.
import { type Registry, registry } from "../../core/registry.ts";
import { blackjackTemplate } from "./blackjack.ts";
import { frozenlakeTemplate } from "./frozenlake.ts";
import { navigationTemplate } from "./navigation.ts";
import { ownTemplates } from "./own.ts";
import { primitiveSkillTemplate } from "./primitive-skill.ts";
import { sokobanTemplate } from "./sokoban.ts";
import { spatialGymTemplate } from "./spatial-gym.ts";
import { svgTemplate } from "./svg.ts";
import type { Template } from "./template.ts";
import { visualMathTemplate } from "./visual-math.ts";

/** The templates of the studio, which the common vocabulary is made of. */
export const studioTemplates = registry<Template>(
  "template",
  frozenlakeTemplate,
  sokobanTemplate,
  visualMathTemplate,
  navigationTemplate,
  primitiveSkillTemplate,
  blackjackTemplate,
  svgTemplate,
  spatialGymTemplate,
);

/** All templates, those of users' own environments after the studio's. */
export const templates: Registry<Template> = {
  get all() {
    return [...studioTemplates.all, ...ownTemplates.all];
  },
  get ids() {
    return [...studioTemplates.ids, ...ownTemplates.ids];
  },
  get: (id) => (ownTemplates.ids.includes(id) ? ownTemplates : studioTemplates).get(id),
};
