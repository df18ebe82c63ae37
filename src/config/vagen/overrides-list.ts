// Overrides as people have them: `a.b.c=value`, one a line or as the arguments of a shell script.
import { ConfigError } from "../../core/errors.ts";
import { readValue } from "./value.ts";

export interface Pair {
  /** As the file says it. */
  key: string;
  value: unknown;
}

/**
 * A word of a shell: pieces in quotes, after a backslash, or plain. A # where a word would begin begins a comment; a
 * backslash at the end of a line parts words.
 */
const WORD = /#[^\n]*|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\(?!\r?\n).|[^\s"'\\;&|])+/gs;
const OVERRIDE = /^(?:\+{0,2})([A-Za-z_]\w*(?:\.\w+)+)=(.*)$/s;

/** Every override in a text, in order; commands, variables and comments around them are passed over. */
export function overridesIn(text: string): Pair[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const found = OVERRIDE.exec(unquoted(word));
    return found ? [{ key: found[1]!, value: wordValue(found[2]!) }] : [];
  });
}

/** Comments are gone by now: a # that the shell's quotes kept belongs to the text. */
const wordValue = (text: string): unknown => (/^[^"'[{]*\s#/.test(text) ? text : readValue(text));

/** One override as an option of a command line. @throws ConfigError when it has no `=`. */
export function parsePair(text: string): Pair {
  const at = text.indexOf("=");
  const key = text.slice(0, at).trim().replace(/^\++/, "");
  if (at > 0) return { key, value: readValue(text.slice(at + 1)) };
  throw new ConfigError(
    "invalid_config",
    `"${text}" is not an override; expected key=value.`,
    "For example: --set algorithm.gamma=1.0",
  );
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_, double, single, escaped) =>
    double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? escaped),
  );
}
