// A judge decides whether the claims of an agent are true. It may be slow (a remote model), so it receives batches, and its
// verdicts are recorded with the turn: rewards can then be recomputed without asking again.
import { earnsFormat } from "../core/readings.ts";
import { isBoard } from "../core/scene.ts";
import type { GroundTruth, SceneTruth, Turn, Verdict } from "../core/types.ts";

/** The two claims of a turn: what the state is, and what it will be. */
export type Claim = "observation" | "prediction";

/** One claim to judge. */
export interface JudgeQuestion {
  claim: Claim;
  /** The text of the claim. */
  text: string;
  /** The state that the claim is about: before the actions for an observation, after them for a prediction. */
  truth: GroundTruth;
  /** Entities whose cells the claim has to give. */
  names: readonly string[];
}

/** The part of an AbortSignal that a judge needs: this layer knows no DOM. */
export interface Cancel {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Rule-based, a model, or a recording of either. */
export interface Judge {
  readonly id: string;
  readonly title: string;
  /**
   * One verdict per question, in order. A claim that cannot be read is `unreadable`, and one that the judge could not
   * decide is `not_judged`, both with the reason. Rejects only with the reason of an aborted `signal`.
   */
  judge(questions: readonly JudgeQuestion[], signal?: Cancel): Promise<readonly Verdict[]>;
}

/** Entities that each claim has to give; a claim without any is not part of the format and is not judged. */
type ClaimNames = Readonly<Record<Claim, readonly string[]>>;

/** A verdict that scores nothing. */
export function noScore(status: Verdict["status"], judge: string, reason: string): Verdict {
  return { status, score: 0, judge, reason, fields: [] };
}

/** Which turns have claims that are judged. */
export type IsJudged = (turn: Turn) => boolean;

/**
 * Judges the claims of turns: one record by claim per turn. The claims of a turn that is not judged get the status `format`.
 * @param isJudged by default, as in VAGEN, a turn that earns the format reward (right format, valid actions, by the rules of the reading).
 */
export async function judgeTurns(
  judge: Judge,
  turns: readonly Turn[],
  names: ClaimNames,
  signal?: Cancel,
  isJudged: IsJudged = earnsFormat,
): Promise<Record<string, Verdict>[]> {
  const asked = turns.flatMap((turn, index) =>
    isJudged(turn) ? questionsOf(turn, names).map((question) => ({ index, question })) : [],
  );
  const verdicts = await judge.judge(
    asked.map(({ question }) => question),
    signal,
  );
  const records = turns.map((turn) => (isJudged(turn) ? {} : refused(turn, judge.id, names)));
  for (const [i, { index, question }] of asked.entries()) records[index][question.claim] = verdicts[i];
  return records;
}

/** Claims are about places as seen from a player; without a player there are none. */
export const hasPlayer = (truth: SceneTruth): truth is GroundTruth =>
  isBoard(truth) && truth.player !== undefined;

const claimed = (names: ClaimNames) =>
  (["observation", "prediction"] as const).filter((claim) => names[claim].length > 0);

function questionsOf(turn: Turn, names: ClaimNames): JudgeQuestion[] {
  return claimed(names).flatMap((claim) => {
    const truth = claim === "observation" ? turn.before : turn.after;
    return hasPlayer(truth) ? [{ claim, text: turn.parsed[claim], truth, names: names[claim] }] : [];
  });
}

function refused(turn: Turn, judge: string, names: ClaimNames): Record<string, Verdict> {
  return Object.fromEntries(claimed(names).map((claim) => [claim, malformed(turn, judge)]));
}

/** The verdict on a statement of a turn that is not judged. */
export const malformed = ({ parsed }: Turn, judge: string): Verdict =>
  noScore("format", judge, `Not judged: ${parsed.reason || "no valid action"}.`);
