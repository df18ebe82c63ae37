// What can still be read of a malformed reply, by the rules of VAGEN's formats of August 2026.
import type { Part } from "../core/formats.ts";
import { strip } from "./white-space.ts";

const NAMES: Readonly<Record<Part, readonly string[]>> = {
  observation: ["perception", "observation"],
  reasoning: ["reasoning", "think", "thought"],
  prediction: ["prediction"],
  answer: ["answer", "action"],
};
const GLM_BOX = ["<|begin_of_box|>", "<|end_of_box|>"] as const;

/** The texts of the parts, from tags, lines such as `Answer: Up`, or GLM's box; case does not matter. Empty where none is found. */
export function salvage(text: string): Record<Part, string> {
  const part = (name: Part) => tagged(text, NAMES[name]) ?? labelled(text, NAMES[name]) ?? "";
  return {
    observation: part("observation"),
    reasoning: part("reasoning"),
    prediction: part("prediction"),
    answer: withoutBox(part("answer") || (between(text, ...GLM_BOX) ?? "")),
  };
}

const withoutBox = (text: string) => strip(GLM_BOX.reduce((rest, mark) => rest.replaceAll(mark, ""), text));

/** The first text inside one of the tags. */
function tagged(text: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = between(text, `<${name}>`, `</${name}>`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  // ASCII only: other letters may change their length, and then the indices would not fit.
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const from = lower.indexOf(open);
  const to = from < 0 ? -1 : lower.indexOf(close, from + open.length);
  return to < 0 ? undefined : strip(text.slice(from + open.length, to));
}

/** The rest of the first line that begins with one of the names and a colon. */
function labelled(text: string, names: readonly string[]): string | undefined {
  const found = new RegExp(`^[ \\t]*(?:${names.join("|")})[ \\t]*:(.*)$`, "im").exec(text);
  return found ? strip(found[1] as string) : undefined;
}
