// Settings on a command line, `actor.lr=1e-4`. Not part of changes.ts, so that the page starts without a YAML parser.
import { ConfigError } from "../core/errors.ts";
import { short } from "../core/short.ts";
import { applyClassOf } from "./changes.ts";
import { fieldAt } from "./describe.ts";
import { readYaml } from "./read-yaml.ts";

/**
 * Reads `actor.lr=1e-4` from a command line; the value is YAML. A setting that is a text takes a number as it is written:
 * `trainer.val_seeds=7` is one seed.
 * @throws ConfigError
 */
export function parseOverride(text: string): { path: string; value: unknown } {
  const at = text.indexOf("=");
  if (at <= 0)
    throw new ConfigError(
      "invalid_config",
      `${JSON.stringify(short(text))} is not a setting; expected path=value.`,
      "For example: --set actor.lr=1e-4",
    );
  const path = text.slice(0, at).trim();
  applyClassOf(path);
  const value = text.slice(at + 1);
  const read = readYaml(value);
  if ("value" in read) {
    const isText = typeof read.value === "number" && fieldAt(path)?.type === "text";
    return { path, value: isText ? value.trim() : read.value };
  }
  const message = `${path}=${short(value)}: the value cannot be read: ${read.what}.`;
  throw new ConfigError("invalid_yaml", message, "Quote it.", { cause: read.cause });
}
