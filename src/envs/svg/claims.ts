// What an agent can say about icons and drawings: the shapes from the bottom to the top, each with its colour, its kind and where it ends.
import { claimText, GAP, LINK, NUMBER, nameWord, numberOf, WORD_START } from "../../core/claim-words.ts";
import { hasAlternative, OR_ELSE } from "../../core/hedges.ts";
import { affirmed } from "../../core/negation.ts";
import { type ClaimRules, clippedOutline, type Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import { CANVAS, FILLS, type Shape } from "./drawing.ts";
import { drawnShapes } from "./drawn-shapes.ts";
import { namesOf, OTHER_NAMES } from "./shape-names.ts";

/** Kinds of shapes as the code names them. */
const KINDS = ["circle", "rect", "path"] as const satisfies readonly Shape["kind"][];

/** "red circle": every colour and kind. */
export const SHAPE_NAMES = FILLS.flatMap((fill) => KINDS.map((kind) => `${fill} ${kind}`));

/** The shapes of a drawing, in words with whole numbers: "red circle 8 16 40 48 ; blue path 0 0 24 16"; none of one that is not judged. */
export const shapesIn = (code: string): string =>
  (drawnShapes(code) ?? [])
    .map(({ fill, kind, ends }) => `${fill} ${kind} ${ends.map(Math.round).join(" ")}`)
    .join(" ; ");

/** What can be said of a shape. */
interface ShapeStatement extends Statement {
  /** What it may be called. */
  names: readonly string[];
}

/** What a complete claim says of a drawing. */
const factsOf = (code: string): ShapeStatement[] =>
  (drawnShapes(code) ?? []).map((shape) => ({
    name: shape.fill,
    value: `${shape.kind} ${shape.ends.join(" ")}`,
    at: shape.ends,
    names: namesOf(shape),
  }));

/** The code of the icon that is to be drawn. */
export const iconOf = ({ facts }: WorldTruth): string => String(facts?.icon);

/** The code of what the picture shows: the latest drawing, and before there is one the icon. */
export const shownIn = (truth: WorldTruth): string => String(truth.facts?.drawing ?? iconOf(truth));

/** Words before a colour that make it another one: "light green" is no green. */
const SHADES = `(?:${WORD_START}(?:light|dark|pale|deep|medium|hot|sky)\\s+){0,3}`;
const COLOUR = `(?:#[\\da-f]{3,8}|${nameWord([])})`;
/** "16 24 48 56", or two corners: "from (16, 24) to (48, 56)". */
const CORNER = `[([]\\s*${NUMBER}${GAP}${NUMBER}\\s*[)\\]]`;
const ENDS = `((?:from\\s+)?${CORNER}(?:\\s+to)?${GAP}${CORNER}|(?:[([]\\s*)?${NUMBER}(?:${GAP}${NUMBER})+)`;
const BARE = [...KINDS, ...OTHER_NAMES].join("|");
/** A colour, a kind and ends; also words that name none, too few or too many ends, and a kind without a colour. */
const STATEMENT = new RegExp(
  `(?:(${SHADES}${COLOUR})\\s+(${nameWord([])})|${WORD_START}(${BARE}))${LINK}${ENDS}`,
  "gu",
);
const NUMBERS = new RegExp(NUMBER, "g");

/** The statements in words; two shapes of an icon never have the same colour. */
function statementsIn(text: string): Statement[] {
  const words = claimText(text);
  return affirmed(words, STATEMENT).map((found) => stated(found, hasAlternative(words, found)));
}

/** A statement; without four numbers, or with an alternative, it gives no place. */
function stated([, colour, shape, bare, list]: RegExpExecArray, isOpen: boolean): Statement {
  const kind = (shape ?? bare)!;
  const ends = [...list!.matchAll(NUMBERS)].map(([number]) => numberOf(number));
  const isPlace = !isOpen && ends.length === 4 && ends.every(Number.isFinite);
  return {
    name: colour?.replace(/[\s-]+/g, "") ?? kind,
    value: `${kind} ${isPlace ? ends.join(" ") : list}${isOpen ? OR_ELSE : ""}`,
    ...(isPlace && { at: ends }),
  };
}

/** Shapes agree if no end of one is farther than this from that of the other, in units of the canvas. */
const TOLERANCE = 4;

/** How icons and drawings are claimed: an observation says which shapes the icon has, a prediction which the picture will show. */
export const drawingClaims: ClaimRules = {
  expected: (truth, claim) => factsOf(subjectOf(truth, claim)),
  canJudge: (truth, claim) => drawnShapes(subjectOf(truth, claim)) !== null,
  read: statementsIn,
  agrees: (said, expected) =>
    (expected as ShapeStatement).names.includes(kindIn(said)) &&
    expected.at!.every((end, i) => Math.abs((said.at?.[i] ?? Number.NaN) - end) <= TOLERANCE),
  outline: ({ at }) => (at ? outlineOf(at) : null),
};

/** The code of what a claim is about. */
const subjectOf = (truth: WorldTruth, claim: "observation" | "prediction"): string =>
  claim === "observation" ? iconOf(truth) : shownIn(truth);

const kindIn = ({ value }: Statement): string => value.split(" ", 1)[0]!;

function outlineOf(ends: readonly number[]): Outline | null {
  const [left, upper, right, lower] = ends.map((end) => end / CANVAS) as [number, number, number, number];
  return clippedOutline(left, upper, right, lower);
}
