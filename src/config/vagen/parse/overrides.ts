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

const OVERRIDE = /^(?:\+{0,2})([A-Za-z_]\w*(?:\.\w+)+)=(.*)$/s;

/** The overrides among the words of a command; all other words are skipped. */
export function overridesAmong(words: readonly string[], pattern = OVERRIDE): KeyValue[] {
  return words.flatMap((word) => {
    const [, key, value] = pattern.exec(word) ?? [];
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
