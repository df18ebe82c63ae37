// What a phrase book is: how the studio talks about one environment in a closed, compact language.
import type { Rng } from "../../core/rng.ts";
import type { Cell, GroundTruth, SceneTruth } from "../../core/types.ts";

/** How the state of a grid world is written without words. */
export interface GridBook {
  /** Entities of a dictionary, the player first. */
  readonly entities: readonly string[];
  /** Entities that a drawn board gives. */
  readonly drawn: readonly string[];
  /** The symbol of a cell, as in the game's own text form. */
  symbol(truth: GroundTruth, cell: Cell): string;
}

/** A tool call of the teacher. */
export interface DemonstratedCall {
  /** What is thought before it. */
  why: string;
  /** What stands between the tags. */
  text: string;
}

/**
 * The language of one environment, and as much of its rules as is needed to predict what actions lead to. `T` is what
 * its truths have: a board's have a player.
 */
export interface PhraseBook<T extends SceneTruth = SceneTruth> {
  /** Id of the environment. */
  readonly id: string;
  /** Its name in the prompt. */
  readonly name: string;
  /** Actions that have words; all of the environment's where these can be listed. */
  readonly actions: readonly string[];
  /** Its words stand in the vocabularies of its own tasks only, behind the common ones. */
  readonly own?: true;
  /** Claims of a prediction: the entities that actions can move. */
  readonly predicts: readonly string[];
  /** Missing where the state is no grid: it can only be told in words. */
  readonly grid?: GridBook;
  /** Every phrase that becomes one token, for boards of up to `side` rows and columns. */
  words(side: number): readonly string[];
  /** The observation: where everything is. */
  describe(truth: T): string;
  /** The facts that a decision depends on, in fixed order. */
  facts(truth: T): string;
  /** The prediction: where the movable entities are. */
  foretell(truth: T): string;
  /** The state after an action that is executed as meant; unchanged once the episode has ended. */
  advance(truth: T, action: string): T;
  /** The task has ended in this state. */
  ended(truth: T): boolean;
  /** A plausible but short-sighted action: towards the goal, whatever lies between. */
  heuristic(truth: T, random: Rng): string;
  /** What stands between the facts and the decision; the grid worlds' by default. */
  decision?: string;
  /**
   * For answers that do not follow from the facts: what is thought then, and what is answered at random. By default the
   * facts are told all the same, and any action is taken.
   */
  guess?: { words: string; action(random: Rng): string };
  /** Symbols of its text board; a common book's are common. */
  symbols?: readonly string[];
  /** Tool calls that an expert makes before answering, in order. */
  calls?(truth: T): readonly DemonstratedCall[];
}
