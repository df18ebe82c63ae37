// The task of an agent: a game, the language about it, and the rewards of replies and actions.

import type { FormatId } from "../core/formats.ts";
import type { ReadingId } from "../core/readings.ts";
import type { Turn, Verdict } from "../core/types.ts";
import type { EnvSpec } from "../envs/env.ts";
import type { ArealSettings } from "./areal/options.ts";
import type { Layout } from "./layout.ts";
import type { StateFormatId } from "./states.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Judges the claims of new turns; one record of verdicts per turn, in order. */
export type JudgeTurns = (
  turns: readonly Turn[],
  signal?: AbortSignal,
) => Promise<readonly Readonly<Record<string, Verdict>>[]>;

/** A new turn and the earlier turns of its episode. */
export interface NewTurn {
  turn: Turn;
  earlier: readonly Turn[];
}

/** What an appraisal says of a turn. */
export interface Appraised {
  /** Facts of the state after the turn, under the names of `Appraisal.measures`. */
  facts: Readonly<Record<string, number>>;
  /** Added to the reward of the task. */
  reward: number;
}

/** Measures states by what an environment, which answers at once, cannot compute, and pays turns for it. */
export interface Appraisal {
  /** Names of the measures; their means over the last states of episodes are metrics. */
  readonly measures: readonly string[];
  /** Appraises new turns, in order. @throws the signal's reason when aborted. */
  appraise(turns: readonly NewTurn[], signal?: AbortSignal): Promise<readonly Appraised[]>;
}

/** Weighted reward terms of a judged turn, and their sum. */
export type ScoreTurn = (turn: Turn) => { rewards: Readonly<Record<string, number>>; reward: number };

/** One task, the same for training, demonstrations and evaluation. */
export interface Task {
  spec: EnvSpec;
  /** Checked by the environment's own schema; may have `max_actions_per_step`, `max_tool_calls` and `render_mode`. */
  envConfig: unknown;
  format: FormatId;
  stateFormat: StateFormatId;
  /** How replies are read and graded; absent: by the studio's own rules. */
  reading?: ReadingId;
  maxTurns: number;
  /** Tokens of an episode after its first prompt, replies and later observations together; absent: as many as its turns take. */
  maxEpisodeTokens?: number;
  /** How an episode is laid out as conversations; absent: it is one. */
  layout?: Layout;
  /** Episodes are questions that may be tried again (AReaL's workflow); absent: they are games, turn after turn. */
  areal?: ArealSettings;
  vocabulary: Vocabulary;
  /** Pixels per tile of the pictures that the policy sees. */
  patchPx: number;
  /** Tokens that one picture becomes. */
  imageTokens: number;
  /**
   * The tokens that memory is planned for: of a turn's observation, and of an episode in one conversation up to its end; `Infinity` for turns
   * that are not planned. Only where actions can be written in many ways, so that an observation that names them may need more.
   */
  plan?: { observation(turn: number): number; until(turn: number): number };
  /** Patches of the pictures that the policy reads, where those of the environment may have fewer: the rest is one colour. */
  paddedTo?: { rows: number; cols: number };
  /** The tasks in the other environments of the run, by name. */
  others?: ReadonlyMap<string, Task>;
  /** What its turns are paid besides the environment's own rewards; absent: nothing. */
  appraisal?: Appraisal;
  judge: JudgeTurns;
  scoreTurn: ScoreTurn;
  /** What claims earn lies on the last tokens of their sections; absent: on those of their turns. Games only. */
  creditSite?: "section_end";
  /** Rewards of the turns of an episode that is over, where they differ from those of the single turns; games only. */
  settle?: (turns: readonly Turn[], success: boolean) => readonly Pick<Turn, "rewards" | "reward">[];
}

/** The task that an episode of a run plays. */
export const taskOf = (task: Task, { entry }: { entry?: string | undefined }): Task =>
  entry === undefined ? task : (task.others?.get(entry) ?? task);

/** Patches of the pictures that the policy reads. */
export const pictureOf = ({ spec, envConfig, paddedTo }: Task): { rows: number; cols: number } =>
  paddedTo ?? spec.patches(envConfig);

/** All tasks of a run, the first environment's first. */
export const allTasks = (task: Task): readonly Task[] => [task, ...(task.others?.values() ?? [])];

/** What replies claim by its place only, although it can lie beside the player: in Sokoban targets. */
export const claimedByPlace = ({
  claims,
  surroundings,
}: Pick<EnvSpec, "claims" | "surroundings">): readonly string[] =>
  surroundings ? claims.filter((name) => !surroundings.kinds.includes(name)) : [];

/** Whether the game offers tools under these options. */
export const hasTools = ({ spec, envConfig }: Pick<Task, "spec" | "envConfig">): boolean =>
  spec.hasTools?.(envConfig) ?? false;
