// Overrides: `a.b.c=value`, one a line or as the arguments of a shell script.
import type { ScalarTag } from "yaml";
import { ConfigError } from "../../../core/errors.ts";
import { readYaml } from "../../read-yaml.ts";

export interface KeyValue {
  /** Dotted, by the table's name for it. */
  key: string;
  /** The file's name for it, where that differs. */
  shown?: string;
  value: unknown;
  /** Hydra's `~key`: what was set before is deleted, as if no file had it. */
  isDeleted?: true;
}

const OVERRIDE = /^(?:\+{0,2})([A-Za-z_]\w*(?:\.\w+)+)=(.*)$/s;
/** `~a.b` or `~a.b=value`; the value is only a check of Hydra's. */
const DELETION = /^~([A-Za-z_]\w*(?:\.\w+)*)(?:=.*)?$/s;

/** The overrides among the words of a command; all other words are skipped. */
export function overridesAmong(words: readonly string[], pattern = OVERRIDE): KeyValue[] {
  return words.flatMap((word) => {
    // A word such as ~user is a folder of the shell's.
    if (word.startsWith("~") && word.includes(".")) return deletion(word) ?? [];
    const [, key, value] = pattern.exec(word) ?? [];
    // Comments are already removed: a # that the shell's quotes protected belongs to the text.
    return key ? [{ key, value: /^[^"'[{]*\s#/.test(value!) ? value : parseValue(value!) }] : [];
  });
}

function deletion(word: string): KeyValue | undefined {
  const [, key] = DELETION.exec(word) ?? [];
  return key === undefined ? undefined : { key, value: null, isDeleted: true };
}

/** One override as an option of a command line. @throws ConfigError when it has no `=`, and is no deletion (`~key`). */
export function parseOverride(text: string): KeyValue {
  const deleted = deletion(text.trim());
  if (deleted) return deleted;
  const at = text.indexOf("=");
  if (at > 0)
    return { key: text.slice(0, at).trim().replace(/^\++/, ""), value: parseValue(text.slice(at + 1)) };
  throw new ConfigError(
    "invalid_config",
    `"${text}" is not an override; expected key=value.`,
    "For example: --set algorithm.gamma=1.0",
  );
}

/** Hydra's overrides too may separate the digits of a number. https://hydra.cc/docs/advanced/override_grammar/basic/ */
const separated: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^[-+]?[1-9]\d*(?:_\d+)+(?:\.\d*)?(?:[eE][-+]?\d+)?$/,
  resolve: (text) => Number(text.replaceAll("_", "")),
};

/**
 * The value of an override. It is parsed as YAML 1.2, not the 1.1 of files, because Hydra's overrides too accept only true
 * and false as booleans; `1_000` is a number in both. Text that is not YAML, such as a shell variable, stays a string, which
 * the schema may reject.
 */
export function parseValue(text: string): unknown {
  const read = readYaml(text, { customTags: (tags) => [separated, ...tags] });
  return "value" in read ? read.value : text.trim();
}
