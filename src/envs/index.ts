// The environments. To add one: a folder with its spec, and one line here.
import { openRegistry } from "../core/registry.ts";
import { blackjack } from "./blackjack/index.ts";
import type { EnvSpec } from "./env.ts";
import { frozenlake } from "./frozenlake/index.ts";
import { navigation } from "./navigation/index.ts";
import { primitiveSkill } from "./primitive-skill/index.ts";
import { sokoban } from "./sokoban/index.ts";
import { spatialGym } from "./spatial-gym/index.ts";
import { svg } from "./svg/index.ts";
import { visualMath } from "./visual-math/index.ts";

/** All environments; extensions add to them. */
export const envs = openRegistry<EnvSpec>(
  { kind: "environment" },
  frozenlake,
  sokoban,
  visualMath,
  navigation,
  primitiveSkill,
  svg,
  blackjack,
  spatialGym,
);

/** Ids of environments that have been loaded, and why others could not be when that was last tried. */
const loaded = new Set<string>();
const failures = new Map<string, string>();

/** Loads what games of an environment need. @throws EnvError("not_loaded") */
export async function loadEnv(id: string): Promise<void> {
  try {
    await envs.get(id).load?.();
    loaded.add(id);
    failures.delete(id);
  } catch (error) {
    failures.set(id, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Loads what games of several environments need. @throws EnvError("not_loaded") */
export async function loadEnvs(ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map(loadEnv));
}

/** Why an environment could not be loaded; empty if it could, or has not been yet. */
export const loadFailure = (id: string): string => failures.get(id) ?? "";

/** Whether games of an environment can be created now. */
export const isLoaded = (id: string): boolean =>
  loaded.has(id) || !envs.all.find((spec) => spec.id === id)?.load;
