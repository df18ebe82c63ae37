// docs/vagen-configs.md, generated from the table; a test compares the two.
import { envs } from "../../envs/index.ts";
import { schemaOf } from "./context.ts";
import type { KeyMapping } from "./key-mapping.ts";
import { IMPLIED, type Implied } from "./keys/implied.ts";
import { shortValue } from "./report.ts";
import { TABLE } from "./table.ts";

const INTRODUCTION = `# VAGEN's configurations

Generated from the table in \`src/config/vagen/keys\`; do not edit by hand.

The studio reads and writes VAGEN's configuration files, of both generations: the legacy trainer, and Lite on veRL's agent
loop, with the keys that Lite has had since August 2026. It also reads experiments of AReaL's. \`npm run import\`, and
*From a file…* beside the page's presets, read trainer YAML, dataset YAML, files of flags, and overrides such as
\`algorithm.gamma=1.0\`, one a line or in a shell script. \`npm run export -- --as vagen-legacy\` and
\`--as vagen-lite\` write such files, and so does *Save for VAGEN…* below the presets in the page.

\`\`\`sh
npm run import -- trainer.yaml dataset.yaml --set algorithm.gamma=0.99 --out run.yaml
npm run train -- --config run.yaml --out run/
npm run export -- --preset frozenlake-nano --as vagen-lite --out cluster/
\`\`\`

VAGEN's generation of August 2026 shares Lite's keys but trains otherwise: rewards stay at the turns that earn them, and a mean is over a
whole minibatch. \`trainer.harness\` marks its files, and \`trainer.concat_multi_turn\` those of before. Files with neither count as files of
August 2026 if they use an estimator, a loss, a key or a reply format that earlier ones lack, such as \`token_level_gae\`, \`turn_ppo\`,
\`algorithm.gamma_turn\` or \`wm_think\`.

Files such as these three are enough. They are of Lite: a trainer's, and a dataset each to train and to validate on.

\`\`\`yaml
# trainer.yaml
data:
  train_batch_size: 32
actor_rollout_ref:
  actor:
    ppo_mini_batch_size: 8
    optim: { lr: 1e-6 }
  rollout:
    n: 4
algorithm:
  adv_estimator: bi_level_gae
trainer:
  concat_multi_turn: true
  total_training_steps: 60
\`\`\`

\`\`\`yaml
# train.yaml
envs:
  - name: Sokoban
    n_envs: 1000
    data_source: sokoban
    seed: [1, 1000, 1]
    max_turns: 5
    config: { render_mode: vision, dim_room: [6, 6], prompt_format: wm }
\`\`\`

\`\`\`yaml
# val.yaml
envs:
  - name: Sokoban
    n_envs: 96
    data_source: sokoban
    seed: [10001, 10096, 1]
    max_turns: 5
    config: { render_mode: vision, dim_room: [6, 6], prompt_format: wm }
\`\`\`

\`\`\`sh
npm run import -- trainer.yaml train.yaml val.yaml --preset sokoban-nano --out run.yaml
\`\`\`

\`--preset\` supplies what the files leave open, such as the size of the policy.

## The report of an import

Where several files are datasets, a key has the name of its file before it, such as \`val.yaml: envs[0].n_envs\`.

- **applied**: the value is in the configuration. Where its meaning differs here, a note says how.
- **assumed**: the files leave the key out, and the method depends on VAGEN's default (marked • in the column *Default*).
- **unsupported**: VAGEN supports it and the studio does not yet, so the run differs. Where the report names a missing setting, the
  key becomes *applied* as soon as the schema has it.
- **ignored**: the studio has no setting for the key. The report says why.
- **refused**: the schema rejects the value. The report names field, value and remedy; all other values stay.
- **unknown**: neither VAGEN nor the studio has such a key. The report names the nearest one.

YAML is read as Hydra reads it, which is YAML 1.1: \`no\`, \`off\`, \`yes\` and \`on\` are booleans unless they are quoted,
\`010\` is 8 and \`1_000\` is 1000. In overrides Hydra accepts only \`true\` and \`false\` as booleans, and so does the import:
it refuses any other value of a switch. The override \`~key\` deletes a key or a section: it is read as if no file had it. A section
that is null has no keys, even if an earlier file sets some.

A reference such as \`\${trainer.save_freq}\` has the final value of that key, after all files and overrides. A reference that
leads back to itself is refused; the report shows the cycle.

Values are imported unchanged. The learning rates and token budgets of VAGEN's examples belong to pretrained models with
billions of parameters, so check them before you train.

## Scripts

A script is read as a shell reads it, but nothing is executed: variables that the script sets are filled in, with their
defaults (\`\${NAME:-default}\`); what only a running shell knows stays as text, and such a key is ignored. What
\`tmux send-keys\` types into another terminal is read as commands. Of several commands in one file, the overrides of the
trainer count, and \`use_state_reward\` of the server; of several training runs, the first. Launchers that take shared
overrides from a file of flags are imported together with it:

\`\`\`sh
npm run import -- training_defaults.flags train_bi_level_gae.sh train_sokoban.yaml val_sokoban.yaml --out run.yaml
\`\`\`

YAML files yield to flags, and flags to scripts, in whatever order they are given. \`\${oc.env:NAME,default}\` is its default.

## Seeds and validation

\`seed: [min, max, 1]\` with as many entries as seeds is the range \`min-max\`; \`[min, max]\`, \`[min, max, limit]\` and
\`[base]\` are draws, by the same rule but with the studio's own random numbers; \`seed_list\` is a list. Of several
validation entries of a task the first that plays it as training does is its validation, and the others are \`trainer.val_sets\`: each has
seeds, the options and \`max_turns\` in which it differs from the task that is trained, and metrics under its own name.
A data set is for validation if a word of its file's name is \`val\`, \`valid\`, \`validation\`, \`test\`, \`eval\` or \`evaluation\` and none is \`train\` or \`training\`.

Of several entries to train on the first is the run's own task, and the others are \`envs\`, further environments with their options,
\`max_turns\` and seeds. VAGEN draws uniformly from the levels of all entries, so \`n_envs\` (legacy: \`train_size\`), relative to that of the first entry, becomes their weight.
In written Lite files, an entry has as many levels as its weight requires: seeds are repeated, or left out where a list or a set would become too long.
All other settings are the run's. Where an entry, or VAGEN's default for it, says something else than the first one, such as another
\`prompt_format\` or \`response_length_per_turn\`, the report has both values under *unsupported*.

## Environments on a server

An entry of Lite's \`RemoteEnv\` does not name its task, so its options decide: \`eval_set\` or \`step_length\` means Navigation,
\`env_id\` or \`mask_success\` PrimitiveSkill, \`dataset_name\` or one of the weights of similarity SVG. The options of VAGEN's client, such as
\`base_urls\` and \`timeout\`, are ignored. No report shows a \`token\`, \`api_key\` or password: its value is \`(hidden)\`.

## Written files

Settings that VAGEN has no key or no value for are written as comments, \`# studio: path = value\`. VAGEN skips them and the
studio reads them back, so writing and reading a configuration does not change it. A written trainer file extends the
release's own (\`defaults\`). Lite has one dataset file for training and one for validation; the file's name decides which.
Lite plays Navigation and SVG on a server, so they are written as \`RemoteEnv\` with a \`base_urls\` to fill in. \`npm run export\` says so, and
names each environment and each task set of Navigation that a release does not have.

Levels that are not one range are written as a \`seed_list\`, so that VAGEN plays the same ones; the entries of a file list at most 1,500 seeds.
Where they would list more, a draw such as \`5000 of 0-4999 repeated\` is written as one, and VAGEN's own random numbers decide;
\`npm run export\` says so. Other levels that are too many, such as \`1-5000, 5002-10001\`, are refused.
`;

