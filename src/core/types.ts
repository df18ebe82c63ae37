// The types that every layer shares. Everything here survives `structuredClone`.

/** An RGBA picture, row by row from the top left. Plain bytes, so it crosses threads and runs without a DOM. */
export interface Frame {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** What the agent is shown. `text` has one `<image>` marker per entry of `images`. */
interface Observation {
  text: string;
  images: Frame[];
}

/** A cell of a grid world: [row, column], both from 0, row 0 on top. */
export type Cell = readonly [row: number, col: number];

/** What no place says: the question about a picture, its answer, the pose of an agent. */
type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * Symbolic facts about the state of a board. `entities` are the named things in the picture, those among them whose place the agent
 * is asked to state; a kind with several members (boxes, holes) lists them all.
 */
export interface BoardTruth {
  rows: number;
  cols: number;
  /** The cell of the agent's figure; absent where it has none. */
  player?: Cell;
  entities: Readonly<Record<string, readonly Cell[]>>;
  facts?: Facts;
}

/** A thing of a world that is no board. */
export interface Thing {
  name: string;
  /** Where it is, in the coordinate frame of its scene. */
  at: readonly number[];
}

/**
 * The coordinate frames of places: `floor`, [x, z] in metres on the floor of a home; `workspace`, [x, y, z] in millimetres from the
 * middle of a robot's table; `canvas`, [x, y] from 0 to 63 on a drawing; `plane`, [x, y] in units from the top left corner of a user's
 * own plane, y down.
 */
type CoordinateFrame = "floor" | "workspace" | "canvas" | "plane";

/** Symbolic facts about the state of a world whose things have coordinates in place of cells. */
export interface WorldTruth {
  frame: CoordinateFrame;
  /** Width and height of a plane in units; absent elsewhere. */
  size?: readonly [width: number, height: number];
  /** Things that claims can be about. */
  things: readonly Thing[];
  facts?: Facts;
}

/** A game as plain data, from which its environment continues it exactly. */
export type SavedGame = Readonly<Record<string, number | readonly number[]>>;

/** Symbolic facts about a state. Judges and demonstrations use them; the agent never sees them. */
export type SceneTruth = BoardTruth | WorldTruth;

/** The truth of a board on which the agent moves a figure. */
export interface GroundTruth extends BoardTruth {
  player: Cell;
}

/** The parts of a reply that the formats name; `other` is text outside every expected tag. */
export type SectionKind = "observation" | "reasoning" | "prediction" | "answer" | "call" | "tag" | "other";

/** A labelled span of a reply: character offsets [from, to). */
export interface Section {
  kind: SectionKind;
  from: number;
  to: number;
}

/** What the grammar read in a reply. A malformed reply is data, not an exception. */
export interface ParsedReply {
  formatOk: boolean;
  /** The format is right whether or not the answer can be executed: AReaL rewards it by itself, VAGEN only with valid actions. */
  answersFreely?: boolean;
  /** Why the format is wrong; empty when it is right. */
  reason: string;
  observation: string;
  reasoning: string;
  prediction: string;
  answer: string;
  /** Action names to execute, at most `max_actions_per_step`. Empty when nothing is executable. */
  actions: readonly string[];
  /** Actions beyond the limit, dropped by the rules. */
  droppedActions: readonly string[];
  /** The text between the tags of a tool call, which a reply may make in place of an answer. */
  call?: string;
  /** Spans that cover the whole reply text in order, without gaps. */
  sections: readonly Section[];
}

/**
 * The outcome of a claim. `format` (the turn is malformed), `off` (no judge) and `not_judged` (the judge could not decide) mean that the
 * claim has no judgement: it earns nothing and never counts as wrong.
 */
export type VerdictStatus = "match" | "partial" | "mismatch" | "unreadable" | "format" | "off" | "not_judged";

/** A box in a picture, from its top left corner; all numbers are parts of the picture's width or height. */
export interface Outline {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What was found about one claim of one turn: its observation, its prediction, or the neighbours that its reasoning states. */
export interface Verdict {
  status: VerdictStatus;
  /** 0…1; 0 unless the status is match or partial. */
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
    /** The stated cells, if the claim gives cells. */
    cells?: readonly Cell[];
    /** Where a stated place of a world shows in its picture; absent where it does not show. */
    outline?: Outline;
  }[];
}

/** One primitive action of a turn and what the environment made of it. */
export interface ExecutedAction {
  name: string;
  /** How the agent's next observation mentions it, if not by its name. */
  mention?: string;
  valid: boolean;
  effective: boolean;
  /** For people: why it had no effect ("blocked by a wall"), or how it ended the task without success; empty otherwise. */
  note: string;
}

/** A call of one of the environment's tools and what it answered. An error is an answer, too. */
export interface ToolUse {
  /** As it was written; empty when the call was malformed. */
  call: string;
  /** Name of the tool; empty when none could be read. */
  name: string;
  ok: boolean;
  /** The answer of the tool, or the kind of error, as a small policy reads it. */
  result: string;
  /** What exactly is wrong and what would be right; empty when nothing is. */
  detail: string;
}

/** One agent turn, as it happened. */
export interface Turn {
  index: number;
  observation: Observation;
  /** The summary that a new conversation began with at this turn, also part of `observation`; absent where none began. */
  summary?: string;
  /** Text the policy wrote, and what we read in it. */
  reply: string;
  parsed: ParsedReply;
  executed: readonly ExecutedAction[];
  /** The tool call that this turn made in place of actions. */
  tool?: ToolUse;
  /** Verdicts on `observation` and `surroundings` (against `before`) and on `prediction` (against `after`), as far as the format states them. */
  verdicts: Readonly<Record<string, Verdict>>;
  /** Reward of the environment's task for this turn (without format or judge rewards). */
  taskReward: number;
  /** Weighted reward terms by id (`task`, `format`, `state_estimation`, …); they sum to `reward`. */
  rewards: Readonly<Record<string, number>>;
  reward: number;
  before: SceneTruth;
  after: SceneTruth;
  /** The game before the turn, exactly, where a simulation leads to it; absent where seed and actions give it in every build. */
  saved?: SavedGame;
  /** Whether the player moved between the start and the end of the turn; without a player, whether an action had effect. */
  actionIsEffective: boolean;
  /** At least one action was parsed and every parsed action is known, or a tool answered; other readings differ (readings.ts). */
  actionIsValid: boolean;
  /** Whether the format reward is paid, where that does not follow from form and actions as in `earnsFormat`. */
  formatEarned?: boolean;
}

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
  /** Why the episode ended without being of use for training: its conversations were closed again and again after one turn. */
  unusable?: "no_progress";
  tokens: TrajectoryTokens;
}

