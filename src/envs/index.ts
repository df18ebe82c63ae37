// The environments. To add one: a folder with its spec, and one line here.
import { registry } from "../core/registry.ts";
import type { EnvSpec } from "./env.ts";
import { frozenlake } from "./frozenlake/index.ts";
import { navigation } from "./navigation/index.ts";
import { sokoban } from "./sokoban/index.ts";
import { visualMath } from "./visual-math/index.ts";

export const envs = registry<EnvSpec>("environment", frozenlake, sokoban, visualMath, navigation);

/** Loads what games of an environment need. @throws EnvError("not_loaded") */
export const loadEnv = async (id: string): Promise<void> => envs.get(id).load?.();