/** The page as Markdown. */
export function vagenMarkdown(): string {
  const trainer = TABLE.filter(({ part }) => part === "trainer");
  const dataset = TABLE.filter(({ part }) => part === "dataset");
  return [
    INTRODUCTION,
    section("Trainer", trainer),
    section("Dataset", dataset, "Options of an environment are in `env_config` (legacy) or `config` (Lite)."),
    implied(),
  ].join("\n");
}

function section(title: string, rows: readonly KeyMapping[], text = ""): string {
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

function setRow(row: KeyMapping): string {
  const { key, default: preset, assumed, converted, note, env, exceptIn } = row;
  const shown = preset === undefined ? "" : `\`${shortValue(preset)}\`${assumed ? " •" : ""}`;
  const place = exceptIn ? `Not in ${exceptIn.join(" and ")}.` : env && `${env} only.`;
  const remarks = [place, notYet(row), converted, note].filter(Boolean).join(" ");
  return `| \`${key}\` | ${generationsOf(row)} | ${shown} | \`${row.path}\` | ${remarks} |`;
}

function unsetRow(row: KeyMapping): string {
  return `| \`${row.key}\` | ${generationsOf(row)} | ${row.why}${row.write ? " Written on export." : ""} |`;
}

const generationsOf = ({ generations }: KeyMapping): string =>
  generations.length > 1 ? "both" : generations[0]!;

const schema = schemaOf(...envs.all);

function notYet({ path, builtIn }: KeyMapping): string {
  if (schema.has(path!)) return "";
  const same = builtIn === undefined ? "" : ` The studio behaves as with \`${JSON.stringify(builtIn)}\`.`;
  return `Not supported yet.${same}`;
}

function implied(): string {
  const rows = IMPLIED.map(
    (one) => `| \`${one.path}\` | \`${JSON.stringify(one.value)}\` | ${whereImplied(one)} | ${one.why} |`,
  );
  return [
    "## What VAGEN does without a key",
    "\nWith a dataset file the import assumes these, and the rewards of that generation's environment.\n",
    "| Setting of the studio | Value | Where | Why |\n|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const whereImplied = ({ judgeOf, generation, env }: Implied): string =>
  judgeOf === undefined
    ? [generation, env].filter(Boolean).join(" ") || "everywhere"
    : `legacy ${judgeOf} with use_state_reward`;
