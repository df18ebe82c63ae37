// What the worker that plays a user's own environment is sent, and what it answers.
import type { GroundTruth } from "../core/types.ts";
import type { StepResult } from "../envs/env.ts";
import type { ExtensionSource } from "../extension/api.ts";

/** The environment, and how it is configured. */
export interface OwnEnv {
  readonly extension: ExtensionSource;
  readonly envId: string;
  readonly envConfig: unknown;
}

/** Actions, from a state that is known. */
export interface ActionsFrom {
  readonly before: GroundTruth;
  readonly actions: readonly string[];
}

export type ToOwnEnv = OwnEnv &
  (
    | { readonly kind: "begin"; readonly seed: number; readonly searchBudget: number }
    | { readonly kind: "play"; readonly turns: readonly ActionsFrom[] }
  );

/** What an action led to. */
export interface PlayedAction extends StepResult {
  readonly truth: GroundTruth;
}

export type FromOwnEnv =
  /** The state in which a level begins. */
  | { readonly kind: "begun"; readonly truth: GroundTruth }
  /** For each of the turns what each of its actions led to. */
  | { readonly kind: "played"; readonly turns: readonly (readonly PlayedAction[])[] };
