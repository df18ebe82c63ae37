// A word, a tone and a sentence for every state of a run.
import { entryNames } from "../../config/entries.ts";
import { validationSets } from "../../config/levels.ts";
import { isActive, type RunState, type RunView } from "./run-view.ts";

interface Face {
  word: string;
  tone: "plain" | "ok" | "warning" | "danger" | "accent";
}

export const RUN_FACES: Readonly<Record<RunState, Face>> = {
  idle: { word: "Ready", tone: "plain" },
  preparing: { word: "Preparing", tone: "accent" },
  running: { word: "Running", tone: "ok" },
  pausing: { word: "Pausing", tone: "warning" },
  paused: { word: "Paused", tone: "warning" },
  stepping: { word: "One update", tone: "accent" },
  stopping: { word: "Stopping", tone: "warning" },
  stopped: { word: "Stopped", tone: "plain" },
  finished: { word: "Finished", tone: "ok" },
  diverged: { word: "Diverged", tone: "danger" },
  failed: { word: "Failed", tone: "danger" },
  recovering: { word: "Recovering", tone: "warning" },
  elsewhere: { word: "In another tab", tone: "warning" },
};

/** Which buttons make sense. */
export const controlsFor = (state: RunState) => ({
  pause: state === "running",
  resume: state === "paused",
  step: state === "paused",
  stop: isActive(state) && state !== "stopping",
});

export const STAGE_TITLES = { warmup: "SFT", ppo: "PPO" } as const;
export const STAGE_EXPLAINS = {
  warmup: "Supervised fine-tuning: the policy learns to talk and to see from generated demonstrations.",
  ppo: "Reinforcement learning: the policy plays episodes and is improved by its own rewards.",
} as const;

const PHASE_TITLES = {
  rollout: "playing episodes",
  advantage: "estimating advantages",
  update: "optimising",
  rehearse: "rehearsing observations",
  test: "playing test episodes",
  validate: "validation episodes",
} as const;

/** Whether a validation is being played. */
export const isValidating = ({ phase }: Pick<RunView, "phase">): boolean => phase?.phase === "validate";

/** What a run that was asked to stop or to pause does before it rests; empty in other states, and where nothing is in progress. */
export function endingText({ state, phase }: Pick<RunView, "state" | "phase">): string {
  if (!phase || (state !== "stopping" && state !== "pausing")) return "";
  const { word } = RUN_FACES[state];
  if (!isValidating({ phase })) return `${word}: the update in progress is finished, then the run is saved.`;
  if (state === "pausing") return `${word}: the validation in progress is finished, then the run is saved.`;
  return `${word}: the validation ends without a result, then the run is saved.`;
}

/** What a run is busy with before it has anything to chart; empty where nothing is in progress. */
export function firstResultText({ phase }: Pick<RunView, "phase">): string {
  if (!phase) return "";
  if (phase.phase !== "validate") return "The first update is being computed; its charts appear here.";
  return `${firstValidation(phase)} Its result appears here.`;
}

/** How far the first validation of a run is; empty at other times. It may take longer than many updates, and comes before those of PPO. */
export const firstValidationText = ({
  phase,
  validations,
}: Pick<RunView, "phase" | "validations">): string =>
  phase?.phase === "validate" && validations.length === 0 ? firstValidation(phase) : "";

const firstValidation = ({ done, of }: NonNullable<RunView["phase"]>): string =>
  `First validation: ${done} of ${of} episodes.`;

/** How many episodes a validation plays of each level, which is why it counts more of them than it has levels; empty at other times. */
export function phaseExplains({ phase, config }: Pick<RunView, "phase" | "config">): string {
  if (phase?.phase !== "validate" || !config || config.trainer.val_temperature === 0) return "";
  const { val_n } = config.trainer;
  const sampled = val_n === 1 ? "once with sampled replies" : `${val_n} times with sampled replies`;
  const sets = entryNames(config).length + validationSets(config).length;
  const where = sets > 1 ? `, in ${sets} environments and validation sets` : "";
  return `Each validation level is played ${sampled} and once greedily${where}.`;
}

/**
 * What the run is busy with, and how far it is where that is counted: "playing episodes 12 / 64". While an update is computed, a
 * run may play its next episodes as well.
 */
export function phaseText({
  phase,
  stage,
  config = null,
}: Pick<RunView, "phase" | "stage"> & Partial<Pick<RunView, "config">>): string {
  if (!phase) return "";
  const isUpdating = ["advantage", "update", "rehearse"].includes(phase.phase);
  const playsAhead = stage === "ppo" && (config?.rollout.max_head_offpolicyness ?? 0) > 0;
  const ofScript = stage === "warmup" && phase.phase === "rollout";
  const title = ofScript ? "playing demonstrations" : PHASE_TITLES[phase.phase];
  const text = phase.of > 1 ? `${title} ${phase.done} / ${phase.of}` : title;
  return isUpdating && playsAhead ? `${text}, playing the next episodes` : text;
}
