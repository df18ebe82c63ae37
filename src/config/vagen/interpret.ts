// One key and its value → findings, by the table.
import { short } from "../../core/short.ts";
import { suggestion } from "../suggest.ts";
import type { Schema } from "./context.ts";
import type { Finding } from "./findings.ts";
import { type KeyMapping, notABoolean, type ReadResult, type Source } from "./key-mapping.ts";
import type { NamedKey } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { isOtherGenerations, mappingsFor, nearestKey, otherGeneration, type Scope } from "./table.ts";

/** All findings on one key: several where it sets several settings, else one. */
export function interpretKey(found: NamedKey, scope: Scope, source: Source, schema: Schema): Finding[] {
  const mappings = mappingsFor(found.key, scope);
  if (mappings.length === 0) return [withoutMapping(found, scope, schema)];
  const findings = mappings.map((mapping) => ({
    mapping,
    finding: applyMapping(mapping, found, source, schema),
  }));
  if (!findings.some(({ finding }) => finding.kind === "applied")) return [findings[0]!.finding];
  // Beside what is applied, only what the studio does not support is worth a line.
  return findings
    .filter(
      ({ mapping, finding: { kind } }) => kind === "applied" || (kind === "unsupported" && !mapping.silent),
    )
    .map(({ finding }) => finding);
}

/** The finding of one mapping. */
export function applyMapping(
  mapping: KeyMapping,
  { shown, value }: NamedKey,
  source: Source,
  schema: Schema,
): Finding {
  const ignored = (why: string): Finding => ({ kind: "ignored", key: shown, value, why });
  const nothing = ignored(mapping.why ?? "It has no counterpart.");
  if (mapping.path === undefined && !mapping.switches) return nothing;
  const path = mapping.path ?? mapping.key;
  if (value === null && !schema.isNullable(path)) return ignored("Empty: VAGEN decides itself.");
  if (typeof value === "string" && value.includes("${"))
    return ignored("It stands for a value that is not in the file; write the value out.");
  const result = readValue(mapping, value, source);
  if ("refused" in result)
    return {
      kind: "refused",
      key: shown,
      value,
      path,
      ours: value,
      message: result.refused,
      hint: result.hint,
    };
  if (mapping.path === undefined) return nothing;
  if ("ignored" in result) return ignored(result.ignored);
  const { value: ours, note = mapping.note } = result;
  if (schema.has(path))
    return { kind: "applied", key: shown, value, path, ours, ...(note !== undefined && { note }) };
  if (mapping.builtIn !== undefined && JSON.stringify(ours) === JSON.stringify(mapping.builtIn))
    return ignored("The studio always does it this way.");
  return { kind: "unsupported", key: shown, value, why: `The studio has no setting ${path}.` };
}

/** A mapping's value in our terms. */
export function readValue(mapping: KeyMapping, value: unknown, source: Source): ReadResult {
  for (const key of mapping.switches ?? []) {
    const given = key === mapping.key ? value : source.get(key);
    if (typeof given !== "boolean") return notABoolean(key, given);
  }
  return mapping.read ? mapping.read(value, source) : { value };
}

/** A key that the table does not have may be a setting of ours under its own name. */
function withoutMapping({ key, shown, value }: NamedKey, scope: Scope, schema: Schema): Finding {
  const path = scope.part === "dataset" ? key.replace(/^config\./, "env.config.") : key;
  if (schema.has(path)) return { kind: "applied", key: shown, value, path, ours: value };
  if (!isOtherGenerations(key, scope))
    return { kind: "unknown", key: shown, value, nearest: nearestKey(key, scope) };
  const other = otherGeneration(scope.generation);
  const why = `A key of VAGEN ${other}; this file is read as ${scope.generation}.`;
  return { kind: "ignored", key: shown, value, why };
}

/** A key whose references cannot be resolved. */
export function unresolvedKey({ key, value }: KeyValue, why: string, scope: Scope): Finding {
  const path = mappingsFor(key, scope)[0]?.path ?? key;
  const message = `${key} refers to ${why}.`;
  return { kind: "refused", key, value, path, ours: value, message, hint: "Write one of these values out." };
}

/** The name of a task that the studio does not have. */
export function unknownTask({ shown, value }: NamedKey, ids: readonly string[]): Finding {
  return {
    kind: "refused",
    key: shown,
    value,
    path: "env.name",
    ours: value,
    message: `${shown} is ${short(JSON.stringify(value))}, but the studio has no such environment.`,
    hint: suggestion(String(value), ids),
  };
}
