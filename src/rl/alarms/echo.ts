// The same words whatever is seen: a template has taken the place of looking.
import type { Alarm, Evidence } from "./alarm.ts";
import { type History, metric, recentMean, seriesOf, sinceWhen, valuesOf } from "./history.ts";

const ECHO = "diversity/echo_share/";
const DISTINCT = "diversity/distinct_4/";
/** Sections that ought to follow what is seen; a whole reply also repeats where only an action is written. */
const SECTIONS = ["observation", "reasoning", "prediction"];
const FIRST_UPDATES = 5;
const IN_A_ROW = 3;
/** Of the way from the run's own beginning to every text being the same. */
const WAY_TO_ECHO = 0.4;
/** Of the distinct phrases that the run began with. */
const PHRASES_LEFT = 0.3;
/** How far a number has to go back beyond its bound before the alarm ends, as a share of it. */
const MARGIN = 0.25;

/** One text fills the batch, or few phrases are left of those that the run began with. */
export const echo: Alarm = {
  id: "echo",
  title: "Echo: replies repeat themselves",
  meaning:
    "A section no longer follows the picture: the same text comes back across episodes. It may still be paid, when a judge finds it nearly always true.",
  remedy:
    "Read the newest traces. Raise the KL coefficient or lower the learning rate, and go back to a checkpoint from before it; if the judge pays for the template, lower its reward weights.",
  severity: "warning",
  reads: [ECHO, DISTINCT],
  raise(history) {
    const echoes = sightedIn(history, echoed);
    // Where one text fills a section it has few phrases too; that need not be said as well.
    const found = echoes.length > 0 ? echoes : sightedIn(history, thinned);
    if (found.length === 0) return null;
    return { began: Math.min(...found.map((evidence) => began(history, evidence))), evidence: found };
  },
  isOver(history, { evidence }) {
    return evidence.every((known) => {
      const margin = known.metric.startsWith(ECHO) ? -MARGIN : MARGIN;
      const bound = { ...known, limit: known.limit! * (1 + margin) };
      return !isBeyond(bound)(recentMean(seriesOf(history, metric(known.metric)), IN_A_ROW));
    });
  },
};

type Test = (history: History, section: string) => Evidence | null;

const sightedIn = (history: History, test: Test): Evidence[] =>
  SECTIONS.map((section) => test(history, section)).filter((evidence) => evidence !== null);

/** One text makes up most of a section. */
function echoed(history: History, section: string): Evidence | null {
  const key = ECHO + section;
  const before = Math.min(...firstValues(history, key));
  const limit = before + WAY_TO_ECHO * (1 - before);
  return sighted(history, { metric: key, title: `share of the most frequent ${section}`, before, limit });
}

/** A section has few phrases left. */
function thinned(history: History, section: string): Evidence | null {
  const key = DISTINCT + section;
  const before = Math.max(...firstValues(history, key));
  return sighted(history, {
    metric: key,
    title: `distinct phrases of the ${section}`,
    before,
    limit: PHRASES_LEFT * before,
  });
}

const firstValues = (history: History, key: string): number[] =>
  valuesOf(seriesOf(history, metric(key)).slice(0, FIRST_UPDATES));

function sighted(history: History, bound: Omit<Evidence, "now">): Evidence | null {
  const points = seriesOf(history, metric(bound.metric));
  const now = recentMean(points, IN_A_ROW);
  return points.length >= IN_A_ROW && isBeyond(bound)(now) ? { ...bound, now } : null;
}

/** Echo goes up, distinct phrases go down. */
const isBeyond =
  ({ metric: key, limit }: Omit<Evidence, "now">) =>
  (value: number): boolean =>
    key.startsWith(ECHO) ? value > limit! : value < limit!;

const began = (history: History, evidence: Evidence): number =>
  sinceWhen(seriesOf(history, metric(evidence.metric)), isBeyond(evidence));
