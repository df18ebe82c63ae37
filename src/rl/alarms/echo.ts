// Echo: replies repeat the same text, whatever the observation.
import type { Alarm, Evidence } from "./alarm.ts";
import { type History, metric, recentMean, seriesOf, sinceWhen, valuesOf } from "./history.ts";

const ECHO = "diversity/echo_share/";
const DISTINCT = "diversity/distinct_4/";
/** Sections that should follow the observation. A whole reply may also repeat because it contains only an action. */
const SECTIONS = ["observation", "reasoning", "prediction"];
const FIRST_UPDATES = 5;
const IN_A_ROW = 3;
/** The bound for the share of one text, as a share of the way from the run's first value to 1. */
const WAY_TO_ECHO = 0.4;
/** The bound for distinct phrases, as a share of the run's first value. */
const PHRASES_LEFT = 0.3;
/** The alarm ends this far beyond the bound, as a share of it. */
const MARGIN = 0.25;

/** One text makes up much of the batch, or few distinct phrases are left. */
export const echo: Alarm = {
  id: "echo",
  title: "Echo: replies repeat themselves",
  meaning:
    "A section no longer follows the image: the same text repeats across episodes. It may still be rewarded if a judge finds it true nearly always.",
  remedy:
    "Read the newest traces. Go back to an earlier checkpoint and raise the KL coefficient or lower the learning rate. If the judge rewards the repeated text, lower its reward weights.",
  severity: "warning",
  stage: "ppo",
  reads: [ECHO, DISTINCT],
  detect(history) {
    const echoes = evidenceIn(history, echoed);
    // A section filled by one text has few distinct phrases, too; one kind of evidence is enough.
    const found = echoes.length > 0 ? echoes : evidenceIn(history, thinned);
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

const evidenceIn = (history: History, test: Test): Evidence[] =>
  SECTIONS.map((section) => test(history, section)).filter((evidence) => evidence !== null);

/** One text makes up much of a section. */
function echoed(history: History, section: string): Evidence | null {
  const key = ECHO + section;
  const before = Math.min(...firstValues(history, key));
  const limit = before + WAY_TO_ECHO * (1 - before);
  return crossing(history, { metric: key, title: `share of the most frequent ${section}`, before, limit });
}

/** A section has few distinct phrases left. */
function thinned(history: History, section: string): Evidence | null {
  const key = DISTINCT + section;
  const before = Math.max(...firstValues(history, key));
  return crossing(history, {
    metric: key,
    title: `distinct phrases of the ${section}`,
    before,
    limit: PHRASES_LEFT * before,
  });
}

const firstValues = (history: History, key: string): number[] =>
  valuesOf(seriesOf(history, metric(key)).slice(0, FIRST_UPDATES));

function crossing(history: History, bound: Omit<Evidence, "now">): Evidence | null {
  const points = seriesOf(history, metric(bound.metric));
  const now = recentMean(points, IN_A_ROW);
  return points.length >= IN_A_ROW && isBeyond(bound)(now) ? { ...bound, now } : null;
}

/** The share of one text rises, the number of distinct phrases falls. */
const isBeyond =
  ({ metric: key, limit }: Omit<Evidence, "now">) =>
  (value: number): boolean =>
    key.startsWith(ECHO) ? value > limit! : value < limit!;

const began = (history: History, evidence: Evidence): number =>
  sinceWhen(seriesOf(history, metric(evidence.metric)), isBeyond(evidence));
