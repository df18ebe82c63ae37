// One key and its value → findings, by the table.
import { isTree } from "../changes.ts";
import type { Schema } from "./context.ts";
import { type Finding, isEqual, unmapped } from "./findings.ts";
import { type KeyMapping, notABoolean, OTHER_SPLIT, type ReadResult, type Source } from "./key-mapping.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { generationsWith, mappingsFor, mappingsOf, nearestKey, type Scope } from "./table.ts";

/** All findings on one key: several where it sets several settings, else one. */
export function interpretKey(found: KeyValue, scope: Scope, source: Source, schema: Schema): Finding[] {
  const mappings = mappingsFor(found.key, scope);
  if (mappings.length === 0) return [withoutMapping(found, scope, schema)];
  const findings = mappings.map((mapping) => applyMapping(mapping, found, source, schema));
  const firstOf = (kind: Finding["kind"]) => findings.find((finding) => finding.kind === kind);
  if (!firstOf("applied")) {
    const ignored = findings.find(({ remark }) => remark !== OTHER_SPLIT) ?? findings[0]!;
    return [firstOf("refused") ?? firstOf("unsupported") ?? ignored];
  }
  // Beside what is applied, only what the studio does not support is worth a line. Several lines of the table may say the same.
  return findings.filter(
    (one, i) =>
      (one.kind === "applied" || one.kind === "unsupported") &&
      !findings.slice(0, i).some((other) => isEqual(other, one)),
  );
}

/** The finding of one mapping. */
export function applyMapping(mapping: KeyMapping, found: KeyValue, source: Source, schema: Schema): Finding {
  const { key, shown = key, value } = found;
  const ignored = (why = "It has no counterpart.") => unmapped("ignored", found, why);
  if (mapping.path === undefined && !mapping.switches && !mapping.read) return ignored(mapping.why);
  const path = mapping.path ?? mapping.key;
  if (value === null && !mapping.readsNull && !schema.get(path)?.nullable)
    return ignored("Empty: VAGEN decides itself.");
  if (typeof value === "string" && /\$[({]/.test(value))
    return ignored("It refers to a value that is not in the file; write the value out.");
  const result = readValue(mapping, value, source);
  if ("refused" in result)
    return { kind: "refused", key: shown, value, path, ours: value, remark: result.refused };
  if ("unsupported" in result) return unmapped("unsupported", found, result.unsupported);
  if ("ignored" in result) return ignored(result.ignored);
  if (mapping.path === undefined) return ignored(mapping.why);
  const { value: ours, note: remark = mapping.note } = result;
  if (schema.has(path))
    return { kind: "applied", key: shown, value, path, ours, ...(remark !== undefined && { remark }) };
  return mapping.builtIn !== undefined && JSON.stringify(ours) === JSON.stringify(mapping.builtIn)
    ? ignored("The studio always does it this way.")
    : unmapped(
        "unsupported",
        found,
        [`The studio has no setting ${path}.`, remark].filter(Boolean).join(" "),
      );
}

/** A mapping's value in our terms. */
export function readValue(mapping: KeyMapping, value: unknown, source: Source): ReadResult {
  for (const key of mapping.switches ?? []) {
    const given = key === mapping.key ? value : source.get(key);
    if (typeof given !== "boolean") return notABoolean(key, given);
  }
  return mapping.read ? mapping.read(value, source) : { value };
}

const isEmpty = (value: unknown): boolean =>
  value === null || (isTree(value) && Object.keys(value).length === 0);

/** A key that the table does not have may be a setting of ours under its own name. */
function withoutMapping(found: KeyValue, scope: Scope, schema: Schema): Finding {
  const { key, shown = key, value } = found;
  const path = scope.part === "dataset" ? key.replace(/^config\./, "env.config.") : key;
  if (schema.has(path)) return { kind: "applied", key: shown, value, path, ours: value };
  const inside = mappingsOf(scope).find((mapping) => mapping.key.startsWith(`${key}.`));
  if (inside && isEmpty(value))
    return unmapped("ignored", found, value === null ? "The section is off." : "Its defaults count.");
  const [other] = generationsWith(key, scope);
  if (other)
    return unmapped("ignored", found, `A key of VAGEN ${other}; this file is read as ${scope.generation}.`);
  if (inside)
    return unmapped("unknown", found, `It is a section, whose settings have names, such as ${inside.key}.`);
  const nearest = nearestKey(key, scope);
  return unmapped("unknown", found, nearest ? `Did you mean ${nearest}?` : "No similar key is known.");
}
