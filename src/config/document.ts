// docs/configuration.md, written from the schema; a test keeps the file equal to it.
import { plainText } from "../core/message.ts";
import { envs } from "../envs/index.ts";
import { type ConfigField, describeEnv, describeRunConfig, SECTIONS } from "./describe.ts";

const INTRODUCTION = `# Configuration

Written from the schema in \`src/config/run-config.ts\`; do not edit by hand.

A run is described by one YAML file. Settings that are left out have the defaults below, so an empty file is a complete
configuration. The presets in \`public/presets\` are such files; names follow VAGEN and veRL where they have one.

\`\`\`yaml
version: 1
env: { name: frozenlake, config: { size: 4, p: 0.8 } }
rollout: { train_batch_size: 32 }
actor: { lr: 6e-4 }
\`\`\`

On the command line a single value is set with \`--set actor.lr=1e-4\`. A misspelt name or a value out of range is
refused with the nearest name or the allowed range.

**Takes effect**: *live*, at the next optimiser step; *next*, with the next update; *restart*, in a new run only.
`;

/** The page as Markdown. */
export function configurationDoc(): string {
  const fields = describeRunConfig();
  const sections = Object.entries(SECTIONS).map(([id, title]) => {
    const heading = id ? `## ${title}: \`${id}\`` : `## ${title}`;
    return `${heading}\n\n${table(fields.filter(({ section }) => section === id))}`;
  });
  const options = envs.all.map(
    (spec) =>
      `## Options of ${spec.title}: \`env.config\`\n\n${spec.description}\n\n${table(describeEnv(spec))}`,
  );
  return `${[INTRODUCTION, ...sections, ...options].join("\n")}`;
}

function table(fields: readonly ConfigField[]): string {
  const head = "| Setting | Default | Allowed | Takes effect | Meaning |\n|---|---|---|---|---|\n";
  return `${head}${fields.map(row).join("")}`;
}

function row(field: ConfigField): string {
  const meaning = plainText(field.help) || field.title;
  return `| \`${field.path}\` | ${shown(field.default)} | ${allowed(field)} | ${field.apply} | ${meaning} |\n`;
}

const shown = (value: unknown): string => `\`${JSON.stringify(value)}\``;

/** The values that a field accepts, in words. */
export function allowed({
  type,
  options,
  titles = {},
  registry,
  min,
  max,
  nullable,
  unit,
}: ConfigField): string {
  const own = registry ? ", or [your own](extending.md)" : "";
  if (options) {
    const named = (id: string) => `\`${id}\`${titles[id] ? ` (${titles[id]})` : ""}`;
    return options.map(named).join(", ") + own;
  }
  const kinds: Partial<Record<ConfigField["type"], string>> = {
    integer: "whole number",
    boolean: "true, false",
  };
  const kind = kinds[type] ?? type;
  const range =
    min !== undefined && max !== undefined ? ` ${min} … ${max}` : min !== undefined ? ` from ${min}` : "";
  return `${kind}${range}${unit ? ` ${unit}` : ""}${nullable ? " or empty" : ""}`;
}
