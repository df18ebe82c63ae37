// The languages of users' own environments.
import { openRegistry } from "../../core/registry.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { isPlane, type OwnEnvironment } from "../../envs/own/own.ts";
import { boardTemplate } from "./own-board.ts";
import { planeTemplate } from "./own-plane.ts";
import type { Template } from "./template.ts";

/** The templates of users' own environments. */
export const ownTemplates = openRegistry<Template>({ kind: "template" });

/** The template of an environment whose specification was made of `own`. */
export const ownTemplate = (own: OwnEnvironment, { surroundings }: Pick<EnvSpec, "surroundings">): Template =>
  (isPlane(own) ? planeTemplate(own) : boardTemplate(own, surroundings!)) as unknown as Template;
