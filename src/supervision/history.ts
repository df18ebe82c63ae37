// Which events of a run still hold after it went back to a checkpoint, and what its history says about its state.
import { getPath } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Alarm } from "../rl/alarms/alarm.ts";
import type { MetricRow } from "../rl/alarms/history.ts";
import { alarms } from "../rl/alarms/index.ts";
import { AlarmWatch } from "../rl/alarms/watch.ts";
import type { TrainerEvent, ValidationReport } from "../training/events.ts";

/** The update of an event; 0 if it concerns the whole run. */
function updateOf(event: TrainerEvent): number {
  if (event.type === "validation") return event.report.update;
  return "update" in event ? event.update : 0;
}

/**
 * The part of a history that still holds if the run continues differently from its checkpoint of `update`: the events up
 * to that update, without changes of values that the checkpoint does not contain.
 */
export function historyUpTo(history: readonly TrainerEvent[], update: number): TrainerEvent[] {
  const saved = history.findLastIndex((event) => event.type === "checkpoint" && event.update === update);
  return history.filter((event, at) => {
    const isUnsavedChange = event.type === "config_changed" && saved >= 0 && at > saved;
    return updateOf(event) <= update && !isUnsavedChange;
  });
}

/** Whether the run's last session ended because the loss was no longer finite. */
export function hasDiverged(history: readonly TrainerEvent[]): boolean {
  const last = history.findLast(({ type }) => type === "run_started" || type === "run_finished");
  return last?.type === "run_finished" && last.reason === "diverged";
}

/**
 * Whether the user changed a setting to a value that `config` does not have: a run that continues with `config` does not repeat what it did
 * with that change.
 */
export function hasLostChange(history: readonly TrainerEvent[], config: RunConfig): boolean {
  const changes = history.filter((event) => event.type === "config_changed");
  const newest = new Map(changes.map((change) => [change.path, change]));
  return [...newest.values()].some(
    ({ path, to, automatic }) => !automatic && JSON.stringify(getPath(config, path)) !== JSON.stringify(to),
  );
}

/** The last update with metrics. */
export function lastReported(history: readonly TrainerEvent[]): number {
  return history.findLast((event) => event.type === "metrics")?.update ?? 0;
}

/** A watch for each stage and one for validations: alarms compare updates of one stage only. */
type AlarmWatches = Readonly<Record<Alarm["stage"], AlarmWatch>>;

const watchFor = (stage: Alarm["stage"]) =>
  new AlarmWatch(alarms.all.filter((alarm) => alarm.stage === stage));

/** Alarm watches with this history. They do not repeat the alarms in it. */
export function watchesOf(history: readonly TrainerEvent[]): AlarmWatches {
  const watches = { warmup: watchFor("warmup"), ppo: watchFor("ppo"), validation: watchFor("validation") };
  for (const event of history) {
    const checked = checkedBy(event);
    if (checked) watches[checked.stage].remember(checked.row);
    if (event.type === "alarm") for (const watch of Object.values(watches)) watch.restore(event);
  }
  return watches;
}

/** The alarms that begin or end with an event. */
export function alarmsOf(watches: AlarmWatches, event: TrainerEvent): TrainerEvent[] {
  const checked = checkedBy(event);
  if (!checked) return [];
  return watches[checked.stage].check(checked.row).map((change) => ({ type: "alarm", ...change }));
}

/** The numbers of an event that alarms check, and which alarms these are; null for an event that none checks. */
function checkedBy(event: TrainerEvent): { stage: Alarm["stage"]; row: MetricRow } | null {
  if (event.type === "metrics") return { stage: event.stage, row: event };
  if (event.type !== "validation" || event.report.temperature === 0) return null;
  return { stage: "validation", row: validationRow(event.report) };
}

function validationRow(report: ValidationReport): MetricRow {
  const { update, metrics, successes, episodes, samples = 1, further = {}, expected } = report;
  const counts = { "val/success": successes / episodes, "val/levels": episodes / samples };
  const others = Object.entries(further).map(([name, count]) => [
    `val/levels/${name}`,
    count.episodes / samples,
  ]);
  return { update, values: { ...metrics, ...counts, ...Object.fromEntries(others), ...expected } };
}