/**
 * One sequence that the model reads on its own: tokens [from, to) of a trajectory's record, with the pictures of turns
 * firstTurn … lastTurn. It is a whole conversation, of which an episode has one or several, or one turn with the turns that it was
 * sampled from.
 */
export interface SequenceSpan {
  from: number;
  to: number;
  firstTurn: number;
  lastTurn: number;
  /** Where the summary begins that closes the conversation: tokens [summaryFrom, to) are it. Absent: none closes it. */
  summaryFrom?: number;
}

/**
 * The multi-turn conversation as T tokens, exactly as the policy saw and wrote it: one sequence, or the sequences of its turns
 * one after another. Each reply is marked in one sequence; in later sequences it is history, outside every mask.
 * Position t holds facts about token t: `rolloutLogprobs[t]` is log p(token t | tokens of its sequence < t), `values[t]` is the value
 * of that prefix, strictly before token t. Anything outside its mask is 0.
 */
export interface TrajectoryTokens {
  /** The sequences, which cover all tokens without gaps; absent: all tokens are one (see `sequenceSpans`). */
  sequences?: readonly SequenceSpan[];
  ids: Int32Array;
  /** 1 = sampled by the policy (M). */
  responseMask: Uint8Array;
  /** 1 = last token of a policy turn (E), or of a summary: turn rewards land here, turn values are read here. */
  turnEndMask: Uint8Array;
  /**
   * Which turn a token belongs to; the system prompt and the first observation belong to turn 0. Where each turn is a sequence,
   * all of the sequence, history included, belongs to it. A summary and the request for it belong to the turn before them.
   */
  turnIndex: Int16Array;
  /** Index of the frame patch that fills an image token: turn-ordered patch number within its sequence; -1 for text tokens. */
  imagePatch: Int32Array;
  /** log-probability under the policy that sampled, at the sampling temperature; 0 outside responseMask. */
  rolloutLogprobs: Float32Array;
  /** Entropy of that policy before each of its tokens; absent where the policy did not say it. */
  rolloutEntropies?: Float32Array;
  /** The critic's value as it was when the token was sampled; absent where the policy did not evaluate it then. */
  rolloutValues?: Float32Array;
  /** Updates that the policy had behind it when it sampled a token, −1 outside responseMask; absent where they were not recorded. */
  versions?: Int32Array;
  /** As recorded: of each turn, on its last token. Nothing changes them later. */
  rewards: Float32Array;
  values: Float32Array;
  advantages: Float32Array;
  returns: Float32Array;
  entropy: Float32Array;
  /** log-probability under the ref policy; empty when the run has none. */
  refLogprobs: Float32Array;
  /** 1 = the update trained on this token, which a filter can leave out; absent where no update has used the record. */
  lossMask?: Uint8Array;
  /** 1 = the update trained the critic here, so there is a return; absent likewise. */
  valueMask?: Uint8Array;
  /**
   * What returns are made of, where that is not `rewards`: moved to the episode's end, shaped, or less a KL penalty. Absent where
   * it is the same.
   */
  trainRewards?: Float32Array;
}
