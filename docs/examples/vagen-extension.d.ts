// The types of an extension, for editors. With this file beside an extension, two lines check it while it is written:
//
//   // @ts-check
//   /** @type {import("./vagen-extension.d.ts").Extension} */
//   export default ({ environment, estimator, rewardTerm, filter, metric }) => { … };
//
// It stands alone, and the studio never reads it. docs/extending.md says more about each part. Everything with a question mark may be
// left out.

/** The default export of an extension. It adds everything before it returns. */
export type Extension = (api: ExtensionApi) => void;

/** Each function adds one thing, and may be called several times. */
export interface ExtensionApi {
  environment<S>(own: Environment<S>): void;
  estimator(own: Estimator): void;
  rewardTerm(own: RewardTerm): void;
  filter(own: Filter): void;
  metric(own: Metric): void;
}

// ---- environment ----

/**
 * A board (`rows` and `cols`) or a plane with coordinates (`size`), and pure functions of a state `S`: plain data of at most 10,000
 * characters as JSON that holds all that later steps depend on. The functions are given copies.
 */
export interface Environment<S = unknown> {
  /** Small letters, digits and underscores; `env.name` of a configuration. */
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  /** Of a board: 2 to 12. */
  readonly rows?: number;
  /** Of a board: 2 to 12. */
  readonly cols?: number;
  /** Of a plane: multiples of 8 from 16 to 96, in units. A unit is a pixel of the agent's picture, x to the right and y down from the top left. */
  readonly size?: readonly [width: number, height: number];
  /** At most 20. Together they must allow at least two different actions. */
  readonly actions: readonly Action[];
  /** Everything that can be there, the `player` included, in the order in which it is drawn. No two look alike. */
  readonly things: Readonly<Record<string, Look>>;
  /** Of a plane: what is drawn below all things, the same in every state; at most 40 shapes. */
  readonly scenery?: readonly Scenery[];
  /** Of a plane: `#rrggbb`. */
  readonly background?: string;
  /** Things whose places the agent states besides the player's, at least one; each always has exactly one place. */
  readonly claims: readonly string[];
  /** Of a plane: a stated place is right if it is at most this many units away; 2 by default. */
  readonly near?: number;
  /** Words of the agent's language, where those that every board or plane has are not the right ones. */
  readonly words?: Words;
  /** Whether `step` draws random numbers, so that an action may have several results. Needs `plan`. False by default. */
  readonly chance?: boolean;
  /**
   * Every instruction that a level may give the agent: 2 to 100 different sentences of at most 120 characters. Words of letters, digits,
   * hyphens and apostrophes have one blank between them; there are at most 200 different words in all. Needs `instruction`.
   */
  readonly instructions?: readonly string[];
  /** The first state of a level. All random numbers are taken from `random`. */
  start(random: Random): S;
  /**
   * @param values of the action's arguments, by name; of an action without arguments: none
   * @param random random numbers of this action; only with `chance`
   */
  step(state: S, action: string, values: ArgumentValues, random: Random): Step<S>;
  /** The places of all things that are there: cells of a board, or points of a plane, which are rounded to whole units. */
  where(state: S): Readonly<Record<string, Place | readonly Place[]>>;
  /** The instruction of a level: one of `instructions`, the same in all states of an episode. */
  instruction?(state: S): string;
  /**
   * A shortest plan to success, its actions as they are written, or null; absent: the studio searches for one. With `chance` it is needed: what
   * should be done if all goes well.
   */
  plan?(state: S): readonly string[] | null;
}

/**
 * An action: its name, or its name and 1 to 4 arguments in the order in which they are written. `putt(east, 12)` is an action of
 * `{ name: "putt", arguments: { way: ["east", "west"], strength: { from: 4, to: 24, step: 4 } } }`.
 */
export type Action =
  | string
  | { readonly name: string; readonly arguments: Readonly<Record<string, Argument>> };

/** The values that an argument can have: words, or whole numbers at equal distances, 1 by default. */
export type Argument =
  | readonly string[]
  | { readonly from: number; readonly to: number; readonly step?: number };

/** A number or a word for each argument: `{ way: "east", strength: 12 }`. */
// biome-ignore lint/suspicious/noExplicitAny: the declaration of an argument says whether it is a number or a word, and no type can.
export type ArgumentValues = Readonly<Record<string, any>>;

