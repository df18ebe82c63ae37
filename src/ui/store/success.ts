// How well a policy does, in words. A validation counts: it plays many fixed levels and knows how sure it is. The
// success of one training batch swings by tens of percent, so it is shown only where nothing was validated, and named as such.
import { entryNames } from "../../config/entries.ts";
import type { SuccessCount, TrainerEvent } from "../../training/events.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { formatPercent, formatPercentRange, unbroken } from "../lib/format.ts";
import { updateName } from "./progress.ts";
import type { RunView, Validation } from "./run-view.ts";

export const rateOf = ({ successes, episodes }: SuccessCount): string =>
  formatPercent(successes / Math.max(1, episodes));

/** "70 % of 20 validation levels (95 %: 48–85 %)". */
export function validationText(report: SuccessCount): string {
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
  const reports = events.flatMap((event) => (event.type === "validation" ? [event.report] : []));
  const report = reports.findLast(({ temperature, update }) => temperature > 0 && update <= stored);
  const rates = lastRates(report ? events.filter(isAfter(report.update)) : events, stored);
  const rateIn = (name: string) => report?.metrics[`val/success/${name}`];
  return reachedText({ names: entryNames(config), report, rateIn, rates }, nameOf);
}

/** The same of the run on screen. */
export function shownSuccess(view: RunView): string {
  const { config, series, update: shown, validations } = view;
  const report = validations.findLast(({ temperature, update }) => temperature > 0 && update <= shown);
  const rates = series.keys.flatMap((key): Rate[] => {
    const trained = key.startsWith(TRAINED) ? series.get(key) : undefined;
    const isSince = trained !== undefined && trained.xs.at(-1)! > (report?.update ?? -1);
    return isSince ? [[key.slice(TRAINED.length), trained.ys.at(-1)!]] : [];
  });
  const rateIn = (name: string) => report && series.get(`val/success/${name}`)?.exactlyAt(report.update);
  const names = config ? entryNames(config) : [];
  return reachedText({ names, report, rateIn, rates }, (update) => updateName(view, update));
}

interface Reached {
  /** The run's environments. */
  names: readonly string[];
  report: Validation | undefined;
  /** Success in an environment in that validation. */
  rateIn: (name: string) => number | undefined;
  /** Success in the last training batch, where that is newer. */
  rates: readonly Rate[];
}

function reachedText({ names, report, rateIn, rates }: Reached, nameOf: (update: number) => string): string {
  const trained = rates.length > 0 ? inLastBatch(rates) : "";
  if (!report) return trained && `success ${trained}`;
  const further = furtherText(names, rateIn);
  const validated = `success ${firstText(names)}${validationText(report)} at ${nameOf(report.update)}${further}`;
  // A policy may have collapsed since.
  return trained ? `${validated}, then ${trained}` : validated;
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
