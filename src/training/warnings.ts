// Warnings about updates that cannot learn as they should; each `watch…` function describes its own.

import { fewTurns } from "../config/rules/few-turns.ts";
import { sharedHouses } from "../config/rules/shared-houses.ts";
import { sharedLevels } from "../config/rules/shared-levels.ts";
import { unpaidJudge } from "../config/rules/unpaid-judge.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates, updateName } from "../config/run-length.ts";
import { type Message, message, said, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import { askedVerdicts, hasJudgeFailed, wasJudged } from "../core/verdict.ts";
import { remedyFor } from "../judge/llm/remedies.ts";
import type { Metrics } from "../rl/metrics.ts";
import { policyLoss } from "../rl/policy-loss/index.ts";
import type { TrainingFact } from "./events.ts";

type Warning = Extract<TrainingFact, { type: "warning" }>;

const nameOf = (config: RunConfig, update: number): string => updateName(update, sftUpdates(config));

/** The share of failed claims above which the judge counts as failing. */
const FAILED_SHARE = 0.5;

/** Returns a check to call after each update. It warns when the judge starts to fail, and again only after a recovery. */
export function watchJudge(): (trajectories: readonly Trajectory[], update: number) => Warning[] {
  let isFailing = false;
  return (trajectories, update) => {
    const verdicts = trajectories.flatMap(({ turns }) => turns.flatMap(askedVerdicts));
    const failed = verdicts.filter(hasJudgeFailed);
    const asked = failed.length + verdicts.filter(wasJudged).length;
    const wasFailing = isFailing;
    // An update without claims says nothing about the judge.
    if (asked > 0) isFailing = failed.length / asked >= FAILED_SHARE;
    return isFailing && !wasFailing ? [judgeFailing(update, failed.length, asked, failed[0]!.reason)] : [];
  };
}

const judgeFailing = (update: number, failed: number, asked: number, reason: string): Warning => ({
  type: "warning",
  update,
  code: "judge_failing",
  ...said(
    `The judge decided ${asked - failed} of ${asked} claims; the others earn nothing. ${reason}`,
    message`${remedyFor(reason)} You can stop the run and resume it later without loss.`,
  ),
});

/** The share of replies at the token limit above which the limit shapes the replies. */
const CUT_SHARE = 0.5;

/** Returns a check to call after each update. It warns when most replies start to be cut, and again only after a recovery. */
export function watchReplies(): (metrics: Metrics, config: RunConfig, update: number) => Warning[] {
  let areCut = false;
  return (metrics, config, update) => {
    const share = metrics["response_length/clip_ratio"];
    if (share === undefined) return [];
    const wereCut = areCut;
    areCut = share >= CUT_SHARE;
    return areCut && !wereCut ? [repliesCut(update, share, config)] : [];
  };
}

const repliesCut = (update: number, share: number, config: RunConfig): Warning => ({
  type: "warning",
  update,
  code: "replies_cut",
  ...said(
    message`${Math.round(share * 100)} % of the replies of ${nameOf(config, update)} reached the limit of ${config.rollout.response_length} tokens (${setting("rollout.response_length")}).`,
    "After little SFT, a policy does not yet end its replies: give it more SFT updates, or start from another checkpoint. If the format needs more tokens, raise the limit.",
  ),
});

/** Returns a check to call after each update. It warns the first time that SFT leaves demonstrations out. */
export function watchDemonstrations(): (metrics: Metrics, config: RunConfig, update: number) => Warning[] {
  let hasWarned = false;
  return (metrics, config, update) => {
    const share = metrics["sft/too_long"] ?? 0;
    if (hasWarned || share === 0) return [];
    hasWarned = true;
    return [leftOut(update, share, metrics["response_length/max"] ?? 0, config.rollout.response_length)];
  };
}

const leftOut = (update: number, share: number, longest: number, limit: number): Warning => ({
  type: "warning",
  update,
  code: "demonstrations_too_long",
  ...said(
    message`SFT left out ${Math.ceil(100 * share)} % of the demonstrations of update ${update}: a reply has ${longest} tokens, more than the limit of ${limit} (${setting("rollout.response_length")}). Later ones are left out too.`,
    message`Use at least ${longest} if the policy should learn from them.`,
  ),
});

/** Returns a check to call after each update. It warns once when stale episodes are trained on without a correction. */
export function watchStaleness(): (metrics: Metrics, config: RunConfig, update: number) => Warning[] {
  let hasWarned = false;
  return (metrics, config, update) => {
    const staleness = metrics["version_stats/sample_staleness_proximal_avg"] ?? 0;
    if (hasWarned || staleness <= 0 || config.actor.use_decoupled_loss) return [];
    hasWarned = true;
    return [uncorrected(update, config)];
  };
}

const uncorrected = (update: number, config: RunConfig): Warning => ({
  type: "warning",
  update,
  code: "stale_uncorrected",
  ...said(
    message`The episodes of ${nameOf(config, update)} were played with an older policy (${setting("rollout.max_head_offpolicyness")}), and the loss does not correct for that.`,
    message`Turn on ${setting("actor.use_decoupled_loss")}.`,
  ),
});

/** Turns in a sequence above which the terms beside a loss of turns are noticeably too light. */
const SEVERAL_TURNS = 1.5;

/**
 * Returns a check to call after each update. With a loss of turns it warns once that entropy and KL weigh less than with a loss
 * of tokens, and when the ratios of turns begin to spread beyond the clip.
 */
export function watchTurnLoss(): (metrics: Metrics, config: RunConfig, update: number) => Warning[] {
  let hasWarned = false;
  let wasWide = false;
  return (metrics, config, update) => {
    const turns = metrics["actor/turns_per_row"];
    if (turns === undefined || !policyLoss(config.actor.loss_mode).ratio.startsWith("turn")) return [];
    const { entropy_coeff: entropy, use_kl_loss: hasKl, clip_ratio: clip } = config.actor;
    const isLight = !hasWarned && turns >= SEVERAL_TURNS && (entropy > 0 || hasKl);
    hasWarned ||= isLight;
    const spread = metrics["actor/turn_log_ratio_std"] ?? 0;
    const isWide = spread > Math.log(1 + clip);
    const becameWide = isWide && !wasWide;
    wasWide = isWide;
    return [
      ...(isLight ? [lightTerms(update, turns)] : []),
      ...(becameWide ? [wideRatios(update, spread, clip)] : []),
    ];
  };
}

const lightTerms = (update: number, turns: number): Warning => ({
  type: "warning",
  update,
  code: "turn_loss_terms",
  ...said(
    message`The policy loss sums over the ${turns.toFixed(1)} turns of a sequence; the entropy bonus and the KL are means, so they weigh that much less beside it.`,
    message`Multiply ${setting("actor.entropy_coeff")} and ${setting("actor.kl_loss_coef")} by about ${turns.toFixed(1)}.`,
  ),
});

const wideRatios = (update: number, spread: number, clip: number): Warning => ({
  type: "warning",
  update,
  code: "turn_ratios_wide",
  ...said(
    message`The ratios of turns spread by ${spread.toFixed(2)} in the logarithm, more than the clip of ${Math.log(1 + clip).toFixed(2)} (${setting("actor.clip_ratio")}). Many turns have no gradient.`,
    message`Raise ${setting("actor.clip_ratio")}: the ratio of a long turn multiplies those of its tokens. Or use turn_gspo as ${setting("actor.loss_mode")}.`,
  ),
});

/** Warns at the start of a run whose episodes have fewer turns than its levels take, or that asks a model for verdicts that pay nothing. */
export function startWarnings(config: RunConfig): Warning[] {
  const few = fewTurns(config);
  const unpaid = unpaidJudge(config);
  return [...(few ? [atStart("few_turns", few)] : []), ...(unpaid ? [atStart("judge_unpaid", unpaid)] : [])];
}

const atStart = (code: string, { message, hint }: { message: Message; hint: Message }): Warning => ({
  type: "warning",
  update: 0,
  code,
  ...said(message, hint),
});

/** Returns a check to call at the start and after each update. It warns when training and validations begin to share levels. */
export function watchLevels(): (config: RunConfig, update: number) => Warning[] {
  let seen = "";
  return (config, update) => {
    const { train_seeds, val_seeds, val_size, val_sets } = config.trainer;
    const seeds = JSON.stringify([train_seeds, val_seeds, val_size, val_sets, config.envs]);
    if (seeds === seen) return [];
    seen = seeds;
    const shared = sharedLevels(config) ?? sharedHouses(config);
    return shared
      ? [{ type: "warning", update, code: "levels_shared", ...said(shared.message, shared.hint) }]
      : [];
  };
}