/** Words of the language; each has a default. Names of things and actions are chosen in `things` and `actions`. */
export interface Words {
  /** What the agent is to do, in the prompt after the title: one line of at most 120 characters. */
  readonly aim?: string;
  /** Between a thing and its place; `at` by default: "door at row 2 col 1", "pad at 50 58". */
  readonly at?: string;
  /** Between a thing and where it lies as seen from the player; `is` by default: "door is 1 up 2 right", "pad is 38 right 18 down". */
  readonly is?: string;
  /** Between what the reasoning states and the actions that follow from it; `so move` by default. */
  readonly decision?: string;
}

/** How a thing looks. */
export interface Look {
  /** `#rrggbb`. */
  readonly color: string;
  readonly shape: "square" | "disc" | "diamond" | "ring" | "cross" | "triangle";
  /** On a board, and needed there: one letter, for boards as text. */
  readonly symbol?: string;
  /** On a plane: units from 2 to 96, 8 by default. */
  readonly size?: Extent;
  /** On a plane: it never moves within a level, so predictions may leave it out. False by default. */
  readonly fixed?: boolean;
  /** On a plane: how many of it there can be, 1 to 20; 1 by default. */
  readonly most?: number;
}

/** Units: width and height, or one number for both. */
export type Extent = number | readonly [width: number, height: number];

/** A shape that belongs to the picture of a plane, around its middle; it may reach beyond the plane. */
export interface Scenery {
  readonly color: string;
  readonly shape: Look["shape"];
  readonly at: Place;
  readonly size: Extent;
}

