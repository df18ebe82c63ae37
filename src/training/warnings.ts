// Warnings about an update that would train on and learn nothing: a judge that fails, whose claims earn nothing and are not
// counted, and replies that are cut off before their form is complete.
import type { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import { hasJudgeFailed, wasJudged } from "../core/verdict.ts";
import { remedyFor } from "../judge/llm/remedies.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { TrainingFact } from "./events.ts";

type Warning = Extract<TrainingFact, { type: "warning" }>;

/** From this share of failed claims on a judge is of no use. */
const MOST_CLAIMS = 0.5;

/** Watches update after update; warns when a judge begins to fail, and again only after it has recovered. */
export function watchJudge(): (trajectories: readonly Trajectory[], update: number) => Warning[] {
  let isFailing = false;
  return (trajectories, update) => {
    const verdicts = trajectories.flatMap(({ turns }) =>
      turns.flatMap((turn) => Object.values(turn.verdicts)),
    );
    const failed = verdicts.filter(hasJudgeFailed);
    const asked = failed.length + verdicts.filter(wasJudged).length;
    const wasFailing = isFailing;
    // An update in which nothing was asked tells nothing.
    if (asked > 0) isFailing = failed.length / asked >= MOST_CLAIMS;
    return isFailing && !wasFailing ? [judgeFailing(update, failed.length, asked, failed[0]!.reason)] : [];
  };
}

const judgeFailing = (update: number, failed: number, asked: number, reason: string): Warning => ({
  type: "warning",
  update,
  code: "judge_failing",
  message: `The judge decided ${asked - failed} of ${asked} claims; the others earn nothing. ${reason}`,
  hint: `${remedyFor(reason)} Stopping and resuming the run loses nothing.`,
});

/** From this share of replies at the limit on, the limit decides what is said. */
const MOST_REPLIES = 0.5;

/** Watches update after update; warns when most replies begin to be cut, and again only after that was over. */
export function watchReplies(): (metrics: Metrics, config: RunConfig, update: number) => Warning[] {
  let areCut = false;
  return (metrics, config, update) => {
    const share = metrics["response_length/clip_ratio"];
    if (share === undefined) return [];
    const wereCut = areCut;
    areCut = share >= MOST_REPLIES;
    return areCut && !wereCut ? [repliesCut(update, share, config.rollout.response_length)] : [];
  };
}

const repliesCut = (update: number, share: number, limit: number): Warning => ({
  type: "warning",
  update,
  code: "replies_cut",
  message: `${Math.round(share * 100)} % of the replies of update ${update} reached the limit of ${limit} tokens (rollout.response_length).`,
  hint: "Raise the limit if their form needs more; a policy that does not end its replies by itself needs a warm-up or another checkpoint.",
});
