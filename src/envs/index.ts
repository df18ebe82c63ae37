// The environments. To add one: a folder with its spec, and one line here.
import { registry } from "../core/registry.ts";
import type { EnvSpec } from "./env.ts";
import { frozenlake } from "./frozenlake/index.ts";
import { sokoban } from "./sokoban/index.ts";
import { visualMath } from "./visual-math/index.ts";

export const envs = registry<EnvSpec>("environment", frozenlake, sokoban, visualMath);
