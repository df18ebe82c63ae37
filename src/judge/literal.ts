// Reads dictionaries: JSON, or Python literals, which models often write instead.
import { parse } from "yaml";
import { yamlProblem } from "../core/yaml-limits.ts";

/** A value that was written as a literal, and the text around it. */
interface Literals {
  values: unknown[];
  rest: string;
}

/** Text with more unclosed brackets than this is not data, and searching for the end of each takes time. */
export const MAX_UNCLOSED = 16;

/** A dictionary, or a list of dictionaries or of texts. */
const OPENING = /\{|\[(?=\s*[{"'])/g;

/** Extracts every dictionary from a text. Text that cannot be parsed stays in place. */
export function takeLiterals(text: string): Literals {
  const values: unknown[] = [];
  let [rest, from, misses] = ["", 0, 0];
  for (const { index } of text.matchAll(OPENING)) {
    if (index < from) continue;
    if (misses >= MAX_UNCLOSED) break;
    const end = closingOf(text, index);
    const value = end < 0 ? undefined : parseLiteral(text.slice(index, end));
    if (value === undefined) misses++;
    if (value === undefined) continue;
    values.push(value);
    rest += text.slice(from, index);
    from = end;
  }
  return { values, rest: rest + text.slice(from) };
}

/** Where the bracket that opens at `start` is closed (one past it); -1 when it is not. */
export function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if ("{[".includes(text[i]!)) depth++;
    if ("}]".includes(text[i]!) && --depth === 0) return i + 1;
  }
  return -1;
}

/**
 * The value of a literal, or undefined. YAML reads JSON, single quotes and bare keys alike; tuples become
 * lists, and braces that a template has doubled become single ones.
 */
export function parseLiteral(text: string): unknown {
  const plain = /^[[\s]*\{\{/.test(text) ? text.replaceAll("{{", "{").replaceAll("}}", "}") : text;
  const yaml = plain.replaceAll("(", "[").replaceAll(")", "]");
  if (yamlProblem(yaml)) return undefined;
  try {
    return parse(yaml, { logLevel: "silent" });
  } catch {
    return undefined;
  }
}
