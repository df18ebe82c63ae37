// The contract between games and everything else. A game never sees a prompt, a tag or a token.

import type { LevelSource } from "../core/level-source.ts";
import type { LiteGrading } from "../core/readings.ts";
import type { ClaimRules } from "../core/scene.ts";
import type { z } from "../core/schema.ts";
import type { Frame, GroundTruth, Outline, SavedGame, SceneTruth, WorldTruth } from "../core/types.ts";
import type { PaidTurn } from "./explained-reward.ts";
import type { FloorMap } from "./floor-map.ts";
import type { Direction } from "./grid.ts";
import type { ReportLoad } from "./loading.ts";

/**
 * Search budget of environments that are played. A configuration is checked on its first seed with a budget of 1, within
 * seconds; a run must not end because a later level takes a longer search.
 */
export const TRAINING_SEARCH_BUDGET = 20;

/** How an environment is created. */
interface CreateOptions {
  /**
   * How much work the search for a level may take, as a multiple of the work that checking a configuration may take. It
   * never changes the level that is found. Default `TRAINING_SEARCH_BUDGET`.
   */
  searchBudget?: number;
}

/** A game. Pure and synchronous: the same seed and actions give the same episode. */
export interface Env {
  /**
   * Starts the episode of `seed` (a non-negative safe integer; may exceed 2³²).
   * @throws EnvError("unsolvable_level") when the search budget ends before a level is found.
   */
  reset(seed: number): void;
  /** @throws EnvError("reset_needed") before reset or after the end, EnvError("invalid_action") for a name not in the spec. */
  step(action: string): StepResult;
  /** The picture of the current state, `patchPx` pixels per patch: 8 for the model, more for people. On a board a patch is a tile. */
  render(patchPx: number): Frame;
  /**
   * Further pictures of the current state, which the agent is shown after the first: what is to be drawn beside the drawing. At most
   * `EnvSpec.mostPictures` − 1 of them; absent: none.
   */
  furtherPictures?(): readonly Picture[];
  /** The floor that the game is played on, for maps that people see; the same in every state. Absent without a floor. */
  floorPlan?(): FloorPlan;
  /** How the last action led to this state, where people should not see it jump; null before the first action, and where nothing moved. */
  motion?(): Motion | null;
  /** The state as text: one line per row. */
  text(): string;
  groundTruth(): SceneTruth;
  /** The game as plain data, where its states come from a simulation that another build may compute differently; see `restore`. */
  save?(): SavedGame;
  /** Continues a game of the same configuration exactly where it was saved. @throws EnvError("invalid_config") for what is no such game. */
  restore?(saved: SavedGame): void;
  /** The question about the picture, or the instruction of the level, in the words of the agent; absent if there is neither. */
  question?(): string;
  /**
   * `question()` with the instruction of another configuration, drawn with a number; absent where levels of one configuration have different
   * instructions. It is asked in control experiments.
   */
  otherQuestion?(draw: number): string;
  /** The tools of this episode. They can be listed before reset, and calling them does not change the state. */
  tools?(): readonly Tool[];
  /**
   * A shortest action sequence to success from here; null when there is none; empty when already there.
   * @param needed how many of its actions will be used. Where plans are found by simulating them, later actions may be left out.
   * Default: all.
   */
  oracle(needed?: number): readonly string[] | null;
}

/**
 * Draws a picture of the size of the first one, with `patchPx` pixels per patch. It stays as it is when the game goes on, so that it can be
 * drawn later, or only be counted.
 */
export type Picture = (patchPx: number) => Frame;

/** A rectangle on a floor, [x0, z0, x1, z1] in metres. */
export type Footprint = readonly [x0: number, z0: number, x1: number, z1: number];

/** A floor from above, in metres. */
export interface FloorPlan {
  /** Corners [x, z] of each room in order. */
  rooms: readonly (readonly (readonly [x: number, z: number])[])[];
  /** Passages through the walls between rooms. */
  openings: readonly Footprint[];
  /** What stands in the way. */
  things: readonly Footprint[];
}

/** The way from one state to the next. It stays as it is when the game goes on. */
export interface Motion {
  /** How long it takes. */
  readonly seconds: number;
  /** The picture after some seconds of it. */
  picture(second: number, patchPx: number): Frame;
}

