// What a run's first validation should show, because the policy that it starts from was measured when its file was made.
import { diffConfigs } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import { furtherEntries, largestPicture } from "../config/entries.ts";
import { validationSeeds } from "../config/levels.ts";
import { type RunConfig, VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { wilsonInterval } from "../core/wilson.ts";
import { envs } from "../envs/index.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import type { Metrics } from "../rl/metrics.ts";
import { idsKnownTo } from "./extensions.ts";

/**
 * What a validation with some settings should show of a checkpoint's policy: `expected/success` with the lower bound of its
 * interval, if episodes are those of the measurement, and `expected/format_correct`, if only the replies are. In a run in several
 * environments they are those of each that was measured: `expected/<name>/success`.
 */
export function expectedOf({ update, config, extensions, provenance }: CheckpointMeta) {
  const figures = provenance?.figures ?? {};
  const made = inspectRunConfig(config, envs, idsKnownTo(extensions)).config;
  return (now: RunConfig): Metrics => {
    if (!made || !isMeasurement(figures, made, update) || !samplesPlainly(now)) return {};
    const played = environmentsOf(now);
    const isSameSize = hasSamePictures(made, now);
    const expected = played.map(({ name, config, isFirst }) => {
      const before = environmentsOf(made).find((one) => one.name === name);
      if (!before || !hasFormOf(before.config, config)) return {};
      // The form is measured, and validated, in the first environment only.
      const form = isFirst && before.isFirst ? formatIn(figures) : {};
      const known = figuresOf(figures, before);
      const isComparable = isSameSize && playsLike(before.config, config, known);
      const found = { ...form, ...(isComparable ? successIn(known, before.config) : {}) };
      return named(found, played.length > 1 ? `${name}/` : "");
    });
    return Object.assign({}, ...expected);
  };
}

/** An environment of a run, as if it were its only one. */
interface Environment {
  name: string;
  isFirst: boolean;
  config: RunConfig;
}

const environmentsOf = (config: RunConfig): Environment[] => [
  { name: config.env.name, isFirst: true, config: { ...config, envs: {} } },
  ...furtherEntries(config).map(({ name, config: own }) => ({ name, isFirst: false, config: own })),
];

const named = (expected: Metrics, part: string): Metrics =>
  Object.fromEntries(Object.entries(expected).map(([name, value]) => [`expected/${part}${name}`, value]));

type Figures = Readonly<Record<string, number>>;

const MEASURED = "val/success, temperature 1";
const EPISODES = "val/episodes";

/** The figures of one environment under the names that those of the first have: its own name follows `val/success` and `val/episodes`. */
function figuresOf(figures: Figures, { name, isFirst }: Environment): Figures {
  if (isFirst) return figures;
  const { [VALIDATED]: validated, [`${EPISODES}/${name}`]: episodes } = figures;
  const success = `val/success/${name}, temperature 1`;
  return {
    ...withValue(MEASURED, figures[success]),
    ...withValue(`${MEASURED}, low`, figures[`${success}, low`]),
    ...withValue(EPISODES, episodes),
    ...withValue(VALIDATED, validated),
  };
}

const withValue = (name: string, value: number | undefined): Figures =>
  value === undefined ? {} : { [name]: value };

/** The update after which a run's validation measured; a measurement of its own has none. */
const VALIDATED = "val/update";

/** Whether figures are of the weights of this update, sampled plainly. Those of a run's last validation may be neither. */
function isMeasurement({ [VALIDATED]: validated }: Figures, made: RunConfig, update: number): boolean {
  return validated === undefined || (validated === update && samplesPlainly(made));
}

function successIn(figures: Figures, made: RunConfig): Metrics {
  const { [MEASURED]: rate, [`${MEASURED}, low`]: low } = figures;
  if (rate === undefined || low === undefined) return {};
  const isValidation = figures[VALIDATED] !== undefined;
  return { success: rate, "success/low": isValidation ? lowOver(made, rate) : low };
}

/** The lower bound of a validation's success. It counts levels, because episodes of the same one are alike. */
function lowOver(made: RunConfig, rate: number): number {
  const levels = validationSeeds(made).length;
  return wilsonInterval(rate * levels, levels)[0];
}

function formatIn({ "val/format_correct": share }: Figures): Metrics {
  return share === undefined ? {} : { format_correct: share };
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

/** Whether replies are those that the policy was taught, and have room, and it knows their words and the pictures. */
function hasFormOf(made: RunConfig, now: RunConfig): boolean {
  const hasRoom = now.rollout.response_length >= made.rollout.response_length;
  if (!hasRoom || diffConfigs(made, now).some(({ path }) => FORM.includes(path))) return false;
  // Words that are not shared were never trained.
  return now.trainer.init_vocabulary === "same" && hasSamePictures(made, now);
}

function hasSamePictures(made: RunConfig, now: RunConfig): boolean {
  const [before, after] = [made, now].map(largestPicture);
  return before!.rows === after!.rows && before!.cols === after!.cols;
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
    ({ path }) => /^(env|rollout|trainer\.compact_\w+)(\.|$)/.test(path) && !OF_TRAINING.has(path),
  );
  return !differ && playsMostly(validationSeeds(now), measuredLevels(made, figures));
}

/** Without levels of its own, a checkpoint is measured on the first that validations have. */
function measuredLevels(made: RunConfig, { [EPISODES]: episodes = 0 }: Figures): readonly number[] {
  return made.trainer.val_seeds === "" ? consecutive(VALIDATION_FIRST_SEED, episodes) : validationSeeds(made);
}

/** Whether at least half of the levels are among the others. */
function playsMostly(levels: readonly number[], others: readonly number[]): boolean {
  const known = new Set(others);
  return 2 * levels.filter((seed) => known.has(seed)).length >= levels.length;
}
