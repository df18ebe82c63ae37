// docs/vagen-configs.md, written from the table; a test keeps the file equal to it.

import { envs } from "../../envs/index.ts";
import { describeEnv, describeRunConfig } from "../describe.ts";
import { IMPLIED, type Implied } from "./keys/implied.ts";
import { schemaOf } from "./reader.ts";
import { shortValue } from "./report.ts";
import type { Row } from "./row.ts";
import { TABLE } from "./table.ts";

const INTRODUCTION = `# VAGEN's configurations

Written from the table in \`src/config/vagen/keys\`; do not edit by hand.

A run configuration travels. \`npm run import\` and *From a file…* beside the page's presets read what VAGEN reads, of both
generations (the legacy trainer, and Lite on veRL's agent loop): trainer YAML, dataset YAML, and overrides such as
\`algorithm.gamma=1.0\`, one a line or as they stand in a shell script. \`npm run export -- --as vagen-legacy\` and
\`--as vagen-lite\` write such files.

\`\`\`sh
npm run import -- trainer.yaml dataset.yaml --set algorithm.gamma=0.99 --out run.yaml
npm run train -- --config run.yaml --out run/
npm run export -- --preset frozenlake-nano --as vagen-lite --out cluster/
\`\`\`

## What a report says

- **applied**: the value is in the configuration; where it means something else here, a note says what.
- **assumed**: the file is silent, VAGEN has a default, and the method depends on it (column *Default*, marked •).
- **not supported yet**: VAGEN can and the studio cannot, so what is trained differs. It becomes *applied* as soon as the
  schema has the setting.
- **ignored**: there is nothing to set, and why.
- **refused**: the schema does not take the value; field, value and remedy are named, and everything else stays.
- **unknown**: nobody has such a key; the nearest one is named.

YAML is read as Hydra reads it, which is YAML 1.1: \`no\`, \`off\`, \`yes\` and \`on\` are switches unless they stand in quotes,
\`010\` is 8 and \`1_000\` is 1000. In overrides Hydra has only \`true\` and \`false\`, and so has the import: any other value of a
switch is refused, never read as one of the two.

A value such as \`\${trainer.save_freq}\` is what that key has in the end, in whichever file or override it is set; one that
leads back to itself is refused, with its way.

Values travel unchanged. Learning rates and token budgets of VAGEN's examples belong to pretrained models of billions
of parameters: look at them before you train.

## What a written file says

What VAGEN has no key for, or no such value, stands in comments \`# studio: path = value\`. VAGEN skips them and the studio
reads them back, so a configuration that was written and read again is the same. A written trainer file goes on top of the
release's own (\`defaults\`); Lite has one dataset file for training and one for validation, which the file's name tells.
`;

/** The page as Markdown. */
export function vagenMarkdown(): string {
  const trainer = TABLE.filter(({ part }) => part === "trainer");
  const dataset = TABLE.filter(({ part }) => part === "dataset");
  return [
    INTRODUCTION,
    section("Trainer", trainer),
    section(
      "Dataset",
      dataset,
      "Options of an environment stand in `env_config` (legacy) or `config` (Lite).",
    ),
    implied(),
  ].join("\n");
}

function section(title: string, rows: readonly Row[], text = ""): string {
  const set = rows.filter(({ path }) => path !== undefined);
  const unset = rows.filter(({ path }) => path === undefined);
  return [
    `## ${title}\n`,
    ...(text ? [`${text}\n`] : []),
    "| Key | Generation | Default | Setting of the studio | Remark |\n|---|---|---|---|---|",
    ...set.map(setRow),
    `\n### ${title}: keys without a counterpart\n`,
    "| Key | Generation | Why |\n|---|---|---|",
    ...unset.map(unsetRow),
    "",
  ].join("\n");
}

function setRow(row: Row): string {
  const { key, default: preset, assumed, converted, note, env } = row;
  const shown = preset === undefined ? "" : `\`${shortValue(preset)}\`${assumed ? " •" : ""}`;
  const remarks = [env && `${env} only.`, notYet(row), converted, note].filter(Boolean).join(" ");
  return `| \`${key}\` | ${generationsOf(row)} | ${shown} | \`${row.path}\` | ${remarks} |`;
}

function unsetRow(row: Row): string {
  return `| \`${row.key}\` | ${generationsOf(row)} | ${row.why}${row.write ? " Written on export." : ""} |`;
}

const generationsOf = ({ generations }: Row): string => (generations.length > 1 ? "both" : generations[0]!);

const schema = schemaOf([...describeRunConfig(), ...envs.all.flatMap((spec) => describeEnv(spec))]);

function notYet({ path, builtIn }: Row): string {
  if (schema.has(path!)) return "";
  const same = builtIn === undefined ? "" : ` The studio does as with \`${JSON.stringify(builtIn)}\`.`;
  return `Not supported yet.${same}`;
}

function implied(): string {
  const rows = IMPLIED.map(
    (one) => `| \`${one.path}\` | \`${JSON.stringify(one.value)}\` | ${whereImplied(one)} | ${one.why} |`,
  );
  return [
    "## What VAGEN does without a key",
    "\nWith a dataset file these are assumed, and the rewards of that generation's environment.\n",
    "| Setting of the studio | Value | Where | Why |\n|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const whereImplied = ({ judgeOf, generation }: Implied): string =>
  judgeOf === undefined ? (generation ?? "everywhere") : `legacy ${judgeOf} with use_state_reward`;
