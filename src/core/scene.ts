// Boards and other worlds: which is which, and how claims about the latter are judged.
import type { BoardTruth, Outline, SceneTruth, WorldTruth } from "./types.ts";

/** Whether a state is that of a board. */
export const isBoard = (truth: SceneTruth): truth is BoardTruth => "rows" in truth;

/** A state that is known to be a board's. @throws TypeError if it is not. */
export function boardOf(truth: SceneTruth): BoardTruth {
  if (isBoard(truth)) return truth;
  throw new TypeError(`A board was expected, not places on a ${truth.frame}`);
}

/** One thing that a claim says: "lamp 7 ahead 2 right". */
export interface Statement {
  /** What it is about. */
  name: string;
  /** What it says, in words. */
  value: string;
  /** The place that it gives, in the coordinate frame of the scene; absent if it gives none. */
  at?: readonly number[];
  /** Of what a claim should say: it may be left out, and is judged if it is said. */
  optional?: true;
}

/** How the state of a world is claimed. Boards have rules in common instead (`src/judge/reading.ts`). */
export interface ClaimRules {
  /**
   * What a complete claim says about a state, a statement for each thing: an observation of it, or a prediction that it will come, made
   * in the state `before`.
   */
  expected(truth: WorldTruth, claim: "observation" | "prediction", before?: WorldTruth): readonly Statement[];
  /**
   * Whether what a claim is about can be said exactly; default true. Claims about anything else are not judged, so that no false one is
   * paid.
   */
  canJudge?(truth: WorldTruth, claim: "observation" | "prediction"): boolean;
  /** The statements in a text. Of the truth it may use only what the agent knows, such as where it stands itself. */
  read(text: string, truth: WorldTruth): readonly Statement[];
  /** Whether what is said about a thing is right within the tolerance of the world. */
  agrees(said: Statement, expected: Statement): boolean;
  /** Where a stated place shows in the picture of a state; null if it does not show, or if there is no place. */
  outline(said: Statement, truth: WorldTruth): Outline | null;
}

/**
 * The part of a box that lies in the picture; null if none does. Both are in shares of the picture's width and height: the picture
 * reaches from 0 to 1.
 */
export function clippedOutline(x0: number, y0: number, x1: number, y1: number): Outline | null {
  const clip = (end: number) => Math.max(0, Math.min(1, end));
  const [x, y, right, bottom] = [clip(x0), clip(y0), clip(x1), clip(y1)];
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}
