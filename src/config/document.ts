// docs/configuration.md, generated from the schema; a test compares the two.
import { plainText } from "../core/message.ts";
import { envs } from "../envs/index.ts";
import { type ConfigField, describeEnv, describeRunConfig, SECTIONS } from "./describe.ts";
import { acceptedBy } from "./expectation.ts";

const INTRODUCTION = `# Configuration

Generated from the schema in \`src/config/run-config.ts\`; do not edit by hand.

A run is described by one YAML file. Settings that are left out have the defaults below, so an empty file is a complete
configuration. The presets in \`public/presets\` are such files; names follow VAGEN and veRL where they have one.

The page reads such files with *From a file…* beside its presets, and writes what its form has with *Save as a file*. It
refuses a file without a setting, which is probably the wrong one.

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

/** The values that a field accepts, in words; of a choice with their titles. */
export function allowed(field: ConfigField): string {
  const { options, titles = {}, registry, nullable, unit } = field;
  if (!options)
    return `${plainText(acceptedBy(field))}${unit ? ` ${unit}` : ""}${nullable ? ", or empty" : ""}`;
  const named = (id: string) => `\`${id}\`${titles[id] ? ` (${titles[id]})` : ""}`;
  return options.map(named).join(", ") + (registry ? ", or [your own](extending.md)" : "");
}
