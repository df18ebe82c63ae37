// How well a policy does, in words. A validation counts: it plays many fixed levels and knows how sure it is. The
// success of one training batch swings by tens of percent, so it is shown only where nothing was validated, and named as such.
import { entryNames } from "../../config/entries.ts";
import type { TrainerEvent } from "../../training/events.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { formatPercent, formatPercentRange, unbroken } from "../lib/format.ts";
import type { Validation } from "./run-view.ts";

export const rateOf = ({ successes, episodes }: Validation): string =>
  formatPercent(successes / Math.max(1, episodes));

/** "70 % of 20 validation levels (95 %: 48–85 %)". */
export function validationText(report: Validation): string {
  const bounds = formatPercentRange(...report.interval);
  return `${unbroken(rateOf(report))} of ${report.episodes} validation levels ${unbroken(`(95 %: ${bounds})`)}`;
}

/** The success rate of an environment under its name. */
type Rate = readonly [name: string, rate: number];

const TRAINED = "train/success/";

/** "70 %"; of several environments "frozenlake 70 %, sokoban 12 %". */
const ratesText = (rates: readonly Rate[]): string =>
  rates.map(([name, rate]) => (rates.length > 1 ? `${name} ` : "") + formatPercent(rate)).join(", ");

/** Names the environment that a validation's own success is of, the first one: "frozenlake ". Empty in a run in one. */
const firstText = (environments: readonly string[]): string =>
  environments.length > 1 ? `${environments[0]} ` : "";

/** What the environments after the first reached in a validation: "; sokoban 12 %, wide 30 %". Empty in a run in one. */
function furtherText(environments: readonly string[], rateIn: (name: string) => number | undefined): string {
  const rates = environments.slice(1).flatMap((name) => {
    const rate = rateIn(name);
    return rate === undefined ? [] : [`${name} ${formatPercent(rate)}`];
  });
  return rates.length > 0 ? `; ${rates.join(", ")}` : "";
}

/** What a run had reached by the update that is stored; empty before the policy has played. `nameOf` names an update. */
export function storedSuccess(
  { config, events, update: stored }: Pick<StoredRun, "config" | "events" | "update">,
  nameOf: (update: number) => string,
): string {
  const rates = lastRates(events, stored);
  const reports = events.flatMap((event) => (event.type === "validation" ? [event.report] : []));
  const report = reports.findLast(({ temperature, update }) => temperature > 0 && update <= stored);
  if (!report) return rates.length > 0 ? `success ${inLastBatch(rates)}` : "";
  const names = entryNames(config);
  const further = furtherText(names, (name) => report.metrics[`val/success/${name}`]);
  const validated = `success ${firstText(names)}${validationText(report)} at ${nameOf(report.update)}${further}`;
  // A policy may have collapsed since.
  const since = lastRates(events.filter(isAfter(report.update)), stored);
  return since.length > 0 ? `${validated}, then ${inLastBatch(since)}` : validated;
}

const inLastBatch = (rates: readonly Rate[]): string => `${ratesText(rates)} in its last training batch`;

const isAfter = (update: number) => (event: TrainerEvent) =>
  event.type === "metrics" && event.update > update;

/** The policy's success in each environment in training at the update that is stored, or the last before it; empty before it has played. */
export function lastRates(events: readonly TrainerEvent[], stored: number): Rate[] {
  for (const event of [...events].reverse()) {
    // Episodes of SFT are the teacher's.
    if (event.type !== "metrics" || event.stage !== "ppo" || event.update > stored) continue;
    const found = Object.entries(event.values).filter(([key]) => key.startsWith(TRAINED));
    if (found.length > 0) return found.map(([key, rate]) => [key.slice(TRAINED.length), rate]);
  }
  return [];
}
