// Says when a judge fails: its claims earn nothing and are counted nowhere, so a run would train on without its
// reasoning reward and nobody would see it.
import type { Trajectory } from "../core/types.ts";
import { hasJudgeFailed, wasJudged } from "../core/verdict.ts";
import { remedyFor } from "../judge/llm/remedies.ts";
import type { TrainerEvent } from "./events.ts";

type Warning = Extract<TrainerEvent, { type: "warning" }>;

/** From this share of failed claims on a judge is of no use. */
const TOO_MANY = 0.5;

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
    if (asked > 0) isFailing = failed.length / asked >= TOO_MANY;
    return isFailing && !wasFailing ? [warning(update, failed.length, asked, failed[0]!.reason)] : [];
  };
}

const warning = (update: number, failed: number, asked: number, reason: string): Warning => ({
  type: "warning",
  update,
  code: "judge_failing",
  message: `The judge decided ${asked - failed} of ${asked} claims; the others earn nothing. ${reason}`,
  hint: `${remedyFor(reason)} Stopping and resuming the run loses nothing.`,
});