/** Random numbers of a level, or of an action. */
export interface Random {
  /** Uniform in [0, 1). */
  float(): number;
  /** Uniform in 0 … n−1. */
  int(n: number): number;
  /** An item of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}

/** The result of an action. What is left out is 0, false or empty. */
export interface Step<S> {
  readonly state: S;
  /** Besides `success_reward`, which success pays. */
  readonly reward?: number;
  /** The episode is over. */
  readonly done?: boolean;
  /** It is over, and solved. */
  readonly success?: boolean;
  /** For people: why nothing happened, or how the episode was lost. At most 200 characters. */
  readonly note?: string;
  /** What people call an end without success that is no failure: "Tie". One line of at most 24 characters, with `done` and without `success`. */
  readonly result?: string;
}

/** A cell of a board, both numbers from 0, row 0 on top. */
export type Cell = readonly [row: number, col: number];

/** A cell [row, col] of a board, or a point [x, y] of a plane. */
export type Place = readonly [number, number];

// ---- estimator ----

export interface Estimator {
  readonly id: string;
  readonly title?: string;
  /** One sentence for people. */
  readonly help?: string;
  /** Whether `gamma`, `lambda` and `turnGamma` change anything: true by default. */
  readonly usesGamma?: boolean;
  readonly usesLambda?: boolean;
  readonly usesTurnGamma?: boolean;
  /** Tokens whose values are trained, of those that carry advantage; `none`: no critic. `trained` by default. */
  readonly valueTokens?: "trained" | "turn_end" | "turn_start" | "none";
  /** Tokens whose moments whiten the advantages; `policy` by default. */
  readonly whitenOver?: "policy" | "turn_end" | "none";
  /** Whether values of tokens are read that the policy did not write. */
  readonly usesEveryToken?: boolean;
  /** Whether several episodes of each level are needed. */
  readonly comparesGroups?: boolean;
  estimate(tokens: AdvantageTokens, params: AdvantageParams): Advantages;
}

/** S trajectories one after another on one axis of N tokens; trajectory s covers [starts[s], starts[s + 1]). */
export interface AdvantageTokens {
  /** S + 1 entries. */
  readonly starts: ArrayLike<number>;
  /** N, on the last token of each turn; less the KL penalty where the reward has one. */
  readonly rewards: ArrayLike<number>;
  /** N, of the prefix strictly before the token. */
  readonly values: ArrayLike<number>;
  /** N, 1 = carries advantage. */
  readonly gaeMask: ArrayLike<number>;
  /** N, 1 = last token of a turn of the policy. */
  readonly turnEndMask: ArrayLike<number>;
  /** S, the value after the last token of a cut episode. Absent means 0 for all. */
  readonly bootstrap?: ArrayLike<number>;
  /** S, equal numbers began in the same state. Absent means one group. */
  readonly groups?: ArrayLike<number>;
  /** N, log-probability of a token when it was sampled. */
  readonly rolloutLogprobs?: ArrayLike<number>;
  /** N, the same when it was scored for training. */
  readonly oldLogprobs?: ArrayLike<number>;
  /** N, the same under the ref policy, where a KL estimate needs it. */
  readonly refLogprobs?: ArrayLike<number>;
  /** S, what the greedy policy earned on the level. Absent means 0 for all. */
  readonly baselines?: ArrayLike<number>;
}

/** The settings of advantage estimation. */
export interface AdvantageParams {
  readonly gamma: number;
  readonly lambda: number;
  readonly turnGamma: number;
  readonly turnLambda?: number;
  readonly turnAnchor?: "end" | "start";
  readonly groupStd?: boolean;
  readonly lambdaByLength?: { readonly kind: "vapo" | "relative_position"; readonly value: number };
  readonly clock?: {
    readonly gammaTurn: number;
    readonly lambdaTurn: number;
    readonly lambdaToken: number;
    readonly mix: number;
  };
  readonly carry?: boolean;
  readonly scoreEveryToken?: boolean;
}

/** N finite numbers each, before whitening. */
export interface Advantages {
  readonly advantages: ArrayLike<number>;
  /** What the critic learns. */
  readonly returns: ArrayLike<number>;
  /** 1 = its value is trained; only where that is not what `valueTokens` says. */
  readonly valueMask?: ArrayLike<number>;
}

// ---- rewardTerm ----

export interface RewardTerm {
  readonly id: string;
  readonly title?: string;
  /** Unweighted; the same turn always gets the same score. */
  score(turn: Turn): number;
}

// ---- filter ----

export interface Filter {
  readonly id: string;
  readonly title?: string;
  /** One sentence for people. */
  readonly help?: string;
  /** Whether several episodes of each level are needed. */
  readonly comparesGroups?: boolean;
  apply(
    episodes: readonly Scored[],
    options: FilterOptions,
  ): {
    /** For each episode, in order; at least one is kept. */
    keep: readonly boolean[];
    /** Factor of the kept advantages, 1 by default. */
    scale?: number;
    /** Logged as `filter/train/<id>/<name>`. */
    metrics?: Readonly<Record<string, number>>;
  };
}

/** An episode, or a sequence of one where a run trains on sequences. */
export interface Scored {
  /** Episodes of one group began in the same state. */
  readonly groupId: string;
  /** Sum of the rewards. */
  readonly score: number;
  readonly trajectory: Trajectory;
}

/** The settings `filter_topk`, `filter_top_p` and `filter_ddof`. */
export interface FilterOptions {
  readonly topk: number;
  readonly topP: number;
  readonly ddof?: number;
}

// ---- metric ----

export interface Metric {
  readonly id: string;
  readonly title?: string;
  readonly unit?: string;
  /** What is counted or averaged, over what. */
  readonly definition?: string;
  /** `neither` by default. */
  readonly better?: "higher" | "lower" | "neither";
  /** An axis that never moves, or null. */
  readonly range?: readonly [number, number] | null;
  readonly healthy?: string;
  readonly wrong?: string;
  /** Of the episodes of an update (`train`) or of a validation (`val`); undefined when there is nothing to measure. */
  measure(trajectories: readonly Trajectory[], split: "train" | "val"): number | undefined;
}

// ---- what was recorded ----

export interface Trajectory {
  id: string;
  envId: string;
  /** The name of its environment in a run that has several; absent for the first. */
  entry?: string;
  seed: number;
  /** Trajectories of one group share a start state. */
  groupId: string;
  turns: Turn[];
  terminated: boolean;
  truncated: boolean;
  success: boolean;
  /** Why the episode is of no use for training. */
  unusable?: "no_progress";
  tokens: TrajectoryTokens;
}

/** One turn of the agent, as it happened. */
export interface Turn {
  index: number;
  /** `text` has one `<image>` marker for each image. */
  observation: { text: string; images: Frame[] };
  /** The summary that a new conversation began with at this turn. */
  summary?: string;
  /** What the policy wrote. */
  reply: string;
  /** What was read in it. */
  parsed: ParsedReply;
  executed: readonly ExecutedAction[];
  /** The tool call that this turn made in place of actions. */
  tool?: ToolUse;
  /** On `observation` and `surroundings` (against `before`) and on `prediction` (against `after`). */
  verdicts: Readonly<Record<string, Verdict>>;
  /** What the task itself paid. */
  taskReward: number;
  /** Weighted reward terms by id; they sum to `reward`. Empty while they are computed. */
  rewards: Readonly<Record<string, number>>;
  reward: number;
  before: SceneTruth;
  after: SceneTruth;
  saved?: Readonly<Record<string, number | readonly number[]>>;
  /** Whether the player moved in the turn; without a player, whether an action had effect. */
  actionIsEffective: boolean;
  /** At least one action was read and all are known, or a tool answered. */
  actionIsValid: boolean;
  formatEarned?: boolean;
}

/** What the grammar read in a reply. */
export interface ParsedReply {
  formatOk: boolean;
  answersFreely?: boolean;
  /** Why the format is wrong; empty when it is right. */
  reason: string;
  observation: string;
  reasoning: string;
  prediction: string;
  answer: string;
  /** Actions to execute. */
  actions: readonly string[];
  /** Actions beyond the limit. */
  droppedActions: readonly string[];
  /** The text of a tool call. */
  call?: string;
  /** Spans [from, to) that cover the whole reply in order. */
  sections: readonly {
    kind: "observation" | "reasoning" | "prediction" | "answer" | "call" | "tag" | "other";
    from: number;
    to: number;
  }[];
}

/** An action of a turn and what the environment made of it. */
export interface ExecutedAction {
  name: string;
  /** How the agent's next observation mentions it, if not by its name. */
  mention?: string;
  valid: boolean;
  effective: boolean;
  /** Why it had no effect, or how it ended the task without success. */
  note: string;
}

/** A call of a tool and its answer. */
export interface ToolUse {
  call: string;
  name: string;
  ok: boolean;
  result: string;
  detail: string;
}

/** What was found about one claim of one turn. */
export interface Verdict {
  status: "match" | "partial" | "mismatch" | "unreadable" | "format" | "off" | "not_judged";
  /** 0 … 1. */
  score: number;
  judge: string;
  reason: string;
  /** The same words are said too often for so low a score. */
  repeated?: boolean;
  /** What the reward pays in place of the score, when that differs. */
  paid?: number;
  fields: readonly {
    name: string;
    predicted: string;
    truth: string;
    ok: boolean;
    cells?: readonly Cell[];
    /** Parts of the picture's width and height. */
    outline?: { x: number; y: number; width: number; height: number };
  }[];
}

/** The facts of a state: of a board, or of a world whose things have coordinates. */
export type SceneTruth = BoardTruth | WorldTruth;

export interface BoardTruth {
  rows: number;
  cols: number;
  player?: Cell;
  /** The cells of every kind of thing. */
  entities: Readonly<Record<string, readonly Cell[]>>;
  facts?: Readonly<Record<string, string | number | boolean>>;
}

export interface WorldTruth {
  /** [x, z] in metres, [x, y, z] in millimetres, [x, y] from 0 to 63, [x, y] in units of your own plane. */
  frame: "floor" | "workspace" | "canvas" | "plane";
  /** Of a plane. */
  size?: readonly [width: number, height: number];
  things: readonly { name: string; at: readonly number[] }[];
  facts?: Readonly<Record<string, string | number | boolean>>;
}

/** A picture, RGBA row by row from the top left. */
export interface Frame {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** The conversation as T tokens. Entry t is about token t; outside its mask it is 0. */
export interface TrajectoryTokens {
  /** The sequences that the model reads on their own; absent: all tokens are one. */
  sequences?: readonly {
    from: number;
    to: number;
    firstTurn: number;
    lastTurn: number;
    summaryFrom?: number;
  }[];
  ids: Int32Array;
  /** 1 = sampled by the policy. */
  responseMask: Uint8Array;
  /** 1 = last token of a turn of the policy, or of a summary. */
  turnEndMask: Uint8Array;
  turnIndex: Int16Array;
  /** The patch that fills an image token, −1 for text. */
  imagePatch: Int32Array;
  rolloutLogprobs: Float32Array;
  rolloutEntropies?: Float32Array;
  rolloutValues?: Float32Array;
  versions?: Int32Array;
  /** Of each turn, on its last token. */
  rewards: Float32Array;
  values: Float32Array;
  advantages: Float32Array;
  returns: Float32Array;
  entropy: Float32Array;
  refLogprobs: Float32Array;
  lossMask?: Uint8Array;
  valueMask?: Uint8Array;
  trainRewards?: Float32Array;
}
