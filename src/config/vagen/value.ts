// A single value as text.
import { parse } from "yaml";

/** Values are YAML, as in Hydra. What is none, such as a variable of a script, stays a text for the schema to judge. */
export function readValue(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text.trim();
  }
}
