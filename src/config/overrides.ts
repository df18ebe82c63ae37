// Settings on a command line, `actor.lr=1e-4`. Not part of changes.ts, so that the page starts without a YAML parser.
import { parse } from "yaml";
import { ConfigError } from "../core/errors.ts";
import { short } from "../core/short.ts";
import { yamlProblem } from "../core/yaml-limits.ts";
import { applyClassOf } from "./changes.ts";

/** Reads `actor.lr=1e-4` from a command line; the value is YAML. @throws ConfigError */
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
  return { path, value: parseValue(text.slice(at + 1), path) };
}

function parseValue(text: string, path: string): unknown {
  const refused = (why: string, cause?: unknown) =>
    new ConfigError("invalid_yaml", `${path}=${short(text)}: ${why}.`, "Quote it.", { cause });
  const costly = yamlProblem(text);
  if (costly) throw refused(`the value cannot be read: ${costly.what}`);
  try {
    return parse(text, { logLevel: "error" });
  } catch (cause) {
    throw refused("the value cannot be read", cause);
  }
}
