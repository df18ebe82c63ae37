// Reward-variance cliff: the rewards of an update's episodes are suddenly alike, so advantages contain no signal.
import { REWARD_VARIANCE_NAME } from "../metric/index.ts";
import type { Alarm } from "./alarm.ts";
import {
  lastAll,
  median,
  type Reading,
  recentMean,
  seriesOf,
  sinceWhen,
  success,
  valuesOf,
} from "./history.ts";

const WITHIN_GROUPS = REWARD_VARIANCE_NAME;
const OVER_BATCH = "critic/score/std";
const IN_A_ROW = 3;
/** The number of updates that determine the usual variance. */
const USUAL_OVER = 5;
const SHARE_LEFT = 0.2;
/** A usual variance below this is rounding. */
const NO_VARIANCE = 1e-6;
/** Success explains equal rewards: the alarm begins only below the first rate and ends above the second. */
const SUCCEEDS = 0.8;
const SURELY_SUCCEEDS = 0.85;

/** Within groups if episodes are grouped, otherwise over the batch. */
const variance: Reading = (values) => values[WITHIN_GROUPS] ?? square(values[OVER_BATCH]);
const square = (deviation: number | undefined) => (deviation === undefined ? undefined : deviation ** 2);

/** Reward variance far below its usual value although few episodes succeed. */
export const rewardVarianceCliff: Alarm = {
  id: "reward_variance_cliff",
  title: "Reward-variance cliff",
  meaning:
    "Episodes suddenly get nearly equal rewards although few succeed, so advantages are noise. This often precedes a collapse into one fixed reply.",
  remedy:
    "Read the newest traces. If all episodes fail in the same way, go back to an earlier checkpoint and lower the learning rate; otherwise use easier levels or more episodes per update.",
  severity: "danger",
  stage: "ppo",
  reads: [WITHIN_GROUPS, OVER_BATCH, "train/success/"],
  detect(history, since) {
    const points = seriesOf(history, variance).filter(({ update }) => update > since);
    const earlier = valuesOf(points.slice(0, -IN_A_ROW));
    const before = median(earlier);
    const limit = SHARE_LEFT * before;
    const isLow = (value: number) => value < limit;
    if (earlier.length < USUAL_OVER || before < NO_VARIANCE || !lastAll(points, IN_A_ROW, isLow)) return null;
    if (recentMean(seriesOf(history, success), IN_A_ROW) >= SUCCEEDS) return null;
    const now = recentMean(points, IN_A_ROW);
    const evidence = { metric: WITHIN_GROUPS, title: "reward variance", before, now, limit };
    return { began: sinceWhen(points, isLow), evidence: [evidence] };
  },
  isOver(history, { evidence: [{ limit = 0 }] }) {
    if (recentMean(seriesOf(history, success), IN_A_ROW) >= SURELY_SUCCEEDS) return true;
    return lastAll(seriesOf(history, variance), IN_A_ROW, (value) => value > 2 * limit);
  },
};
