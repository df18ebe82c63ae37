// Visual math in words: counts row by row with a running sum, or the sides of a figure and the result.
import type { BoardTruth, Cell } from "../../core/types.ts";
import { isSameAnswer } from "../../envs/visual-math/grade.ts";
import { COLORS, POINTS, type PointName, SHAPES } from "../../envs/visual-math/question.ts";
import { linesOf, type Scene } from "../../envs/visual-math/scene.ts";
import type { DemonstratedCall, Template } from "./template.ts";

/** Numbers with a token of their own; larger ones are spelled in digits. */
const NUMBERS = Array.from({ length: 41 }, (_, n) => String(n));
/** Sides that the reasoning names, in order: one segment, two, or a rectangle. */
const SIDES: Readonly<Record<string, Scene["lines"]>> = {
  count: [],
  length: linesOf("AB"),
  longer: linesOf("AB CD"),
  perimeter: linesOf("AB BC"),
  area: linesOf("AB BC"),
  diagonal: linesOf("AB BC"),
};

/** The answer as if the figure were to scale. */
const byEye = (truth: BoardTruth): string => String(Number(fact(truth, "answer")) / scale(truth));

const fact = ({ facts }: BoardTruth, name: string) => facts?.[name];
const solved = (truth: BoardTruth) => fact(truth, "solved") === true;
const sidesOf = (truth: BoardTruth) => SIDES[String(fact(truth, "kind"))] ?? [];

const cellOf = (truth: BoardTruth, name: PointName) => truth.entities[name]?.[0] as Cell;

/** Length of a side in units. */
function length(truth: BoardTruth, [from, to]: readonly [PointName, PointName]): number {
  const [[r0, c0], [r1, c1]] = [cellOf(truth, from), cellOf(truth, to)];
  return (Math.abs(r0 - r1) + Math.abs(c0 - c1)) * Number(fact(truth, "unit"));
}

/** Ratio of the answer to its apparent size. */
function scale(truth: BoardTruth): number {
  const unit = Number(fact(truth, "unit"));
  return fact(truth, "kind") === "area" ? unit ** 2 : unit;
}

/** Number of wanted shapes in each row. */
function counts(truth: BoardTruth): number[] {
  const [color, shape] = [fact(truth, "color"), fact(truth, "shape")];
  const wanted = COLORS.flatMap((c) => SHAPES.map((s) => [c, s] as const))
    .filter(([c, s]) => (color ?? c) === c && (shape ?? s) === s)
    .flatMap(([c, s]) => truth.entities[`${c} ${s}`] ?? []);
  return Array.from({ length: truth.rows }, (_, row) => wanted.filter(([r]) => r === row).length);
}

/** "row 0 2 = 2 ; row 1 1 = 3": the count of each row and the sum so far. */
function countAloud(truth: BoardTruth): string {
  let sum = 0;
  return counts(truth)
    .map((n, row) => {
      sum += n;
      return `row ${row} ${n} = ${sum}`;
    })
    .join(" ; ");
}

/** "3 / 6": the shapes that are asked for, of all. */
function shareAloud(truth: BoardTruth): string {
  const wanted = counts(truth).reduce((sum, n) => sum + n, 0);
  const shapes = COLORS.flatMap((color) => SHAPES.map((shape) => truth.entities[`${color} ${shape}`] ?? []));
  return `${wanted} / ${shapes.flat().length}`;
}

/** "A B is 3 ; B C is 2 ; sum 5". */
function measureAloud(truth: BoardTruth): string {
  const lengths = sidesOf(truth).map((side) => length(truth, side));
  const said = sidesOf(truth).map(([from, to], i) => `${from} ${to} is ${lengths[i]}`);
  const sum = fact(truth, "kind") === "perimeter" ? [`sum ${lengths[0] + lengths[1]}`] : [];
  return [...said, ...sum].join(" ; ");
}

function facts(truth: BoardTruth): string {
  if (fact(truth, "kind") === "share") return shareAloud(truth);
  return fact(truth, "kind") === "count" ? countAloud(truth) : measureAloud(truth);
}

const CALL_START = '{"name": "measure", "arguments": {"from": "';
const CALL_MIDDLE = '", "to": "';
const CALL_END = '"}}';

const call = ([from, to]: readonly [PointName, PointName]): DemonstratedCall => ({
  why: `measure ${from} ${to}`,
  text: CALL_START + from + CALL_MIDDLE + to + CALL_END,
});

const pairs = ["A B", "B C", "C D"];

/** The language of visual math. */
export const visualMathTemplate: Template<BoardTruth> = {
  id: "visual-math",
  own: true,
  name: "Visual math",
  actions: NUMBERS,
  predicts: [],
  words: (side) => [
    "Visual math ",
    " how many ",
    ...COLORS.map((color) => `${color} `),
    ...SHAPES.map((shape) => `${shape}s`),
    ...[...COLORS.map((color) => `${color} `), ""].map((color) => `${color}shapes`),
    " how long is A B",
    " how much longer is A B than C D",
    " perimeter of A B C D",
    " area of A B C D",
    " in units",
    ...NUMBERS,
    ...Array.from({ length: side }, (_, row) => `row ${row} `),
    ...Array.from({ length: side }, (_, row) => ` ; row ${row} `),
    " = ",
    ...pairs.flatMap((pair) => [`${pair} is `, ` ; ${pair} is `, `measure ${pair}`]),
    " ; sum ",
    " ; so ",
    "guess",
    "solved",
    "open",
    ...POINTS,
    CALL_START,
    CALL_MIDDLE,
    CALL_END,
  ],
  symbols: COLORS.flatMap((color) => SHAPES.map((shape) => color[0] + shape[0])),
  describe: facts,
  facts,
  decision: " ; so ",
  predict: (truth) => (solved(truth) ? "solved" : "open"),
  advance: (truth, action) =>
    isSameAnswer(action, String(fact(truth, "answer")))
      ? { ...truth, facts: { ...truth.facts, solved: true } }
      : truth,
  ended: solved,
  /** A single digit, whatever the picture shows. */
  guess: { words: "guess", action: (random) => NUMBERS[random.int(10)] },
  players: {
    expert: "it measures what the picture does not show, then gives the right answer",
    heuristic:
      "Answers by eye, as if every figure were to scale; where a fraction or a root is asked for, 1.",
    oracle: "Gives the right answer.",
  },
  /** By eye: as if every figure were to scale. */
  heuristic: (truth) => (typeof fact(truth, "answer") === "string" ? "1" : byEye(truth)),
  /** Measures only lengths that the picture does not show. */
  calls: (truth) => (fact(truth, "unit") === 1 ? [] : sidesOf(truth).map(call)),
};
