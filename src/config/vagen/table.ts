// The table between VAGEN's keys and ours. To teach the studio a key: one line in a file of keys/.
import { nearest } from "../suggest.ts";
import { algorithmRows } from "./keys/algorithm.ts";
import { datasetRows } from "./keys/dataset.ts";
import { infrastructureRows } from "./keys/infrastructure.ts";
import { rolloutRows } from "./keys/rollout.ts";
import { updateRows } from "./keys/update.ts";
import type { Generation, Part, Row } from "./row.ts";

/** Every line. Where several have the same key, each sets a value of its own. */
export const TABLE: readonly Row[] = [
  ...algorithmRows,
  ...rolloutRows,
  ...updateRows,
  ...infrastructureRows,
  ...datasetRows,
];

/** Which lines are looked at. */
export interface Scope {
  readonly part: Part;
  readonly generation: Generation;
  /** Of options: whose. */
  readonly env?: string | undefined;
}

const isIn = ({ part, generation, env }: Scope, row: Row): boolean =>
  row.part === part && row.generations.includes(generation) && (!row.env || !env || row.env === env);

/** The lines of one part and generation, in the order in which a file is written. */
export function linesOf(scope: Scope): Row[] {
  return TABLE.filter((row) => isIn(scope, row));
}

/** What is known about a key: lines with this very name, else those that cover everything below a name. */
export function linesFor(key: string, scope: Scope): Row[] {
  const lines = linesOf(scope);
  const exact = lines.filter((row) => row.key === key);
  return exact.length > 0 ? exact : lines.filter((row) => covers(row.key, key));
}

/** Whether the other generation has this key. */
export function isOfOther(key: string, scope: Scope): boolean {
  return linesFor(key, { ...scope, generation: otherThan(scope.generation) }).length > 0;
}

/** The known key nearest to one that nobody knows. */
export function nearestKey(key: string, scope: Scope): string | null {
  const known = linesOf(scope).map((row) => row.key.replace(/\.\*$/, ""));
  return nearest(key, [...new Set(known)]);
}

/** VAGEN's default of a trainer key; undefined where the table has none. */
export function defaultOf(key: string, generation: Generation): unknown {
  return linesFor(key, { part: "trainer", generation }).find((row) => row.default !== undefined)?.default;
}

/** The generation that is not this one. */
export function otherThan(generation: Generation): Generation {
  return generation === "legacy" ? "lite" : "legacy";
}

function covers(pattern: string, key: string): boolean {
  return pattern.endsWith(".*") && (key.startsWith(pattern.slice(0, -1)) || key === pattern.slice(0, -2));
}
