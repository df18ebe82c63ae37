// Judges what a reply's reasoning says about the tiles beside the player: "up edge, down hole, left free, right goal". The
// phrases are fixed and the truth is known, so a rule decides, whichever judge the run has for its claims.
import { NEGATIONS, plainNegations } from "../core/negation.ts";
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
 * stated counts as wrong, and so does one that is denied, left open or stated in two ways.
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

/** Directions with the kind that a text states for each. Kinds that it denies, leaves open or contradicts are not stated. */
function readNeighbours(text: string, kinds: readonly string[]): Map<string, string> {
  const phrases = phrasesOf(kinds);
  const [stated, denied] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const clause of plainNegations(text.toLowerCase()).split(CLAUSE_ENDS)) {
    if (OPEN.test(clause)) continue;
    const said = clause.split(/[^a-z]+/).some((word) => NEGATIONS.has(word)) ? denied : stated;
    for (const [, direction, kind] of clause.matchAll(phrases))
      said.set(direction!, (said.get(direction!) ?? new Set()).add(kind!));
  }
  const named = new Map(kinds.map((kind) => [kind.toLowerCase(), kind]));
  return new Map(
    [...stated].flatMap(([direction, [kind, ...others]]) =>
      others.length > 0 || denied.get(direction)?.has(kind!) ? [] : [[direction, named.get(kind!)!] as const],
    ),
  );
}

/** "up hole" and "up: hole", in lower case. */
function phrasesOf(kinds: readonly string[]): RegExp {
  const names = DIRECTIONS.map((direction) => direction.toLowerCase()).join("|");
  // The longest first: of "key" and "key_hole" the first would match both.
  const longest = kinds.map((kind) => kind.toLowerCase()).toSorted((a, b) => b.length - a.length);
  return new RegExp(`\\b(${names})(?:\\s*:\\s*|\\s+)(${longest.join("|")})\\b`, "g");
}

/** What follows "or" belongs to the clause before. */
const CLAUSE_ENDS = /[,;.!\n](?!\s*or\b)|\b(?:and|but)\b/;

/** Words that leave open whether it is so. */
const OPEN = /\b(?:or|if|unless|whether|maybe|perhaps|possibly|probably|may|might|could)\b|[?/]/;

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
