// Rows of the workflow as the trainer keeps tokens.
import { joinTokens } from "../../core/token-rows.ts";
import type { TokenRow, TrajectoryTokens } from "../../core/types.ts";
import type { ExportedRow } from "./individual.ts";
import type { TokenArrays } from "./sequence.ts";

/** Where turns end in a row and what the row earns. */
interface RowFacts {
  /** The last sampled token of each turn, rising. */
  turnEnds: readonly number[];
  /** Lands on the last of them. */
  reward: number;
  /** Patch number of each token, −1 for text; as many as the row has tokens, or more. */
  imagePatch: Int32Array;
}

/** A row as the tokens of a trajectory: its one reward on the last sampled token. Estimates are zeros to be filled in. */
export function trajectoryTokens(
  { ids, responseMask, logprobs, versions }: TokenArrays,
  { turnEnds, reward, imagePatch }: RowFacts,
): TrajectoryTokens {
  const { length } = ids;
  const rewards = new Float32Array(length);
  const turnEndMask = new Uint8Array(length);
  for (const end of turnEnds) turnEndMask[end] = 1;
  const last = turnEnds[turnEnds.length - 1];
  if (last !== undefined) rewards[last] = reward;
  return {
    ids,
    responseMask,
    turnEndMask,
    turnIndex: turnNumbers(turnEndMask),
    imagePatch: imagePatch.slice(0, length),
    logprobs,
    versions,
    rewards,
    values: new Float32Array(length),
    advantages: new Float32Array(length),
    returns: new Float32Array(length),
    entropy: new Float32Array(length),
    refLogprobs: new Float32Array(0),
  };
}

/**
 * Rows that are each trained on by themselves, behind one another as the record of one trajectory; row k ends with reply k. All
 * have the beginning of one conversation, whose patches are `imagePatch`.
 */
export function separateTokens(rows: readonly ExportedRow[], imagePatch: Int32Array): TrajectoryTokens {
  const parts = rows.map((row, turn) => {
    const turnEnds = [row.ids.length - 1];
    const tokens = trajectoryTokens(row, { turnEnds, reward: row.reward, imagePatch });
    return { ...tokens, turnIndex: tokens.turnIndex.fill(turn) };
  });
  return { ...joinTokens(parts), rows: rowsBehindOneAnother(parts) };
}

function rowsBehindOneAnother(parts: readonly TrajectoryTokens[]): TokenRow[] {
  let from = 0;
  return parts.map(({ ids }, turn) => {
    const row = { from, to: from + ids.length, firstTurn: 0, lastTurn: turn };
    from = row.to;
    return row;
  });
}

/** Patches in the order of the row. An image token that the policy wrote itself shows no picture. */
export function patchNumbers({ ids, responseMask }: TokenArrays, imageId: number): Int32Array {
  let next = 0;
  return ids.map((id, t) => (id === imageId && !responseMask[t] ? next++ : -1));
}

/** Tokens behind the end of a turn belong to the next one. */
function turnNumbers(turnEndMask: Uint8Array): Int16Array {
  let turn = 0;
  return Int16Array.from(turnEndMask, (end) => (end ? turn++ : turn));
}
