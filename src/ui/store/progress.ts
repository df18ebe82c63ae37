// What the run strip says about progress and pace: throughput, and the range of the time that is left.
import { updateName as nameOf } from "../../config/run-length.ts";
import { type TimeLeft, timeLeft } from "../../training/eta.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { counted } from "../lib/format.ts";
import { isValidating, phaseText } from "./run-state.ts";
import type { RunView, StageSpan, UpdateCost } from "./run-view.ts";

export { stageProgress } from "../../training/eta.ts";

/** Time left in the current stage; null while there is too little to go by. */
export const etaOfStage = (view: RunView): TimeLeft | null =>
  timeLeft(
    view,
    view.costs.map(({ wallMs }) => wallMs),
  );

/** How far the line of the run strip is. */
interface BarProgress {
  counted: "updates" | "episodes";
  done: number;
  of: number;
}

/** Counts updates; before the first one the episodes of a validation, which may take longer than many updates. */
export function barProgress(view: Pick<RunView, "phase" | "update" | "totalUpdates">): BarProgress {
  const { phase, update, totalUpdates } = view;
  if (phase && update === 0 && isValidating(view))
    return { counted: "episodes", done: phase.done, of: phase.of };
  return { counted: "updates", done: update, of: Math.max(update, totalUpdates) };
}

/** What the line of the run strip shows, in words: "26 of 60 updates, SFT included; validation episodes 92 / 512". */
export function barText(view: RunView): string {
  const { counted: what, done, of } = barProgress(view);
  if (what === "episodes") return `${done} of ${of} episodes`;
  const included = sftEnd(view) > 0 ? ", SFT included" : "";
  return [`${done} of ${of} updates${included}`, phaseText(view)].filter(Boolean).join("; ");
}

/** An update of a run as the strip counts it, within its stage. */
interface StageUpdate {
  /** "update 41"; of a run with SFT "SFT update 41" or "PPO update 41". */
  name: string;
  /** Updates of the stage. */
  of: number;
}

/** Names an update of a whole run, of which `stages` are its stages and `total` all its updates. */
export function updateInStage(stages: readonly StageSpan[], total: number, update: number): StageUpdate {
  const warmup = sftEnd({ stages });
  return { name: nameOf(update, warmup), of: update <= warmup ? warmup : total - warmup };
}

/** An update as the strip counts it: "update 41", "PPO update 41". */
export const updateName = (
  { stages, totalUpdates }: Pick<RunView, "stages" | "totalUpdates">,
  update: number,
): string => updateInStage(stages, totalUpdates, update).name;

/** An update of a stored run as the strip will count it when the run is resumed. */
export function updateOfStored({ events, totalUpdates }: StoredRun, update: number): StageUpdate {
  const stages = events.filter((event) => event.type === "stage");
  return updateInStage(stages, totalUpdates, update);
}

/** How many updates have been made: "80 updates"; with SFT before PPO "8 SFT and 72 PPO updates". */
export function updatesText(view: Pick<RunView, "stages" | "update">): string {
  const warmup = sftEnd(view);
  const ofPpo = view.update - warmup;
  if (warmup === 0) return counted(view.update, "update");
  return ofPpo > 0 ? `${warmup} SFT and ${counted(ofPpo, "PPO update")}` : counted(view.update, "SFT update");
}

/** How updates are numbered in long lists and on axes; sentences and the strip count within a stage. Empty where that is the same. */
export function numberingText(view: Pick<RunView, "stages">): string {
  const warmup = sftEnd(view);
  return warmup > 0
    ? `Charts, events and traces number the updates of the whole run: 1–${warmup} are SFT.`
    : "";
}

/** The last update of SFT; 0 in a run without. */
export const sftEnd = ({ stages }: Pick<RunView, "stages">): number =>
  stages.find((span) => span.stage === "warmup")?.lastUpdate ?? 0;

/** Tokens and episodes per second over recent updates; null before the first. */
export function pace(costs: readonly UpdateCost[]): { tokens: number; episodes: number } | null {
  const sum = (of: "wallMs" | "tokens" | "episodes") => costs.reduce((total, cost) => total + cost[of], 0);
  const ms = sum("wallMs");
  return ms > 0 ? { tokens: (sum("tokens") / ms) * 1000, episodes: (sum("episodes") / ms) * 1000 } : null;
}
