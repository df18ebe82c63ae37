// Entropy collapse: the policy no longer explores, although the task is not solved.
import type { Alarm } from "./alarm.ts";
import { lastAll, metric, recentMean, seriesOf, sinceWhen, success, valuesOf } from "./history.ts";

const KEY = "actor/entropy";
/** The usual entropy is the highest of these first updates, in case the collapse happens among them. */
const FIRST_UPDATES = 5;
/** Nats per token below which there is nothing left to sample, whatever the usual entropy. */
const NOTHING_LEFT = 0.003;
/** The bound as a share of the usual entropy. Runs that end well lose four fifths of it, collapsed ones nearly all. */
const SHARE_LEFT = 0.08;
const IN_A_ROW = 3;
/** A policy that has solved its task may be certain: the alarm begins only below the first rate and ends above the second. */
const SOLVED = 0.95;
const SURELY_SOLVED = 0.97;

/** Entropy close to 0, or a small share of the first values. */
export const entropyCollapse: Alarm = {
  id: "entropy_collapse",
  title: "Entropy collapse",
  meaning:
    "The policy is nearly certain of every token and no longer explores, so it cannot find anything better.",
  remedy:
    "Go back to an earlier checkpoint and lower the actor's learning rate, or raise the entropy bonus or the KL coefficient.",
  severity: "danger",
  stage: "ppo",
  reads: [KEY, "train/success/"],
  detect(history) {
    const points = seriesOf(history, metric(KEY));
    const before = Math.max(...valuesOf(points.slice(0, FIRST_UPDATES)));
    const limit = Math.max(NOTHING_LEFT, SHARE_LEFT * before);
    const isLow = (value: number) => value < limit;
    if (!lastAll(points, IN_A_ROW, isLow)) return null;
    if (recentMean(seriesOf(history, success), IN_A_ROW) >= SOLVED) return null;
    const now = recentMean(points, IN_A_ROW);
    return {
      began: sinceWhen(points, isLow),
      evidence: [{ metric: KEY, title: "entropy", before, now, limit }],
    };
  },
  isOver(history, { evidence: [{ limit = NOTHING_LEFT }] }) {
    if (recentMean(seriesOf(history, success), IN_A_ROW) >= SURELY_SOLVED) return true;
    return lastAll(seriesOf(history, metric(KEY)), IN_A_ROW, (value) => value > 1.5 * limit);
  },
};
