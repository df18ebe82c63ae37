// The table of VAGEN's keys and our settings. To add a key: one line in a file of keys/.
import { keepLast } from "../../core/keep-last.ts";
import { nearest } from "../suggest.ts";
import { GENERATIONS, type Generation, type KeyMapping, type Part } from "./key-mapping.ts";
import { algorithmKeys } from "./keys/algorithm.ts";
import { arealKeys } from "./keys/areal.ts";
import { datasetKeys } from "./keys/dataset.ts";
import { infrastructureKeys } from "./keys/infrastructure.ts";
import { lossKeys } from "./keys/loss.ts";
import { rolloutKeys } from "./keys/rollout.ts";
import { rolloutCorrectionKeys } from "./keys/rollout-correction.ts";
import { updateKeys } from "./keys/update.ts";

/** Every mapping. Where several have the same key, each sets another setting. */
export const TABLE: readonly KeyMapping[] = [
  ...algorithmKeys,
  ...rolloutKeys,
  ...rolloutCorrectionKeys,
  ...updateKeys,
  ...lossKeys,
  ...infrastructureKeys,
  ...datasetKeys,
  ...arealKeys,
];

/** Which mappings apply. */
export interface Scope {
  readonly part: Part;
  readonly generation: Generation;
  /** Of options: the environment. */
  readonly env?: string | undefined;
}

/** An import asks for the mappings of the same few scopes with every key of its files. */
const recall = keepLast<readonly KeyMapping[]>(32);

/** The mappings of one part and generation, in the order in which a file is written. */
export const mappingsOf = ({ part, generation, env }: Scope): readonly KeyMapping[] =>
  recall(JSON.stringify([part, generation, env]), () =>
    TABLE.filter(
      (mapping) =>
        mapping.part === part &&
        mapping.generations.includes(generation) &&
        (env === undefined || isOf(mapping, env)),
    ),
  );

/** Whether a line is for an environment. */
const isOf = ({ env, exceptIn }: KeyMapping, of: string): boolean =>
  (env === undefined || env === of) && !exceptIn?.includes(of);

/** The mappings of exactly this key, else those of a pattern that covers it (`a.*`). */
export function mappingsFor(key: string, scope: Scope): readonly KeyMapping[] {
  const mappings = mappingsOf(scope);
  const exact = mappings.filter((mapping) => mapping.key === key);
  return exact.length > 0 ? exact : mappings.filter((mapping) => covers(mapping.key, key));
}

/** The generations that have a key. */
export const generationsWith = (key: string, scope: Omit<Scope, "generation">): Generation[] =>
  GENERATIONS.filter((generation) => mappingsFor(key, { ...scope, generation }).length > 0);

/** The known key nearest to an unknown one; null where none is similar. */
export function nearestKey(key: string, scope: Scope): string | null {
  const known = mappingsOf(scope).map((mapping) => mapping.key.replace(/\.\*$/, ""));
  return nearest(key, [...new Set(known)]);
}

/** VAGEN's default of a trainer key; undefined where the table has none. */
export function defaultOf(key: string, generation: Generation): unknown {
  const mappings = mappingsFor(key, { part: "trainer", generation });
  return mappings.find((mapping) => mapping.default !== undefined)?.default;
}

/** Whether a pattern (`a.*`) covers a key. */
export function covers(pattern: string, key: string): boolean {
  return pattern.endsWith(".*") && (key.startsWith(pattern.slice(0, -1)) || key === pattern.slice(0, -2));
}
