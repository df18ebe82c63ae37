// A policy that plays far worse at the start of a run than where it was measured: a kernel may be wrong on this GPU.
import { wilsonInterval } from "../../core/wilson.ts";
import type { Alarm, Evidence } from "./alarm.ts";
import type { MetricRow } from "./history.ts";

const SUCCESS = "val/success";
/** Different ones: episodes of the same level are alike, so they do not count one by one. */
const LEVELS = "val/levels";
const FORMAT = "val/format_correct";
/** What the policy should reach; only the first validation of a run has it, and only where that can be compared. */
const EXPECTED = "expected/";

/**
 * Levels below which a validation says too little. Between two right GPUs only chance makes a difference, and from here on it
 * separates two intervals in fewer than one run in a hundred.
 */
const ENOUGH = 64;
/** A policy that was taught a format keeps it nearly always, also in an environment with other options. */
const KNOWS_FORMAT = 0.9;
const FORM_KEPT = 0.5;
/** Chance plays no part in losing the form. */
const ENOUGH_FOR_FORM = 16;

/** The first validation is far below what was measured of the policy that the run starts from. */
export const weakStart: Alarm = {
  id: "weak_start",
  title: "The policy plays far worse than it should",
  meaning:
    "The file that the run starts from says what its policy reached when it was measured. Here, before any update, far fewer episodes succeed, or far fewer replies have the right form; in a run in several environments, in the one that is named. A kernel may be wrong on this GPU or its driver.",
  remedy:
    "Check this GPU: npm run check-gpu, or its button in the page. If every kernel is right, start from another policy, or use the environment and the replies that this one was trained with.",
  severity: "warning",
  stage: "validation",
  reads: [SUCCESS, LEVELS, FORMAT, EXPECTED],
  detect(history) {
    const newest = history.at(-1);
    if (!newest) return null;
    const { values } = newest;
    const evidence = comparisonsIn(values).flatMap((one) => [
      ...weakSuccess(values, one),
      ...lostFormat(values, one),
    ]);
    return evidence.length > 0 ? { began: newest.update, evidence } : null;
  },
  // It began where even the upper bound was too low. It ends where the rate itself is not.
  isOver(history, { evidence }) {
    const { values } = history.at(-1)!;
    return evidence.every(({ metric, limit = 0 }) => (values[metric] ?? 0) >= limit);
  },
};

/** Where the policy was measured: in the run's only environment, or in one of several. */
interface Comparison {
  /** What follows `expected/`, before the names of what is expected. */
  part: string;
  success: string;
  levels: string;
  /** For people, behind what is compared. */
  where: string;
}

const ALONE: Comparison = { part: "", success: SUCCESS, levels: LEVELS, where: "" };

function comparisonsIn(values: MetricRow["values"]): Comparison[] {
  const names = Object.keys(values).flatMap((key) => NAMED.exec(key)?.[1] ?? []);
  return [ALONE, ...[...new Set(names)].map((name) => comparisonIn(name, values))];
}

/** What is expected in an environment of several. */
const NAMED = /^expected\/(.+)\/(?:success|format_correct)$/;

function comparisonIn(name: string, values: MetricRow["values"]): Comparison {
  const own = `${LEVELS}/${name}`;
  // Those of the first environment have no name.
  const levels = own in values ? own : LEVELS;
  return { part: `${name}/`, success: `${SUCCESS}/${name}`, levels, where: ` in ${name}` };
}

/** Success whose interval ends below that of the measurement. */
function weakSuccess(values: MetricRow["values"], { part, success, levels, where }: Comparison): Evidence[] {
  const { [`${EXPECTED}${part}success`]: before, [`${EXPECTED}${part}success/low`]: limit } = values;
  if (before === undefined || limit === undefined) return [];
  if (!isBelow(values, success, { limit, levels, enough: ENOUGH })) return [];
  const title = `success${where}`;
  return [{ metric: success, title, before, isMeasured: true, now: values[success]!, limit }];
}

/** Replies of which surely less than half have the form that the policy was taught. */
function lostFormat(values: MetricRow["values"], { part, levels, where }: Comparison): Evidence[] {
  const before = values[`${EXPECTED}${part}format_correct`] ?? 0;
  const bound = { limit: FORM_KEPT, levels, enough: ENOUGH_FOR_FORM };
  if (before < KNOWS_FORMAT || !isBelow(values, FORMAT, bound)) return [];
  const title = `valid format${where}`;
  return [{ metric: FORMAT, title, before, isMeasured: true, now: values[FORMAT]!, limit: FORM_KEPT }];
}

/** What a rate must fall below, and the levels that say so. */
interface Bound {
  limit: number;
  /** The metric that counts them. */
  levels: string;
  enough: number;
}

/** Whether even the upper bound of a rate is below a limit. */
function isBelow(
  values: MetricRow["values"],
  key: string,
  { limit, levels: counted, enough }: Bound,
): boolean {
  const { [key]: rate = Number.NaN, [counted]: levels = 0 } = values;
  return levels >= enough && wilsonInterval(rate * levels, levels)[1] < limit;
}