export interface StepResult {
  /** Task reward of this primitive action. */
  reward: number;
  /** The task itself ended (goal, hole). */
  terminated: boolean;
  success: boolean;
  /** The action changed the state. */
  effective: boolean;
  /** For people: why the action had no effect or another one than was meant, or how it ended the task without success; empty otherwise. */
  note: string;
}

/** A tool that the agent may call instead of acting. */
export interface Tool<A extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** What its answer says. */
  readonly description: string;
  /** Arguments by name, each described. */
  readonly args: A;
  /** The answer in words. @throws an error whose message says why there is none. */
  run(args: z.output<A>): string;
}

/** Identity that fixes the type of a tool's arguments from their schema. */
export function defineTool<A extends z.ZodObject>(tool: Tool<A>): Tool {
  return tool as unknown as Tool;
}

/** What lies beside the player: the facts that decide which moves are safe. */
export interface Surroundings {
  /** Everything that can lie there, each in a word or two. */
  readonly kinds: readonly string[];
  /** The kind of the neighbouring tile in a direction. */
  at(scene: GroundTruth, direction: Direction): string;
}

/** States of a user's own environment, as a recording has them. */
export interface RecordedStates<C = unknown> {
  /** The picture of a state. Runs no code of the environment. */
  draw(truth: SceneTruth, patchPx: number): Frame;
  /** A game that goes on from a state. Its steps run the environment's code, which the page leaves to a worker. */
  from(truth: SceneTruth, config: C): Env;
}

/** Another way to write an answer. */
export interface AnswerSpelling {
  /** The answer in the environment's own spelling. An answer that is in it already stays as it is. */
  respell(answer: string): string;
  /** The tags around it, if they are not the format's. */
  readonly answerTags?: readonly [open: string, close: string];
}

/** How an environment pays what models of the user's say of a drawing: how similar it looks to what it is to show. */
interface PaidModels<C = unknown> {
  /** The option that weighs a model's score, by the kind of the model. */
  readonly weights: Readonly<Record<string, string>>;
  /** Whether a drawing earns only the amount by which a model's score exceeds its best so far in the episode, rather than all of it. */
  paysImprovement(config: C): boolean;
}

/** What people, baselines and models of the user's need of an environment whose agent draws what it sees. */
export interface Drawings<C = unknown> {
  /**
   * Pictures that compare a state's drawing with what it is to show, each with a title: that, then the drawing, then where they differ; none
   * before the first drawing. The environment must be loaded.
   */
  views(truth: SceneTruth): readonly { title: string; frame: Frame }[];
  /** The code of a state's drawing and of the icon that it is to show; null before the first drawing. */
  codes(truth: SceneTruth): { icon: string; drawing: string } | null;
  /** The picture of such code, `side` pixels wide and high. The environment must be loaded. @throws EnvError for code that is refused. */
  picture(code: string, side: number): Frame;
  /** What the page calls the picture of a state: `target` before the first drawing, `drawing` after it. */
  readonly names: Readonly<Record<"target" | "drawing", string>>;
  readonly paidModels: PaidModels<C>;
  /** Facts of a state that measure its drawing, each with a title. */
  readonly measures: readonly (readonly [title: string, fact: string])[];
}

/** How people speak of an action that is no move: an answer, a drawing. */
interface ActionWords {
  readonly noun: string;
  /** On the button that takes it. */
  readonly command: string;
}

/** What a person who plays has to know. */
interface PlayHelp {
  /** What the actions do, with units and axes. */
  readonly actions: string;
  /** Why an action may earn less than 0; absent where none does, or where its note says so. */
  readonly losses?: string;
}

/** What a game is about to do. */
export interface Upcoming {
  readonly env: Env;
  /** The actions that it will take, unless it ends before. */
  readonly actions?: readonly string[];
  /** How many actions of `oracle` will be used. */
  readonly plan?: number;
}

/** How an environment that simulates for long has that done by threads; see `threads.ts`. Jobs and answers are plain data. */
export interface Precomputation {
  /**
   * Lets `run` compute what the games are about to do, and keeps it, so that `step` and `oracle` find it there.
   * @param run answers jobs in parallel, each with what `compute` returns for it; with undefined where that was not possible.
   */
  precompute(
    upcoming: readonly Upcoming[],
    run: (jobs: readonly unknown[]) => Promise<readonly unknown[]>,
  ): Promise<void>;
  /** Answers a job of `precompute`, in a thread that has awaited `load`. */
  compute(job: unknown): unknown;
}

