// The language of a user's own board: where things are, where they lie as seen from the player, and what is beside it.
import type { GroundTruth } from "../../core/types.ts";
import type { Surroundings } from "../../envs/env.ts";
import { cellsOf } from "../../envs/grid.ts";
import { callsOf } from "../../envs/own/call.ts";
import type { OwnBoard } from "../../envs/own/own.ts";
import { gridWords, neighbours, neighbourWords, offset, statement } from "./grid.ts";
import { ended, ownWords, SEPARATORS } from "./own-words.ts";
import type { Template } from "./template.ts";

export function boardTemplate(own: OwnBoard, surroundings: Surroundings): Template<GroundTruth> {
  const { step, where } = callsOf(own);
  const things = Object.keys(own.things).filter((name) => name !== "player");
  const { at, is, decision, parts, actionWords, instructionWords } = ownWords(own);
  const advance = (truth: GroundTruth, action: string): GroundTruth => {
    if (ended(truth)) return truth;
    const { state, done } = step(String(truth.facts?.state), action);
    const { player, ...entities } = where(state);
    return { ...truth, player: player![0]!, entities, facts: { ...truth.facts, state, done } };
  };
  return {
    ...parts,
    predicts: ["player", ...own.claims],
    grid: {
      entities: ["player", ...own.claims],
      drawn: Object.keys(own.things),
      symbol: (truth, [row, col]) => symbolAt(own, truth, row, col),
    },
    words: (side) => [
      `${parts.name} `,
      ...["player", ...things].flatMap((thing) => SEPARATORS.map((before) => `${before}${thing} ${at} `)),
      ...things.flatMap((thing) => SEPARATORS.map((before) => `${before}${thing} ${is} `)),
      decision,
      ...actionWords,
      ...instructionWords,
      ...gridWords(side),
      ...neighbourWords(surroundings),
    ],
    symbols: ["_", ...Object.values(own.things).map(({ symbol }) => symbol)],
    describe: (truth) => claimed(truth, own.claims, at),
    facts: (truth) =>
      things
        .filter((thing) => cellsOf(truth, thing).length === 1)
        .map((thing) => `${thing} ${is} ${offset(truth.player, cellsOf(truth, thing)[0]!)}`)
        .join(" ; ") + neighbours(truth, surroundings),
    predict: (truth) => claimed(truth, own.claims, at),
    advance,
  };
}

const claimed = (truth: GroundTruth, claims: readonly string[], at: string): string =>
  ["player", ...claims]
    .map((name) => statement(name, name === "player" ? [truth.player] : cellsOf(truth, name), at))
    .join(" ; ");

function symbolAt({ things }: OwnBoard, truth: GroundTruth, row: number, col: number): string {
  const lies = (name: string) =>
    (name === "player" ? [truth.player] : cellsOf(truth, name)).some(([r, c]) => r === row && c === col);
  const top = Object.keys(things).findLast(lies);
  return top === undefined ? "_" : things[top]!.symbol;
}
