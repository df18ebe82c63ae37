// Reward hacking: the judge reward rises while success does not.

import { mean, populationVariance } from "../../core/statistics.ts";
import { JUDGED_TERMS } from "../reward/index.ts";
import type { Alarm } from "./alarm.ts";
import { type Point, type Reading, recentMean, seriesOf, success } from "./history.ts";

/** Updates whose mean is compared. */
const WINDOW = 10;
/** Updates between the windows: a hack may appear within a few updates or over many. The run's start is compared, too. */
const LAGS = [0, 10, 20, 30];
const RISE = 1.25;
/** A rise also counts if it is this share of all rewards, since a judge reward that dominates cannot rise by a quarter. */
const SHARE = 0.1;
/** A smaller rise in rewards does not change advantages. */
const LEAST_RISE = 0.01;
/** A rise must exceed the noise between updates. */
const STANDARD_ERRORS = 3;
const FLAT = 0.03;
const SOLVED = 0.95;
/** Metrics of the reward terms that a judge decides. */
const BY_JUDGE = JUDGED_TERMS.map((id) => `reward/${id}`);

/** The judge reward of an episode, summed over its turns; undefined if no term is judged. */
const judged: Reading = (values) => {
  const terms = BY_JUDGE.flatMap((key) => values[key] ?? []);
  return terms.length > 0 ? terms.reduce((sum, reward) => sum + reward, 0) : undefined;
};

/** The sum of the absolute values of all reward terms of an episode. */
const paid: Reading = (values) => {
  const terms = Object.keys(values).filter((key) => key.startsWith("reward/"));
  return terms.length > 0 ? terms.reduce((sum, key) => sum + Math.abs(values[key] ?? 0), 0) : undefined;
};

/** Judge reward up while success is flat. */
export const rewardHacking: Alarm = {
  id: "reward_hacking",
  title: "Possible reward hacking",
  meaning:
    "The judge reward has risen while success has not. Replies may drift towards claims that are nearly always true, or episodes may be prolonged to collect the reward more often.",
  remedy:
    "Read the newest traces for vague claims and pointless turns. Lower the judge's reward weights, turn scale_by_turns on, or go back to an earlier checkpoint.",
  severity: "warning",
  stage: "ppo",
  reads: ["reward/", "train/success/"],
  detect(history, since) {
    const fresh = history.filter(({ update }) => update > since);
    const courses = { pay: seriesOf(fresh, judged), rate: seriesOf(fresh, success) };
    const all = recentMean(seriesOf(fresh.slice(-WINDOW), paid), WINDOW);
    const lags = [...LAGS, fresh.length - 2 * WINDOW];
    const found = lags.flatMap((lag) => compared(courses, lag) ?? []).find((change) => isHack(change, all));
    if (!found) return null;
    const { judge, wins, began } = found;
    return {
      began,
      evidence: [
        { metric: "judge", title: "judge reward", before: judge.before, now: judge.now },
        { metric: "train/success", title: "success", before: wins.before, now: wins.now },
      ],
    };
  },
  isOver(history, { evidence: [judge, wins] }) {
    const { before = 0, now } = judge;
    // Over more updates than the detection, so that a few poor ones do not end the alarm.
    const recent = history.slice(-2 * WINDOW);
    const isBack = recentMean(seriesOf(recent, judged), 2 * WINDOW) < before + (now - before) / 3;
    const best = Math.max(wins.before ?? 0, wins.now);
    return isBack || recentMean(seriesOf(recent, success), 2 * WINDOW) > best + 2 * FLAT;
  },
};

interface Change {
  before: number;
  now: number;
  /** Standard error of the difference. */
  error: number;
}

interface Comparison {
  judge: Change;
  wins: Change;
  began: number;
}

/** Judge reward and success rate by update. */
interface Courses {
  pay: readonly Point[];
  rate: readonly Point[];
}

/** Compares the newest window with the one that ends `lag` updates before it; null if there are too few updates. */
function compared({ pay, rate }: Courses, lag: number): Comparison | null {
  if (lag < 0 || Math.min(pay.length, rate.length) < 2 * WINDOW + lag) return null;
  const judge = changeOf(pay, lag);
  return { judge, wins: changeOf(rate, lag), began: riseBegan(pay.slice(-WINDOW - lag), judge) };
}

function changeOf(points: readonly Point[], lag: number): Change {
  const values = points.map(({ value }) => value);
  const recent = values.slice(-WINDOW);
  const earlier = values.slice(-2 * WINDOW - lag, -WINDOW - lag);
  const error = Math.sqrt((populationVariance(recent) + populationVariance(earlier)) / WINDOW);
  return { before: mean(earlier), now: mean(recent), error };
}

/** @param all the sum of all reward terms of an episode now. */
function isHack({ judge, wins }: Comparison, all: number): boolean {
  const rise = judge.now - judge.before;
  const isLarge = judge.now > RISE * judge.before || rise > SHARE * all;
  const isClear = isLarge && rise > LEAST_RISE && rise > STANDARD_ERRORS * judge.error;
  return isClear && wins.now - wins.before < FLAT && wins.now < SOLVED;
}

/** The first update after the earlier window whose judge reward is more than midway between the two windows. */
function riseBegan(after: readonly Point[], { before, now }: Change): number {
  const first = after.find(({ value }) => value > (before + now) / 2);
  return (first ?? after[0]).update;
}
