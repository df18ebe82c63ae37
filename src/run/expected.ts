// What a run's first validation should show, because the policy that it starts from was measured when its file was made.
import { diffConfigs } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import { validationSeeds } from "../config/levels.ts";
import { type RunConfig, VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { envs } from "../envs/index.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import type { Metrics } from "../rl/metrics.ts";
import { idsKnownTo } from "./extensions.ts";

/**
 * What a validation with some settings should show of a checkpoint's policy: `expected/success` with the bounds of its
 * interval, if episodes are those of the measurement, and `expected/format_correct`, if only the replies are.
 */
export function expectedOf({ update, config, extensions, provenance }: CheckpointMeta) {
  const figures = provenance?.figures ?? {};
  const made = inspectRunConfig(config, envs, idsKnownTo(extensions)).config;
  // A run's own checkpoints keep the figures of its last validation, which may be of earlier weights.
  const isOfWeights = (figures["val/update"] ?? update) === update;
  return (now: RunConfig): Metrics => {
    if (!made || !isOfWeights || !samplesPlainly(now) || !hasFormOf(made, now)) return {};
    return { ...formatIn(figures), ...(playsLike(made, now, figures) ? successIn(figures) : {}) };
  };
}

type Figures = Readonly<Record<string, number>>;

const MEASURED = "val/success, temperature 1";

function successIn({ [MEASURED]: rate, [`${MEASURED}, low`]: low, [`${MEASURED}, high`]: high }: Figures) {
  if (rate === undefined || low === undefined || high === undefined) return {};
  return { "expected/success": rate, "expected/success/low": low, "expected/success/high": high };
}

function formatIn({ "val/format_correct": share }: Figures): Metrics {
  return share === undefined ? {} : { "expected/format_correct": share };
}

/** Whether validations sample as measurements do. */
const samplesPlainly = ({ trainer }: RunConfig): boolean =>
  trainer.val_temperature === 1 && trainer.val_top_p === 1 && trainer.val_top_k === 0;

/** Settings that decide which form a reply has. */
const FORM: readonly string[] = [
  "env.name",
  "env.config.render_mode",
  ...["prompt_format", "state_format", "reply_reading", "workflow"].map((key) => `rollout.${key}`),
  "rollout.window_size",
  "trainer.harness",
];

/** Whether replies are those that the policy was taught, and have room. */
function hasFormOf(made: RunConfig, now: RunConfig): boolean {
  const hasRoom = now.rollout.response_length >= made.rollout.response_length;
  return hasRoom && diffConfigs(made, now).every(({ path }) => !FORM.includes(path));
}

/** Settings of the rollout that only training has. */
const OF_TRAINING = new Set(
  [
    ...["train_batch_size", "n_trajectory", "max_head_offpolicyness", "max_inflight_steps"],
    ...["use_multi_turn_reward", "use_loss_mask", "use_gae_mask", "turn_discount", "export_style"],
    ...["temperature", "top_p", "top_k"],
  ].map((key) => `rollout.${key}`),
);

/** Whether episodes are those of the measurement: the same environment, replies and turns, mostly on the same levels. */
function playsLike(made: RunConfig, now: RunConfig, figures: Figures): boolean {
  const differ = diffConfigs(made, now).some(
    ({ path }) => /^(env|envs|rollout|trainer\.compact_\w+)(\.|$)/.test(path) && !OF_TRAINING.has(path),
  );
  return !differ && playsMostly(validationSeeds(now), measuredLevels(made, figures));
}

/** Without levels of its own, a checkpoint is measured on the first that validations have. */
function measuredLevels(made: RunConfig, { "val/episodes": episodes = 0 }: Figures): readonly number[] {
  return made.trainer.val_seeds === "" ? consecutive(VALIDATION_FIRST_SEED, episodes) : validationSeeds(made);
}

/** Whether at least half of the levels are among the others. */
function playsMostly(levels: readonly number[], others: readonly number[]): boolean {
  const known = new Set(others);
  return 2 * levels.filter((seed) => known.has(seed)).length >= levels.length;
}
