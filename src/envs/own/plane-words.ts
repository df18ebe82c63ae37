// What agents say and read on a user's own plane: "player at 12 40 ; pad at 50 58", and the longest text of a state.
import { claimText, GAP, LINK, NUMBER, nameWord, numberOf, WORD_START } from "../../core/claim-words.ts";
import { hasAlternative, OR_ELSE } from "../../core/hedges.ts";
import { affirmed, denies } from "../../core/negation.ts";
import { openRegistry } from "../../core/registry.ts";
import { type ClaimRules, clippedOutline, type Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import type { WorldWords } from "../env.ts";
import { extentOf } from "./draw-plane.ts";
import type { OwnPlane } from "./own.ts";
import { placeIn, planeText } from "./plane.ts";

/** The words of users' own planes. */
export const ownWorlds = openRegistry<WorldWords>({ kind: "words of a world" });

/** The words of an environment on a plane. */
export const planeWords = (own: OwnPlane): WorldWords => ({
  id: own.id,
  claimRules: () => planeClaims(own),
  questions: () => own.instructions ?? [],
  longestText: () =>
    planeText(
      Object.entries(own.things).flatMap(([name, { most }]) =>
        Array.from({ length: most }, () => ({ name, at: own.size })),
      ),
    ),
});

/** "x: ", "y=", '"x": '. The blanks after it are in one place, so that a long row of them is passed over once. */
const label = (captured: string): string => `["']?(?<![\\p{L}\\p{N}_])${captured}["']?(?:\\s*[:=])?\\s*`;
/** A coordinate, with or without the name of its axis. */
const COORDINATE = `(?:${label("[xy]")})?${NUMBER}`;
const COORDINATES = new RegExp(`(?:${label("([xy])")})?(${NUMBER})`, "gu");
/** Between x and y: a blank, a comma, "and" or "/". */
const BETWEEN = `(?:${GAP}|\\s*/\\s*)`;
/** Between further numbers. "and 2 flies" begins something else. */
const FURTHER = `(?:\\s+|\\s*/\\s*|\\s*,[\\s,]*(?:and\\s+)?(?!COUNT)|\\s+and\\s+(?!COUNT))`.replaceAll(
  "COUNT",
  `${NUMBER}\\s+(?!(?:and|or)\\b)\\p{L}`,
);
const PLACE = `${COORDINATE}${BETWEEN}${COORDINATE}(?:${FURTHER}${COORDINATE})*`;

/**
 * A name and its coordinates: "pad at 50 58", "the pad: (50, 58)", '"pad": [50, 58]', "pad at 50/58", "pad is at y 58, x 50",
 * '"pad": {"x": 50, "y": 58}'; also with too many.
 */
function statementPattern({ things, words }: OwnPlane): RegExp {
  const known = Object.keys(things).join("|").toLowerCase();
  const name = `${WORD_START}(?:${known})(?![\\p{L}\\p{N}_])|${nameWord(["x", "y"])}`;
  const at = words?.at?.toLowerCase() ?? "";
  const own = at && !denies(at) ? `(?:\\s+${at}\\b)?` : "";
  return new RegExp(`(${name})${own}${LINK}(?:[{([]\\s*)?(${PLACE})`, "gu");
}

/** Side of the box that marks the place of a thing that the plane does not have, in units. */
const MARK = 8;

/** How states of a plane are claimed. What is fixed may be left out of a prediction, because repeating its place foresees nothing. */
function planeClaims(own: OwnPlane): ClaimRules {
  const names = ["player", ...own.claims];
  const pattern = statementPattern(own);
  return {
    expected: (truth, claim) => names.flatMap((name) => factOf(own, truth, name, claim)),
    read(text) {
      const words = claimText(text);
      return affirmed(words, pattern).map((found) => stated(own, found, hasAlternative(words, found)));
    },
    agrees: ({ at }, { at: true_ }) =>
      at !== undefined && Math.hypot(at[0]! - true_![0]!, at[1]! - true_![1]!) <= own.near,
    outline: ({ name, at }) => (at ? outlineOf(own, name, at) : null),
  };
}

function factOf(own: OwnPlane, truth: WorldTruth, name: string, claim: string): Statement[] {
  const at = placeIn(truth, name);
  if (!at) return [];
  const isOptional = claim === "prediction" && own.things[name]!.fixed;
  return [{ name, value: at.join(" "), at, ...(isOptional && { optional: true as const }) }];
}

/** A statement; without an x and a y, or with an alternative, it gives no place. */
function stated({ things }: OwnPlane, [, word, list]: RegExpExecArray, isOpen: boolean): Statement {
  const name = Object.keys(things).find((known) => known.toLowerCase() === word) ?? word!;
  const at = pointIn(list!);
  if (isOpen || !at?.every(Number.isFinite)) return { name, value: list! + (isOpen ? OR_ELSE : "") };
  return { name, value: at.join(" "), at };
}

/** The point of a list of coordinates; null unless it has an x and a y. Without names of the axes x is the first. */
function pointIn(list: string): readonly number[] | null {
  const found = [...list.matchAll(COORDINATES)];
  const [axes, numbers] = [found.map(([, axis]) => axis), found.map(([, , number]) => numberOf(number!))];
  if (found.length !== 2) return null;
  if (axes[0] === "y" && axes[1] === "x") return numbers.reverse();
  return axes[0] !== "y" && axes[1] !== "x" ? numbers : null;
}

function outlineOf(
  { size: [width, height], things }: OwnPlane,
  name: string,
  at: readonly number[],
): Outline | null {
  const [wide, high] = extentOf(Object.hasOwn(things, name) ? things[name]!.size : MARK);
  const [x, y] = at as [number, number];
  return clippedOutline(
    (x - wide / 2) / width,
    (y - high / 2) / height,
    (x + wide / 2) / width,
    (y + high / 2) / height,
  );
}
