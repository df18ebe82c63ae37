// Overrides: `a.b.c=value`, one a line or as the arguments of a shell script.
import { ConfigError } from "../../../core/errors.ts";
import { readYaml } from "../../read-yaml.ts";

export interface KeyValue {
  /** Dotted, by the table's name for it. */
  key: string;
  /** The file's name for it, where that differs. */
  shown?: string;
  value: unknown;
}

/**
 * A word of a shell: pieces in quotes, after a backslash, or plain. A # at the start of a word begins a comment; a
 * backslash at the end of a line separates words.
 */
const WORD = /#[^\n]*|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\(?!\r?\n).|[^\s"'\\;&|])+/gs;
const OVERRIDE = /^(?:\+{0,2})([A-Za-z_]\w*(?:\.\w+)+)=(.*)$/s;

/** Every override in a text, in order; commands, variables and comments around them are skipped. */
export function overridesIn(text: string): KeyValue[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const [, key, value] = OVERRIDE.exec(unquoted(word)) ?? [];
    // Comments are already removed: a # that the shell's quotes protected belongs to the text.
    return key ? [{ key, value: /^[^"'[{]*\s#/.test(value!) ? value : parseValue(value!) }] : [];
  });
}

/** One override as an option of a command line. @throws ConfigError when it has no `=`. */
export function parseOverride(text: string): KeyValue {
  const at = text.indexOf("=");
  if (at > 0)
    return { key: text.slice(0, at).trim().replace(/^\++/, ""), value: parseValue(text.slice(at + 1)) };
  throw new ConfigError(
    "invalid_config",
    `"${text}" is not an override; expected key=value.`,
    "For example: --set algorithm.gamma=1.0",
  );
}

/**
 * The value of an override. It is parsed as YAML 1.2, not the 1.1 of files, because Hydra's overrides too accept only true
 * and false as booleans. Text that is not YAML, such as a shell variable, stays a string, which the schema may reject.
 */
export function parseValue(text: string): unknown {
  const read = readYaml(text);
  return "value" in read ? read.value : text.trim();
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_, double, single, escaped) =>
    double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? escaped),
  );
}
