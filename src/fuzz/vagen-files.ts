// VAGEN's files: trainer YAML, dataset YAML and scripts with overrides.

import { checkedRunConfig } from "../config/check.ts";
import { presets } from "../config/presets.ts";
import { exportVagen } from "../config/vagen/export.ts";
import { importVagen } from "../config/vagen/import.ts";
import { isVagenConfig, type VagenFile } from "../config/vagen/parse/file.ts";
import { reportText } from "../config/vagen/report.ts";
import type { Rng } from "../core/rng.ts";
import { YAML_WORDS } from "./configs.ts";
import { promise, type Target } from "./fuzz.ts";
import { mutatedText } from "./mutate.ts";

const SCRIPT = `#!/bin/bash
set -x
python3 -m vagen.trainer.main_ppo \\
    algorithm.adv_estimator=bi_level_gae \\
    algorithm.high_level_gamma=0.95 \\
    data.train_files=data/frozenlake/train.parquet \\
    data.train_batch_size=32 \\
    actor_rollout_ref.actor.optim.lr=1e-6 \\
    actor_rollout_ref.rollout.temperature=0.7 \\
    +rollout_manager.max_turns="3" \\
    trainer.experiment_name='the lake' $@ 2>&1 | tee log.txt
`;

const WORDS = [
  ...YAML_WORDS,
  "$" + "{algorithm.gamma}",
  "$" + "{.lr}",
  "$" + "{oc.env:HOME}",
  "$" + "{k.k1}$" + "{k.k1}",
  "k:\n  k1: $" + "{k.k2}$" + "{k.k2}\n  k2: $" + "{k.k1}\n",
  "algorithm.gamma=",
  "trainer.total_training_steps=[1,{a: 2}] ",
  "# studio: actor.lr = 1\n",
  "env_name: frozenlake\n",
  "envs: [{name: Sokoban, config: {toString: 1}}]\n",
  "\\",
];

const bases: readonly VagenFile[][] = [
  [{ name: "run.sh", text: SCRIPT }],
  ...presets.all.flatMap(({ config }) => [exportVagen(config, "legacy"), exportVagen(config, "lite")]),
];

export const vagenFiles: Target<readonly VagenFile[]> = {
  name: "vagen",
  make: (random: Rng) =>
    random
      .pick(bases)
      .map(({ name, text }) => ({ name, text: random.int(3) ? mutatedText(random, text, WORDS) : text })),
  read(files) {
    for (const { text } of files) isVagenConfig(text);
    const imported = importVagen(files);
    promise(reportText(imported).length < 2 ** 22, "the report has less than 4 MB");
    promise(!("polluted" in {}), "no prototype is changed");
    checkedRunConfig(imported.config);
  },
  show: (files) => files.map(({ name, text }) => `== ${name}\n${text}`).join("\n"),
};