/** A kind of environment. Forms, YAML checks and docs derive from it; its MDP is the docstring (docs/environments.md). */
export interface EnvSpec<C extends z.ZodType = z.ZodType> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly actions: readonly string[];
  /** What people call an action; absent: a move on a board, an action elsewhere. */
  readonly actionWords?: ActionWords;
  /** For a person who plays; absent where the names of the actions say everything. */
  readonly playHelp?: PlayHelp;
  /** Actions as in `actions`, with things that exist in this level, for a person who writes them; absent: `actions`. */
  examplesIn?(truth: SceneTruth): readonly string[];
  /**
   * For actions that can be written in many ways: one with the most tokens that an agent usually needs. Memory is planned for observations that
   * name it; absent: for the longest of `actions`.
   */
  readonly longestAction?: string;
  /** For actions that can be written in several ways: the action that a text means, or null. */
  readAction?(text: string): string | null;
  /**
   * Why a text means no action, where more can be said than that it is unknown; empty if it means one.
   * @param truth the state of the level, for a person who plays
   */
  whyUnknown?(text: string, truth?: SceneTruth): string;
  /**
   * How the agent's next observation mentions an action whose name is too long, or which had no effect, if the agent should know that;
   * undefined: by its name.
   */
  mention?(action: string, effective: boolean): string | undefined;
  /** Between the actions of an answer, `,` by default; null: an answer is one action. */
  readonly separator?: string | null;
  /** How VAGEN-Lite writes an answer, where that differs: under its reading of replies, both spellings are read. */
  readonly liteSpelling?: AnswerSpelling;
  /** How VAGEN-Lite's game grades turns, where that differs from its grids; used under its reading of replies. */
  readonly liteGrading?: LiteGrading;
  /**
   * Where VAGEN-Lite's game looks for the action of a reply: in the answer, and if that holds none, in the whole reply. Null for a text
   * without one; absent: in the answer only. Used under its reading of replies.
   */
  liteAnswerIn?(text: string): string | null;
  /** Whether a turn without a valid action ends the episode; absent: the next turn may act. */
  endsWithoutAction?(config: z.output<C>): boolean;
  /** Nothing of a malformed reply is executed. By default the actions that can be read in it are, without the format reward. */
  readonly refusesMalformed?: true;
  /** Names in `groundTruth().entities` whose cells the agent states in observations and predictions; if empty, nothing is judged. */
  readonly claims: readonly string[];
  /** Facts of the final state, numbers, whose means over the episodes are metrics. */
  measures?(config: z.output<C>): readonly string[];
  /**
   * What people call the result of an episode that ended in this state without success, where it is no failure: "Tie". Undefined, or absent:
   * it failed. No reward and no metric depends on it.
   */
  resultIn?(truth: SceneTruth): string | undefined;
  /** Whether chance decides, too: no plan is sure to win, and a level fixes what no agent can know, such as the cards to come. Absent: never. */
  hasChance?(config: z.output<C>): boolean;
  /** Its question also says what the agent gets to know of a state, and changes with it; absent: it stays the same in an episode. */
  readonly hasChangingQuestion?: true;
  /** Its pictures show what its truth leaves out, such as a robot's hand, so an action without effect can change them; absent: none does. */
  readonly showsMoreThanTruth?: true;
  /** Its states are not boards; `worlds.ts` gives its words. */
  readonly isWorld?: true;
  /** The symbols of its boards are an extension's own, which no judge can read. */
  readonly hasOwnSymbols?: true;
  /** The states of this world can be written as a dictionary of places. */
  readonly hasDictionary?: true;
  /** What lies beside the player; absent where there is no board. */
  readonly surroundings?: Surroundings;
  /** zod object with VAGEN's field names and defaults. */
  readonly config: C;
  /** A level is a question about a picture, and an answer leaves it as it was; absent: a level is a game, which actions change. */
  readonly isQuestion?: true;
  /** Every question or instruction that a level of this configuration may have on a board; see `Env.question`. */
  questions?(config: z.output<C>): readonly string[];
  /** Named settings of `config`, e.g. the legacy and the Lite reward constants. */
  readonly presets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * Loads what games of this environment need, such as WASM or a large module; absent where nothing has to be loaded. It must have
   * resolved before the first `create`, and further calls do nothing. @param report receives the progress of large files.
   * @throws EnvError("not_loaded")
   */
  load?(report?: ReportLoad): Promise<void>;
  /** How threads compute steps and plans of many games; absent: each is computed when it is needed. No result depends on it. */
  readonly precomputation?: Precomputation;
  /** The most pictures of an observation under a configuration, for the plan of memory; absent: one. */
  mostPictures?(config: z.output<C>): number;
  /** Whether games of a configuration offer tools; absent: none does. */
  hasTools?(config: z.output<C>): boolean;
  /** Loads what reading a text as an action takes besides `load`; absent: nothing. @throws an error where it cannot be loaded. */
  loadFor?(text: string): Promise<void>;
  /**
   * Checks a configuration before anything is loaded; absent: `create` does, and needs nothing loaded.
   * @throws EnvError("invalid_config") when no level can satisfy the configuration.
   */
  check?(config: z.output<C>): void;
  /** @throws EnvError("invalid_config") when no level can satisfy the configuration, EnvError("not_loaded") before `load` has resolved. */
  create(config: z.output<C>, options?: CreateOptions): Env;
  /**
   * About how many turns an agent takes that plays levels of a configuration well; absent, or 0: as few as any run allows. The user
   * is warned of a run with fewer.
   */
  turnsNeeded?(config: z.output<C>): number;
  /** Moves of a shortest plan from a scene of this environment; null when the solver finds none. Absent without a solver. */
  movesLeft?(scene: GroundTruth): number | null;
  /** Moves that no plan from a scene can do without, where the scene does not tell the shortest plan. Absent without such a bound. */
  leastMoves?(scene: SceneTruth): number;
  /** Where the level of a seed comes from, for environments that can play another program's levels. Null: it plays its own. */
  levelSource?(config: z.output<C>, seed: number): LevelSource | null;
  /** An action is a drawing of what the agent sees; absent where the agent does not draw. */
  readonly drawings?: Drawings<z.output<C>>;
  /**
   * A state in words, for people who do not see its picture; absent: what is where on a board or a plane, and elsewhere what is in view and
   * what is asked.
   */
  describe?(truth: WorldTruth): string;
  /**
   * Where the task's reward of a turn comes from, in words for people who read a trace; empty: there is nothing to say. Absent where only
   * the end of the game pays.
   */
  explainReward?(turn: PaidTurn, config: z.output<C>): string;
  /** Loads what shows its states on a map of its floor, in the debug view; absent: there is no map. */
  readonly loadMap?: () => Promise<FloorMap>;
  /**
   * Where the place of a claim shows in the picture of a state, for things that hang: null outside the picture. Undefined where the thing
   * stands on the floor, which the outline of its verdict shows, and before `load` has resolved. Absent where nothing hangs.
   */
  hungAt?(claim: ClaimedField, truth: WorldTruth, config: z.output<C>): Outline | null | undefined;
  /** Its levels can take place in houses that the user loads; the option `homes` says whether they do. */
  readonly takesHouses?: true;
  /** Of users' own environments: what replays are made of, because the page does not run their code. */
  readonly recorded?: RecordedStates<z.output<C>>;
  /** Rows and columns of a picture in patches, from the configuration. */
  patches(config: z.output<C>): { rows: number; cols: number };
}

/** A field of a verdict: what it is about, and what was claimed, in the judge's words. */
export interface ClaimedField {
  readonly name: string;
  readonly words: string;
}

/** What the agent and the judge need of an environment whose states are not boards. `C` is the type of its configuration. */
export interface WorldWords<C = unknown> {
  /** Of the environment. */
  readonly id: string;
  /** How claims about a state are said, read and compared; absent where nothing is claimed. */
  claimRules?(config: C): ClaimRules;
  /** Questions or instructions that a configuration has, one with the most words among them. */
  questions(config: C): readonly string[];
  /** A state as text that has as many words as any. */
  longestText(config: C): string;
}

/** Identity that fixes the type parameter of a spec from its config schema. */
export function defineEnv<C extends z.ZodType>(spec: EnvSpec<C>): EnvSpec<C> {
  return spec;
}
