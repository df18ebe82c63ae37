// What the worker that plays recorded actions in a user's own environment is sent, and what it answers.
import type { GroundTruth } from "../core/types.ts";
import type { ExtensionSource } from "../extension/api.ts";

/** The actions of a turn, from the state that was recorded before it. */
export interface RecordedActions {
  readonly before: GroundTruth;
  readonly actions: readonly string[];
}

export interface ToOwnReplay {
  extension: ExtensionSource;
  envId: string;
  turns: readonly RecordedActions[];
}

/** For each turn the state after each of its actions. */
export type PlayedActions = readonly (readonly GroundTruth[])[];
