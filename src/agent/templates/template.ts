// What a template is: the closed, compact language for one environment.
import type { Rng } from "../../core/rng.ts";
import type { Cell, GroundTruth, SceneTruth } from "../../core/types.ts";

/** How the state of a grid world is written down without words. */
export interface GridTemplate {
  /** Entities of a dictionary, the player first. */
  readonly entities: readonly string[];
  /** Entities that a drawn board gives. */
  readonly drawn: readonly string[];
  /** The symbol of a cell, as in the game's own text form. */
  symbol(truth: GroundTruth, cell: Cell): string;
}

/** How the state of a world is written down as a dictionary. */
interface DictionaryTemplate<T> {
  /** Every phrase that becomes one token, besides the template's own. */
  readonly words: readonly string[];
  write(truth: T): string;
}

/** A tool call of the teacher. */
export interface DemonstratedCall {
  /** The reasoning before it. */
  why: string;
  /** The text between the tags. */
  text: string;
}

/** How much an expert can still do. */
interface TimeLeft {
  /** Actions of this turn. */
  actions: number;
  /** Turns, this one included. */
  turns: number;
}

/** What scripted players do in one environment, in sentences for people. What is left out is as in every environment. */
interface PlayerWords {
  /** `anyAction`. */
  readonly random?: string;
  /** An expert: `expert` and `calls`. It follows "in the others ". */
  readonly expert?: string;
  /** `heuristic`. */
  readonly heuristic: string;
  /** The oracle. */
  readonly oracle?: string;
  /** `blind`. */
  readonly blind?: string;
}

/**
 * The language of one environment, and as much of its rules as predicting the effect of actions needs. `T` is the type of
 * its ground truth: that of a board has a player.
 */
export interface Template<T extends SceneTruth = SceneTruth> {
  /** Id of the environment. */
  readonly id: string;
  /** Its name in the prompt. */
  readonly name: string;
  /** Actions that have words: all actions of the environment, unless they are too many to be listed. */
  readonly actions: readonly string[];
  /** Its words are in the vocabularies of its own tasks only, after the common ones. */
  readonly own?: true;
  /** Claims of a prediction: the entities that actions can move. */
  readonly predicts: readonly string[];
  /** Absent if the state is not a grid and can only be described in words. */
  readonly grid?: GridTemplate;
  /** Absent if the state is that of a grid, or can only be described in words. */
  readonly dictionary?: DictionaryTemplate<T>;
  /** Every phrase that becomes one token, for boards of up to `side` rows and columns. */
  words(side: number): readonly string[];
  /** The observation: where everything is. */
  describe(truth: T): string;
  /** The facts that a decision depends on, in fixed order. */
  facts(truth: T): string;
  /** What leads from the facts to the decision and is said between them; empty where nothing does. */
  working?(truth: T): string;
  /** The prediction: where the movable entities are. */
  predict(truth: T): string;
  /** The state after an action that is executed as meant; unchanged once the episode has ended. */
  advance(truth: T, action: string): T;
  /** The task has ended in this state. */
  ended(truth: T): boolean;
  /** What scripted players do. Baselines show it. */
  readonly players: PlayerWords;
  /** A plausible but short-sighted action: on a board towards the goal, ignoring obstacles. */
  heuristic(truth: T, random: Rng): string;
  /** Actions that an agent could repeat without seeing anything, where that solves many tasks: what a blanked picture has to be compared with. */
  blind?: readonly string[];
  /** An action at random, where most of all actions have no meaning in a state; by default any of `actions`. */
  anyAction?(truth: T, random: Rng): string;
  /** What an expert does who knows no more than a good agent can; by default it follows the oracle's plan. */
  expert?(truth: T, plan: readonly string[], left: TimeLeft): readonly string[];
  /** How many actions of a plan an expert carries out in a turn that may have `most`; by default it is mostly one. */
  actionsPerTurn?(random: Rng, most: number): number;
  /** Between the actions of an answer; by default a comma. */
  separator?: string;
  /** The state as a careless look would have it; absent where nothing can be mistaken. */
  misread?(truth: T, random: Rng): T;
  /** What an expert does that misread the state, in place of the plan; by default it acts short-sightedly on what it saw. */
  misled?(truth: T, seen: T, plan: readonly string[]): readonly string[];
  /** The words between the facts and the decision; those of the grid worlds by default. Null: the reasoning leaves the decision to the answer. */
  decision?: string | null;
  /**
   * For answers that do not follow from the facts: the reasoning before a guess, and the guess. By default the reasoning
   * states the facts as usual, and the guess is any action.
   */
  guess?: { words: string; action(random: Rng): string };
  /** Symbols of its text board, if the template is not a common one. */
  symbols?: readonly string[];
  /** Tool calls that an expert makes before answering, in order. */
  calls?(truth: T): readonly DemonstratedCall[];
}
