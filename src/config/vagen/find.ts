// One key and its value → what becomes of it, by the table.
import { short } from "../../core/short.ts";
import { suggestion } from "../suggest.ts";
import type { Applied, Finding } from "./findings.ts";
import { noSwitch, type Reading, type Row, type Source } from "./row.ts";
import { isOfOther, linesFor, nearestKey, otherThan, type Scope } from "./table.ts";

/** A key to be looked up: the table's name for it, and the file's. */
export interface Found {
  key: string;
  shown: string;
  value: unknown;
}

/** What the configuration can hold now, and whether a field may be empty. */
export interface Schema {
  has(path: string): boolean;
  isNullable(path: string): boolean;
}

/** Every consequence of one key: several where it sets several values, none where they agree on doing nothing. */
export function findingsFor(found: Found, scope: Scope, source: Source, schema: Schema): Finding[] {
  const lines = linesFor(found.key, scope);
  if (lines.length === 0) return [withoutLine(found, scope, schema)];
  const findings = lines.map((row) => ({ row, finding: findingOf(row, found, source, schema) }));
  if (!findings.some(({ finding }) => finding.kind === "applied")) return [findings[0]!.finding];
  // Beside what was applied only that counts which the studio cannot do.
  const telling = findings.filter(
    ({ row, finding: { kind } }) => kind === "applied" || (kind === "unsupported" && !row.silent),
  );
  return telling.map(({ finding }) => finding);
}

/** What one line of the table makes of a value. */
export function findingOf(row: Row, { shown, value }: Found, source: Source, schema: Schema): Finding {
  const ignored = (why: string): Finding => ({ kind: "ignored", key: shown, value, why });
  const nothing = ignored(row.why ?? "It has no counterpart.");
  if (row.path === undefined && !row.switches) return nothing;
  const path = row.path ?? row.key;
  if (value === null && !schema.isNullable(path)) return ignored("Empty: VAGEN decides itself.");
  if (typeof value === "string" && value.includes("${"))
    return ignored("It stands for a value that is not in the file; write the value out.");
  const reading = readingOf(row, value, source);
  if ("refused" in reading) {
    const { refused: message, hint } = reading;
    return { kind: "refused", key: shown, value, path, ours: value, message, hint };
  }
  if (row.path === undefined) return nothing;
  if ("ignored" in reading) return ignored(reading.ignored);
  if (!schema.has(row.path)) return withoutSetting(row, shown, value, reading.value);
  return applied(shown, value, row, reading);
}

/** A line's value in our terms. */
export function readingOf(row: Row, value: unknown, source: Source): Reading {
  for (const key of row.switches ?? []) {
    const given = key === row.key ? value : source.get(key);
    if (typeof given !== "boolean") return noSwitch(key, given);
  }
  return row.read ? row.read(value, source) : { value };
}

/** The schema may grow: as soon as it has the path, the same line is applied. */
function withoutSetting({ path, builtIn }: Row, key: string, value: unknown, ours: unknown): Finding {
  if (builtIn !== undefined && JSON.stringify(ours) === JSON.stringify(builtIn))
    return { kind: "ignored", key, value, why: "The studio always does it this way." };
  return { kind: "unsupported", key, value, why: `The studio has no setting ${path}.` };
}

function applied(
  key: string,
  value: unknown,
  row: Row,
  { value: ours, note = row.note }: { value: unknown; note?: string },
): Applied {
  return { kind: "applied", key, value, path: row.path!, ours, ...(note !== undefined && { note }) };
}

function withoutLine({ key, shown, value }: Found, scope: Scope, schema: Schema): Finding {
  const option = key.replace(/^config\./, "env.config.");
  const own = scope.part === "dataset" ? option : key;
  if (schema.has(own)) return { kind: "applied", key: shown, value, path: own, ours: value };
  if (isOfOther(key, scope)) {
    const other = otherThan(scope.generation);
    const why = `A key of VAGEN ${other}; this file is read as ${scope.generation}.`;
    return { kind: "ignored", key: shown, value, why };
  }
  return { kind: "unknown", key: shown, value, nearest: nearestKey(key, scope) };
}

/** What to say about a task that the studio does not have. */
export function unknownTask(key: string, value: unknown, ids: readonly string[]): Finding {
  return {
    kind: "refused",
    key,
    value,
    path: "env.name",
    ours: value,
    message: `${key} is ${short(JSON.stringify(value))}, but the studio has no such environment.`,
    hint: suggestion(String(value), ids),
  };
}
