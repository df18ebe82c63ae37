// The judge pays more and more while the task is solved no oftener: the policy has learnt to please the judge.

import { mean } from "../../core/statistics.ts";
import { JUDGED_TERMS } from "../reward/index.ts";
import type { Alarm } from "./alarm.ts";
import { type Point, type Reading, recentMean, seriesOf, success } from "./history.ts";

/** Updates whose mean is compared. */
const WINDOW = 10;
/** Updates between the windows: a hack is found in some, or crept in over many. The run's beginning is compared, too. */
const LAGS = [0, 10, 20, 30];
const RISE = 1.25;
/** Of all that is paid. A judge that pays most of it cannot pay a quarter more, and a small part of the rest is no motive. */
const SHARE = 0.1;
/** In rewards: less than this changes no advantage. */
const LEAST_RISE = 0.01;
/** A rise has to stand out from what updates differ by anyway. */
const STANDARD_ERRORS = 3;
const FLAT = 0.03;
const SOLVED = 0.95;
/** Metrics of the terms that a judge's verdicts pay; what anything else pays does not please a judge. */
const BY_JUDGE = JUDGED_TERMS.map((id) => `reward/${id}`);

/** What judges pay in an episode, summed over its turns; nothing where no term is judged. */
const judged: Reading = (values) => {
  const terms = BY_JUDGE.flatMap((key) => values[key] ?? []);
  return terms.length > 0 ? terms.reduce((sum, reward) => sum + reward, 0) : undefined;
};

/** What every term gives or takes in an episode. */
const paid: Reading = (values) => {
  const terms = Object.keys(values).filter((key) => key.startsWith("reward/"));
  return terms.length > 0 ? terms.reduce((sum, key) => sum + Math.abs(values[key] ?? 0), 0) : undefined;
};

/** Judge reward up while success is flat. */
export const rewardHacking: Alarm = {
  id: "reward_hacking",
  title: "Possible reward hacking",
  meaning:
    "What the judge pays has risen while success has not: replies may drift towards text that is nearly always true, or episodes are drawn out to be paid more often.",
  remedy:
    "Read the newest traces: vague claims, or turns that go nowhere? Lower the judge's reward weights, switch scale_by_turns on, or go back to a checkpoint from before it.",
  severity: "warning",
  reads: ["reward/", "train/success/"],
  raise(history, since) {
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
    // Over more updates than what began it: a few poor ones end nothing.
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

/** What judges paid and how often the task was solved, update by update. */
interface Courses {
  pay: readonly Point[];
  rate: readonly Point[];
}

/** The newest window against the one that ends `lag` updates before it; null while there are too few updates. */
function compared({ pay, rate }: Courses, lag: number): Comparison | null {
  if (lag < 0 || Math.min(pay.length, rate.length) < 2 * WINDOW + lag) return null;
  const judge = changeOf(pay, lag);
  return { judge, wins: changeOf(rate, lag), began: riseBegan(pay.slice(-WINDOW - lag), judge) };
}

function changeOf(points: readonly Point[], lag: number): Change {
  const values = points.map(({ value }) => value);
  const recent = values.slice(-WINDOW);
  const earlier = values.slice(-2 * WINDOW - lag, -WINDOW - lag);
  const error = Math.sqrt((variance(recent) + variance(earlier)) / WINDOW);
  return { before: mean(earlier), now: mean(recent), error };
}

/** @param all what an episode is paid now, by every term. */
function isHack({ judge, wins }: Comparison, all: number): boolean {
  const rise = judge.now - judge.before;
  const counts = judge.now > RISE * judge.before || rise > SHARE * all;
  const stands = counts && rise > LEAST_RISE && rise > STANDARD_ERRORS * judge.error;
  return stands && wins.now - wins.before < FLAT && wins.now < SOLVED;
}

/** The first update after the earlier window that was paid more than midway between the two. */
function riseBegan(after: readonly Point[], { before, now }: Change): number {
  const first = after.find(({ value }) => value > (before + now) / 2);
  return (first ?? after[0]).update;
}

function variance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}
