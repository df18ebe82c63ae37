// A single value as text.
import { parse } from "yaml";
import { yamlProblem } from "../../core/yaml-limits.ts";

/**
 * The value of an override. It is YAML 1.2, not the 1.1 of files: Hydra's overrides too know no switches but true and
 * false. What is none, such as a variable of a script, stays a text for the schema to judge.
 */
export function readValue(text: string): unknown {
  try {
    return yamlProblem(text) ? text.trim() : parse(text, { logLevel: "error" });
  } catch {
    return text.trim();
  }
}
