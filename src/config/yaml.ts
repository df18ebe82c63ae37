// Configurations as YAML text, to edit, share and store with a run.
import { Document, isMap, type Node, type YAMLMap } from "yaml";
import { withoutSecrets } from "../core/address.ts";
import { ConfigError } from "../core/errors.ts";
import { plainText } from "../core/message.ts";
import { short } from "../core/short.ts";
import { envs } from "../envs/index.ts";
import { getPath, setPath } from "./changes.ts";
import { checkedRunConfig } from "./check.ts";
import { type ConfigField, describeEnv, describeRunConfig, SECTIONS } from "./describe.ts";
import { readYaml } from "./read-yaml.ts";
import type { RunConfig } from "./run-config.ts";
import { addComments } from "./yaml-comments.ts";

/**
 * YAML text → a complete, checked configuration.
 * @throws ConfigError invalid_yaml with line and column, or invalid_config with path, value, expectation and remedy.
 */
export function parseRunConfig(text: string, from?: string): RunConfig {
  const read = readYaml(text);
  if ("value" in read) return checkedRunConfig(read.value, from);
  const message = `${from ?? "The configuration"} is not valid YAML: ${sentence(short(read.what, 400))}`;
  throw new ConfigError("invalid_yaml", message, read.hint, { cause: read.cause });
}

/** The parser's messages end without a stop. */
const sentence = (text: string): string => text.replace(/[.:]?$/, ".");

interface FormatOptions {
  /** Write values that equal their default too. */
  all?: boolean;
  /** Say above each value what it is. */
  comments?: boolean;
}

/** The configuration as YAML. Reading it back gives the same configuration. */
export function formatRunConfig(
  config: RunConfig,
  { all = false, comments = false }: FormatOptions = {},
): string {
  const shown = withoutSecrets(config);
  const fields = fieldsOf(shown).filter((field) => all || isNeeded(shown, field));
  const tree = fields.reduce((out, { path }) => setPath(out, path, getPath(shown, path)), {});
  const document = new Document(tree);
  if (isMap(document.contents)) layOut(document.contents, comments ? fields : []);
  return document.toString({ lineWidth: 0 });
}

/** Every field with a value: the schema's, with the environment's options in place of its free-form map. */
function fieldsOf(config: RunConfig): ConfigField[] {
  const options = describeEnv(envs.get(config.env.name), config.env.preset).filter(
    ({ path }) => getPath(config, path) !== undefined,
  );
  return describeRunConfig().flatMap((field) => (field.path === "env.config" ? options : [field]));
}

/** The version says how to read the file and the environment what it is about: both are always written. */
function isNeeded(config: RunConfig, { path, default: preset }: ConfigField): boolean {
  const isDefault = JSON.stringify(getPath(config, path)) === JSON.stringify(preset);
  return !isDefault || path === "version" || path === "env.name";
}

/** Space between sections, and help above values. */
function layOut(map: YAMLMap, commented: readonly ConfigField[]): void {
  addComments(map, "", (path) => {
    if (commented.length > 0 && SECTIONS[path]) return [` ${SECTIONS[path]}`];
    return commented.filter((field) => field.path === path).map((field) => ` ${note(field)}`);
  });
  for (const { key, value } of map.items) if (isMap(value)) (key as Node).spaceBefore = true;
}

function note({ title, help, options, titles = {}, default: preset }: ConfigField): string {
  const text = plainText(help) || title;
  const named = (id: string) => (titles[id] ? `${id} (${titles[id]})` : id);
  const choices = options ? ` One of ${options.map(named).join(", ")}.` : "";
  return `${text}${choices} Default: ${JSON.stringify(preset)}.`;
}
