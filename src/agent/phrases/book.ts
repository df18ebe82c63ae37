// What a phrase book is: how the studio talks about one environment in a closed, compact language.
import type { Rng } from "../../core/rng.ts";
import type { Cell, GroundTruth } from "../../core/types.ts";

/** How the state of a grid world is written without words. */
export interface GridBook {
  /** Entities of a dictionary, the player first. */
  readonly entities: readonly string[];
  /** Entities that a drawn board gives. */
  readonly drawn: readonly string[];
  /** The symbol of a cell, as in the game's own text form. */
  symbol(truth: GroundTruth, cell: Cell): string;
}

/** The language of one environment, and as much of its rules as is needed to predict what actions lead to. */
export interface PhraseBook {
  /** Id of the environment. */
  readonly id: string;
  /** Its name in the prompt. */
  readonly name: string;
  readonly actions: readonly string[];
  /** Claims of a prediction: the entities that actions can move. */
  readonly predicts: readonly string[];
  /** Missing where the state is no grid: it can only be told in words. */
  readonly grid?: GridBook;
  /** Every phrase that becomes one token, for boards of up to `side` rows and columns. */
  words(side: number): readonly string[];
  /** The observation: where everything is. */
  describe(truth: GroundTruth): string;
  /** The facts that a decision depends on, in fixed order. */
  facts(truth: GroundTruth): string;
  /** The prediction: where the movable entities are. */
  foretell(truth: GroundTruth): string;
  /** The state after an action that is executed as meant; unchanged once the episode has ended. */
  advance(truth: GroundTruth, action: string): GroundTruth;
  /** The task has ended in this state. */
  ended(truth: GroundTruth): boolean;
  /** A plausible but short-sighted action: towards the goal, whatever lies between. */
  heuristic(truth: GroundTruth, random: Rng): string;
}
