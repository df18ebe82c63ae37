// How well a policy does, in words. A validation counts: it plays many fixed levels and knows how sure it is. The
// success of one training batch swings by tens of percent, so it is shown only where nothing was validated, and named as such.
import type { TrainerEvent } from "../../training/events.ts";
import { formatPercent, formatPercentRange, unbroken } from "../lib/format.ts";
import type { Validation } from "../store/run-view.ts";

export const rateOf = ({ successes, episodes }: Validation): string =>
  formatPercent(successes / Math.max(1, episodes));

/** "70 % of 20 validation levels (95 %: 48–85 %)". */
export function validationText(report: Validation): string {
  const bounds = formatPercentRange(...report.interval);
  return `${unbroken(rateOf(report))} of ${report.episodes} validation levels ${unbroken(`(95 %: ${bounds})`)}`;
}

/** What a run had reached by the update that is stored; empty before the policy has played. `nameOf` names an update. */
export function storedSuccess(
  events: readonly TrainerEvent[],
  stored: number,
  nameOf: (update: number) => string,
): string {
  const reports = events.flatMap((event) => (event.type === "validation" ? [event.report] : []));
  const report = reports.findLast(({ temperature, update }) => temperature > 0 && update <= stored);
  if (report) return `success ${validationText(report)} at ${nameOf(report.update)}`;
  const success = lastSuccess(events, stored);
  return success === null ? "" : `success ${formatPercent(success)} in its last training batch`;
}

/** The policy's success rate in training at the update that is stored, or the last before it; null before it has played. */
export function lastSuccess(events: readonly TrainerEvent[], stored: number): number | null {
  for (const event of [...events].reverse()) {
    // Episodes of SFT are the teacher's.
    if (event.type !== "metrics" || event.stage !== "ppo" || event.update > stored) continue;
    const found = Object.entries(event.values).find(([key]) => key.startsWith("train/success"));
    if (found) return found[1];
  }
  return null;
}
