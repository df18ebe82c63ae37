// Judges what a reply's reasoning says about the tiles beside the player: "up edge, down hole, left free, right goal". The
// phrases are fixed and the truth is known, so a rule decides, whichever judge the run has for its claims.
import { earnsFormat } from "../core/readings.ts";
import type { GroundTruth, Turn, Verdict } from "../core/types.ts";
import { NOT_STATED, SURROUNDINGS } from "../core/verdict.ts";
import { hasPlayer, malformed, noScore } from "./judge.ts";

const DIRECTIONS = ["Up", "Down", "Left", "Right"] as const;

/** What can lie beside the player, and what does. */
interface KnownSurroundings {
  readonly kinds: readonly string[];
  at(scene: GroundTruth, direction: (typeof DIRECTIONS)[number]): string;
}

/**
 * The verdict on the four neighbours of the player in `scene`: the score is the share that is right. A neighbour that is not
 * stated counts as wrong; of several statements about one direction the first counts.
 */
export function judgeSurroundings(text: string, scene: GroundTruth, known: KnownSurroundings): Verdict {
  const stated = readNeighbours(text, known.kinds);
  const fields = DIRECTIONS.map((direction) => {
    const name = direction.toLowerCase();
    const [predicted, truth] = [stated.get(name) ?? NOT_STATED, known.at(scene, direction)];
    return { name, predicted, truth, ok: predicted === truth };
  });
  const right = fields.filter(({ ok }) => ok).length;
  if (stated.size === 0)
    return { ...noScore("unreadable", "rule", "No neighbour of the player is stated."), fields };
  const status = right === fields.length ? "match" : right > 0 ? "partial" : "mismatch";
  const reason = `${right} of ${fields.length} right`;
  return { status, score: right / fields.length, judge: "rule", reason, fields };
}

/** The first kind that a text states for each direction, in lower case. */
function readNeighbours(text: string, kinds: readonly string[]): Map<string, string> {
  const stated = new Map<string, string>();
  const names = DIRECTIONS.map((direction) => direction.toLowerCase()).join("|");
  // The longest first: of "key" and "key_hole" the first would match both.
  const longest = kinds.toSorted((a, b) => b.length - a.length).join("|");
  for (const [, direction, kind] of text.matchAll(new RegExp(`\\b(${names}) (${longest})\\b`, "g")))
    if (!stated.has(direction!)) stated.set(direction!, kind!);
  return stated;
}

/** How the neighbours of a run's turns are judged. */
interface SurroundingsRules {
  surroundings: KnownSurroundings;
  /** Whether the run has a judge; without one the verdicts have the status `off`. */
  isOn: boolean;
  /** Sets what a verdict pays, where that is not its score. */
  price(verdict: Verdict): Verdict;
}

/**
 * The records of `judgeTurns` with a verdict on the neighbours of each turn. As with claims, only a turn that earns the format
 * reward is judged.
 */
export function addSurroundings(
  records: readonly Readonly<Record<string, Verdict>>[],
  turns: readonly Turn[],
  rules: SurroundingsRules,
): Readonly<Record<string, Verdict>>[] {
  return records.map((record, i) => {
    const verdict = verdictOn(turns[i]!, rules);
    return verdict ? { ...record, [SURROUNDINGS]: verdict } : record;
  });
}

function verdictOn(turn: Turn, { surroundings, isOn, price }: SurroundingsRules): Verdict | null {
  const { before, parsed } = turn;
  if (!hasPlayer(before)) return null;
  if (!earnsFormat(turn)) return malformed(turn, "rule");
  if (!isOn) return noScore("off", "off", "The reasoning reward is off.");
  return price(judgeSurroundings(parsed.reasoning, before, surroundings));
}
