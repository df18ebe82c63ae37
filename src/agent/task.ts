// The task as the agent meets it: a game, a way of talking about it, and what is paid for which words and deeds.

import type { FormatId } from "../core/formats.ts";
import type { Turn, Verdict } from "../core/types.ts";
import type { EnvSpec } from "../envs/env.ts";
import type { ArealSettings } from "./areal/options.ts";
import type { StateFormatId } from "./states.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Judges the claims of turns that were just played; one record of verdicts per turn, in order. */
export type JudgeTurns = (
  turns: readonly Turn[],
  signal?: AbortSignal,
) => Promise<readonly Readonly<Record<string, Verdict>>[]>;

/** Weighted reward terms of a judged turn, and their sum. */
export type ScoreTurn = (turn: Turn) => { rewards: Readonly<Record<string, number>>; reward: number };

/** One task, the same for training, demonstrations and evaluation. */
export interface Task {
  spec: EnvSpec;
  /** Checked by the environment's own schema; may have `max_actions_per_step`, `max_tool_calls` and `render_mode`. */
  envConfig: unknown;
  format: FormatId;
  stateFormat: StateFormatId;
  maxTurns: number;
  /**
   * Turns before the present one that the policy is shown; each turn is then a row of its own, sampled from a fresh
   * context. Absent: an episode is one conversation, all of which the policy sees.
   */
  historyTurns?: number;
  /** Episodes are questions that may be tried again (AReaL's workflow); absent: they are games, turn after turn. */
  areal?: ArealSettings;
  vocabulary: Vocabulary;
  /** Pixels per tile of the pictures that the policy sees. */
  tilePx: number;
  /** Tokens that one picture becomes. */
  imageTokens: number;
  judge: JudgeTurns;
  scoreTurn: ScoreTurn;
}

/** Whether the game offers tools under these options. */
export const hasTools = ({ spec, envConfig }: Pick<Task, "spec" | "envConfig">): boolean =>
  (spec.create(envConfig).tools?.() ?? []).length > 0;
