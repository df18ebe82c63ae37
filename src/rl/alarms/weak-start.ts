// A policy that plays far worse at the start of a run than where it was measured: a kernel may be wrong on this GPU.
import { wilsonInterval } from "../../core/wilson.ts";
import type { Alarm, Evidence } from "./alarm.ts";
import type { MetricRow } from "./history.ts";

const SUCCESS = "val/success";
/** Different ones: episodes of the same level are alike, so they do not count one by one. */
const LEVELS = "val/levels";
const FORMAT = "val/format_correct";
/** What the policy should reach; only the first validation of a run has it, and only where that can be compared. */
const EXPECTED_SUCCESS = "expected/success";
/** The lower bound of the interval of that rate. */
const EXPECTED_AT_LEAST = "expected/success/low";
const EXPECTED_FORMAT = "expected/format_correct";

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
    "The file that the run starts from says what its policy reached when it was measured. Here, before any update, far fewer episodes succeed, or far fewer replies have the right form. A kernel may be wrong on this GPU or its driver.",
  remedy:
    "Check this GPU: npm run check-gpu, or its button in the page. If every kernel is right, start from another policy, or use the environment and the replies that this one was trained with.",
  severity: "warning",
  stage: "validation",
  reads: [SUCCESS, LEVELS, FORMAT, "expected/"],
  detect(history) {
    const newest = history.at(-1);
    if (!newest) return null;
    const evidence = [...weakSuccess(newest.values), ...lostFormat(newest.values)];
    return evidence.length > 0 ? { began: newest.update, evidence } : null;
  },
  // It began where even the upper bound was too low. It ends where the rate itself is not.
  isOver(history, { evidence }) {
    const { values } = history.at(-1)!;
    return evidence.every(({ metric, limit = 0 }) => (values[metric] ?? 0) >= limit);
  },
};

/** Success whose interval ends below that of the measurement. */
function weakSuccess(values: MetricRow["values"]): Evidence[] {
  const { [EXPECTED_SUCCESS]: before, [EXPECTED_AT_LEAST]: limit } = values;
  if (before === undefined || limit === undefined) return [];
  if (!isBelow(values, SUCCESS, { limit, enough: ENOUGH })) return [];
  return [{ metric: SUCCESS, title: "success", before, isMeasured: true, now: values[SUCCESS]!, limit }];
}

/** Replies of which surely less than half have the form that the policy was taught. */
function lostFormat(values: MetricRow["values"]): Evidence[] {
  const before = values[EXPECTED_FORMAT] ?? 0;
  const bound = { limit: FORM_KEPT, enough: ENOUGH_FOR_FORM };
  if (before < KNOWS_FORMAT || !isBelow(values, FORMAT, bound)) return [];
  const now = values[FORMAT]!;
  return [{ metric: FORMAT, title: "valid format", before, isMeasured: true, now, limit: FORM_KEPT }];
}

/** What a rate must fall below, and the levels that say so. */
interface Bound {
  limit: number;
  enough: number;
}

/** Whether even the upper bound of a rate is below a limit. */
function isBelow(values: MetricRow["values"], key: string, { limit, enough }: Bound): boolean {
  const { [key]: rate = Number.NaN, [LEVELS]: levels = 0 } = values;
  return levels >= enough && wilsonInterval(rate * levels, levels)[1] < limit;
}
