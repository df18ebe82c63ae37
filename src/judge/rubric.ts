// YES or NO by rule, after the rubrics of VAGEN's judge: a claim has to be specific about what the decision depends on, and
// right about it within a tolerance.
import type { Cell, GroundTruth, Verdict } from "../core/types.ts";
import { type JudgeQuestion, noScore } from "./judge.ts";
import { bestPairing } from "./matching.ts";
import { isBlank, offsetOf, type Reading, readClaim } from "./reading.ts";
import { describeOffset } from "./relation-judge.ts";
import type { Offset } from "./relations.ts";
import { cellsText } from "./rule.ts";

type Field = Verdict["fields"][number];

/**
 * YES (1) when everything that the claim has to name is named and right, NO (0) otherwise. A place is right within
 * `tolerance` cells on each axis; a direction when its main part is.
 */
export function judgeByRubric(question: JudgeQuestion, tolerance = 0): Verdict {
  const reading = readClaim(question.text, question.truth);
  if (isBlank(reading))
    return noScore("unreadable", "rule", "Not specific: no place and no direction found.");
  const fields = required(question, reading).map((name) => compare(name, question, reading, tolerance));
  const wrong = fields.filter(({ ok }) => !ok).map(({ name }) => name);
  const isYes = fields.length > 0 && wrong.length === 0;
  return {
    status: isYes ? "match" : "mismatch",
    score: isYes ? 1 : 0,
    judge: "rule",
    reason: isYes ? "YES" : `NO: ${wrong.join(", ") || "nothing that matters is named"}`,
    fields,
  };
}

/**
 * Every required thing that exists or is claimed to exist. The place of the player may be missing if things are described as
 * seen from the player; a prediction in directions alone is judged by the things that it names.
 */
function required({ names, truth }: JudgeQuestion, { places, relations }: Reading): string[] {
  const isThere = (name: string) => name !== "player" && truth.entities[name]?.length !== 0;
  const asked = names.filter((name) => isThere(name) || places.get(name)!.length > 0);
  if (asked.length > 0) return asked;
  return [...new Set(relations.map(({ name }) => name))];
}

function compare(name: string, { claim, truth }: JudgeQuestion, reading: Reading, tolerance: number): Field {
  const cells = name === "player" ? [truth.player] : (truth.entities[name] ?? []);
  const stated = reading.places.get(name) ?? [];
  if (stated.length > 0)
    return {
      ...field(name, cellsText(stated), cellsText(cells), areNear(stated, cells, tolerance)),
      cells: stated,
    };
  const offsets = reading.relations.filter((relation) => relation.name === name);
  const inWords = (list: readonly Offset[]) => list.map(describeOffset).join(" and ");
  const actual = cells.map((cell) => offsetOf(truth.player, cell));
  const isRight = (offset: Offset, cell: Cell) =>
    claim === "observation" ? agrees(offset, truth, cell) : predicts(offset, truth, cell);
  const pairs = bestPairing(offsets.map((offset) => cells.map((cell) => (isRight(offset, cell) ? 1 : 0))));
  return field(name, inWords(offsets), inWords(actual), offsets.length > 0 && pairs === offsets.length);
}

const field = (name: string, stated: string, truth: string, ok: boolean): Field => ({
  name,
  predicted: stated || "not stated",
  truth,
  ok,
});

/** As many places as there are cells, each near a cell of its own. */
function areNear(stated: readonly Cell[], truth: readonly Cell[], tolerance: number): boolean {
  const near = ([row, col]: Cell, [r, c]: Cell) =>
    Math.abs(row - r) <= tolerance && Math.abs(col - c) <= tolerance;
  const pairs = bestPairing(stated.map((a) => truth.map((b) => (near(a, b) ? 1 : 0))));
  return stated.length === truth.length && pairs === truth.length;
}

/** An observation: the main direction is named and right; the other may be wrong. */
function agrees(said: Offset, { player }: GroundTruth, cell: Cell): boolean {
  const actual = offsetOf(player, cell);
  const [rows, cols] = distances(player, cell);
  const vertical = said.vertical === actual.vertical;
  const horizontal = said.horizontal === actual.horizontal;
  if (rows === 0 && cols === 0) return vertical && horizontal;
  return (rows >= cols && vertical) || (cols >= rows && horizontal);
}

/**
 * A prediction is stricter: the main direction as above, and nothing else may be wrong, except a step to the side of
 * something straight ahead.
 */
function predicts(said: Offset, truth: GroundTruth, cell: Cell): boolean {
  const actual = offsetOf(truth.player, cell);
  const fits = (axis: keyof Offset) =>
    said[axis] === null || said[axis] === actual[axis] || actual[axis] === "same";
  return agrees(said, truth, cell) && fits("vertical") && fits("horizontal");
}

const distances = ([row, col]: Cell, [r, c]: Cell) => [Math.abs(r - row), Math.abs(c - col)] as const;
