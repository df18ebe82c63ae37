// What an agent can say about icons and drawings: the shapes from the bottom to the top, each with its colour, its kind and where it ends.
import { affirmed } from "../../core/negation.ts";
import type { ClaimRules, Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import { CANVAS, FILLS, type Shape } from "./drawing.ts";

/** Kinds of shapes as the code names them. */
const KINDS = ["circle", "rect", "path"] as const satisfies readonly Shape["kind"][];

/** "red circle": every colour and kind. */
export const SHAPE_NAMES = FILLS.flatMap((fill) => KINDS.map((kind) => `${fill} ${kind}`));

const SHAPE = /<(circle|rect|path)[^>]*fill="(\w+)"\/>/g;

/** The shapes of a drawing, in words: "red circle 8 16 40 48 ; blue path 0 0 24 16". Those that are not in the short form are left out. */
export const shapesIn = (code: string): string =>
  [...code.matchAll(SHAPE)]
    .map(([shape, kind, fill]) => `${fill} ${kind} ${endsOf(kind!, shape).join(" ")}`)
    .join(" ; ");

/** The left, upper, right and lower end of what the canvas shows of a shape, in its units. */
const endsOf = (kind: string, shape: string): number[] =>
  boundsOf(kind, (shape.match(NUMBERS) ?? []).map(Number)).map((end) => Math.max(0, Math.min(CANVAS, end)));

const NUMBER = "-?\\d+(?:\\.\\d+)?";
const NUMBERS = new RegExp(NUMBER, "g");

function boundsOf(kind: string, numbers: readonly number[]): readonly number[] {
  const [a, b, c, d] = numbers as [number, number, number, number];
  if (kind === "circle") return [a - c, b - c, a + c, b + c];
  if (kind === "rect") return [a, b, a + c, b + d];
  const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, i) => i % 2 === axis)) as [number[], number[]];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The code of the icon that is to be drawn. */
export const iconOf = ({ facts }: WorldTruth): string => String(facts?.icon);

/** The code of what the picture shows: the latest drawing, and before there is one the icon. */
export const shownIn = (truth: WorldTruth): string => String(truth.facts?.drawing ?? iconOf(truth));

const STATEMENT = new RegExp(`(${FILLS.join("|")}) (${KINDS.join("|")})${`[ ,]+(${NUMBER})`.repeat(4)}`, "g");

/** The statements in words; two shapes of an icon never have the same colour. */
const statementsIn = (text: string): Statement[] =>
  affirmed(text.toLowerCase(), STATEMENT).map(([, name, kind, ...ends]) => ({
    name: name!,
    value: `${kind} ${ends.join(" ")}`,
    at: ends.map(Number),
  }));

/** Shapes agree if no end of one is farther than this from that of the other, in units of the canvas. */
const TOLERANCE = 4;

/** How icons and drawings are claimed: an observation says which shapes the icon has, a prediction which the picture will show. */
export const drawingClaims: ClaimRules = {
  expected: (truth, claim) =>
    statementsIn(shapesIn(claim === "observation" ? iconOf(truth) : shownIn(truth))),
  read: statementsIn,
  agrees: (said, expected) =>
    kindIn(said) === kindIn(expected) &&
    expected.at!.every((end, i) => Math.abs((said.at?.[i] ?? Number.NaN) - end) <= TOLERANCE),
  outline: ({ at }) => (at ? outlineOf(at) : null),
};

const kindIn = ({ value }: Statement): string => value.split(" ", 1)[0]!;

function outlineOf(ends: readonly number[]): Outline | null {
  const [x, y, right, lower] = ends.map((end) => Math.max(0, Math.min(1, end / CANVAS))) as [
    number,
    number,
    number,
    number,
  ];
  return right > x && lower > y ? { x, y, width: right - x, height: lower - y } : null;
}
