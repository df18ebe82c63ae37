// The rule judge compares stated cells with the true ones. It is exact, free and deterministic, so it judges training in grid
// worlds; VAGEN has a language model parse the same statements.
import type { Cell, GroundTruth, Verdict } from "../core/types.ts";
import { NOT_STATED } from "../core/verdict.ts";
import { type Judge, type JudgeQuestion, noScore } from "./judge.ts";
import { readClaim } from "./reading.ts";

/** Share of entities whose cells are stated exactly. */
export const ruleJudge: Judge = {
  id: "rule",
  title: "Exact cells",
  judge: async (questions) => questions.map(judgeByRule),
};

/** The verdict on one claim. */
export function judgeByRule({ text, truth, names }: JudgeQuestion): Verdict {
  const { places } = readClaim(text, truth);
  if (names.every((name) => !places.get(name)?.length))
    return noScore("unreadable", ruleJudge.id, `No place found for ${names.join(", ")}.`);
  const fields = names.map((name) => compare(name, places.get(name) ?? [], trueCells(truth, name)));
  const right = fields.filter(({ ok }) => ok).length;
  const score = right / fields.length;
  const status = score === 1 ? "match" : score > 0 ? "partial" : "mismatch";
  return { status, score, judge: ruleJudge.id, reason: `${right} of ${fields.length} right`, fields };
}

const trueCells = (truth: GroundTruth, name: string): readonly Cell[] =>
  name === "player" ? [truth.player] : (truth.entities[name] ?? []);

// All stated cells have to be the true ones: naming several places for one thing must not earn more.
function compare(name: string, stated: readonly Cell[], truth: readonly Cell[]): Verdict["fields"][number] {
  const [predicted, actual] = [inReadingOrder(stated), inReadingOrder(truth)].map(cellsText);
  return {
    name,
    predicted: predicted || NOT_STATED,
    truth: actual!,
    ok: predicted === actual,
    cells: stated,
  };
}

const inReadingOrder = (cells: readonly Cell[]) =>
  [...cells].sort(([r0, c0], [r1, c1]) => r0 - r1 || c0 - c1);

/** Cells in words: "row 1 col 2 and row 0 col 3". */
export const cellsText = (cells: readonly Cell[]): string =>
  cells.map(([row, col]) => `row ${row} col ${col}`).join(" and ");
