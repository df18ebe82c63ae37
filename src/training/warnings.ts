// Warnings about updates that cannot learn: the judge fails, so that claims earn nothing, or replies are cut off before their
// format is complete.
import type { RunConfig } from "../config/run-config.ts";
import { message, said, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import { hasJudgeFailed, wasJudged } from "../core/verdict.ts";
import { remedyFor } from "../judge/llm/remedies.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { TrainingFact } from "./events.ts";

type Warning = Extract<TrainingFact, { type: "warning" }>;

/** The share of failed claims above which the judge counts as failing. */
const FAILED_SHARE = 0.5;

/** Returns a check to call after each update. It warns when the judge starts to fail, and again only after a recovery. */
export function watchJudge(): (trajectories: readonly Trajectory[], update: number) => Warning[] {
  let isFailing = false;
  return (trajectories, update) => {
    const verdicts = trajectories.flatMap(({ turns }) =>
      turns.flatMap((turn) => Object.values(turn.verdicts)),
    );
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
    return areCut && !wereCut ? [repliesCut(update, share, config.rollout.response_length)] : [];
  };
}

const repliesCut = (update: number, share: number, limit: number): Warning => ({
  type: "warning",
  update,
  code: "replies_cut",
  ...said(
    message`${Math.round(share * 100)} % of the replies of update ${update} reached the limit of ${limit} tokens (${setting("rollout.response_length")}).`,
    "Raise the limit if the format needs more tokens. If the policy never ends its replies, start with SFT updates or from another checkpoint.",
  ),
});
