// The policy has stopped to explore: it says the same thing with certainty, right or wrong.
import type { Alarm } from "./alarm.ts";
import { lastAll, metric, recentMean, seriesOf, sinceWhen, success, valuesOf } from "./history.ts";

const KEY = "actor/entropy";
/** The level to fall from: the highest of the first updates, in case the fall is among them. */
const FIRST_UPDATES = 5;
/** Nats per token at which nothing is left to sample, however little there was. */
const NOTHING_LEFT = 0.003;
/** Runs that end well lose four fifths of their entropy; these have lost nearly all of it. */
const SHARE_LEFT = 0.08;
const IN_A_ROW = 3;
/** A policy that has solved its task may be certain. What begins below the first ends above the second, and not in between. */
const SOLVED = 0.95;
const SURELY_SOLVED = 0.97;

/** Entropy next to nothing, or next to nothing of what the run began with. */
export const entropyCollapse: Alarm = {
  id: "entropy_collapse",
  title: "Entropy collapse",
  meaning:
    "The policy is nearly certain of every token and explores no more, so it can no longer find anything better.",
  remedy:
    "Go back to a checkpoint from before it and lower the actor's learning rate, or raise actor.entropy_coeff or the KL coefficient.",
  severity: "danger",
  reads: [KEY, "train/success/"],
  raise(history) {
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
