// A picture and its question. Shapes lie on tiles. Figures (a segment, two segments, a rectangle) have their corners in the
// middles of tiles, so the length of a side is the number of steps along it.
import { message } from "../../core/message.ts";
import type { Rng } from "../../core/rng.ts";
import type { Cell } from "../../core/types.ts";
import { allCells, ImpossibleConfig, option } from "../grid.ts";

export const COLORS = ["red", "blue", "green", "yellow"] as const;
export const SHAPES = ["circle", "triangle", "square"] as const;
export const POINTS = ["A", "B", "C", "D"] as const;
/** Kinds of questions whose answers are whole numbers. */
export const WHOLE_QUESTIONS = ["count", "length", "longer", "perimeter", "area"] as const;
/** All kinds; the last two are answered by a fraction and by a root. */
export const QUESTIONS = [...WHOLE_QUESTIONS, "share", "diagonal"] as const;
/** Largest answer that the environment knows; the actions are the numbers up to it. */
export const LARGEST_ANSWER = 99;

export type ShapeColor = (typeof COLORS)[number];
export type ShapeKind = (typeof SHAPES)[number];
export type PointName = (typeof POINTS)[number];
type QuestionKind = (typeof QUESTIONS)[number];
type FigureKind = Exclude<QuestionKind, "count" | "share">;

interface Item {
  color: ShapeColor;
  shape: ShapeKind;
}

/** What is counted: a colour, a shape, or both. */
type Wanted = Partial<Item>;

export interface Scene {
  /** Rows and columns in tiles. */
  side: number;
  kind: QuestionKind;
  /** What a `count` question asks for; empty for others. */
  wanted: Wanted;
  items: readonly { cell: Cell; item: Item }[];
  /** Corners of the figure; a missing one is not in the picture. */
  points: Readonly<Partial<Record<PointName, Cell>>>;
  /** Corners that a line joins. */
  lines: readonly (readonly [PointName, PointName])[];
  /** Length of a tile in units. The picture does not show it, unless it is 1. */
  unit: number;
  /** A number, or a fraction ("1/2") or root ("sqrt(13)") in plain text. */
  answer: number | string;
}

/** What the generator reads of the environment's configuration. */
interface SceneOptions {
  questions: readonly QuestionKind[];
  grid_size: number;
  max_answer: number;
  difficulty: "easy" | "medium" | "hard";
}

/** A figure by its sides in tiles: `b` is the second segment of `longer`, the second side of a rectangle. */
interface Figure {
  a: number;
  b: number;
  unit: number;
}

/** A random scene that the options allow. */
export function drawScene(options: SceneOptions, random: Rng): Scene {
  const kind = random.pick(options.questions);
  if (kind === "share") return shareScene(options, random);
  return kind === "count" ? countScene(options, random) : figureScene(kind, options, random);
}

/** @throws ImpossibleConfig when a kind of question has no answer within `max_answer` on a grid of this size. */
export function checkScenes(options: SceneOptions): void {
  for (const kind of options.questions) {
    if (kind === "count" || kind === "share" || figures(kind, options).length > 0) continue;
    const least = Math.min(...figures(kind, { ...options, max_answer: LARGEST_ANSWER }).map(answerOf(kind)));
    throw new ImpossibleConfig({
      field: "max_answer",
      value: options.max_answer,
      why: `no "${kind}" question has so small an answer`,
      remedy: message`Use at least ${least}, or take "${kind}" out of ${option("questions")}.`,
    });
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Whether an item is one of those that are counted. */
export const isWanted = ({ color, shape }: Item, wanted: Wanted): boolean =>
  (wanted.color ?? color) === color && (wanted.shape ?? shape) === shape;

function countScene(options: SceneOptions, random: Rng): Scene {
  const { grid_size: side, max_answer: most, difficulty } = options;
  const wanted = drawWanted(difficulty, random);
  // At most half of the tiles: the empty ones must not give the answer away, and at least one stays empty.
  const half = Math.floor((side * side - 1) / 2);
  const answer = random.int(Math.min(most, half) + 1);
  const others = random.int(half + 1);
  const cells = random.shuffle(allCells(side, side));
  const items = [...Array(answer + others).keys()].map((i) => ({
    cell: cells[i],
    item: drawItem((item) => isWanted(item, wanted) === i < answer, random),
  }));
  return { side, kind: "count", wanted, items, points: {}, lines: [], unit: 1, answer };
}

/** A scene whose question is not how many, but which part of all shapes; there is at least one. */
function shareScene(options: SceneOptions, random: Rng): Scene {
  const scene = countScene(options, random);
  if (scene.items.length === 0) return shareScene(options, random);
  const counted = scene.items.filter(({ item }) => isWanted(item, scene.wanted)).length;
  return { ...scene, kind: "share", answer: reduced(counted, scene.items.length) };
}

/** A fraction in lowest terms; a whole number where it is one. */
function reduced(part: number, whole: number): number | string {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const common = divisor(part, whole);
  return common === whole ? part / whole : `${part / common}/${whole / common}`;
}

function drawWanted(difficulty: SceneOptions["difficulty"], random: Rng): Wanted {
  const [color, shape] = [random.pick(COLORS), random.pick(SHAPES)];
  if (difficulty !== "easy") return { color, shape };
  return random.int(2) ? { color } : { shape };
}

function drawItem(fits: (item: Item) => boolean, random: Rng): Item {
  const all = COLORS.flatMap((color) => SHAPES.map((shape) => ({ color, shape })));
  return random.pick(all.filter(fits));
}

function figureScene(kind: FigureKind, options: SceneOptions, random: Rng): Scene {
  const { grid_size: side, difficulty } = options;
  const figure = random.pick(figures(kind, options));
  const { points, lines } =
    kind === "length" || kind === "longer"
      ? segments(kind, figure, side, random)
      : rectangle(figure, side, random);
  const bare: Scene = {
    side,
    kind,
    wanted: {},
    items: [],
    points,
    lines,
    unit: figure.unit,
    answer: exact(answerOf(kind)(figure)),
  };
  return difficulty === "easy" ? bare : { ...bare, items: distractors(bare, random) };
}

/** Every figure whose answer is small enough. */
function figures(
  kind: FigureKind,
  { grid_size: side, max_answer: most, difficulty }: SceneOptions,
): Figure[] {
  const sides = range(1, side - 1);
  const units = difficulty === "hard" ? [2, 3, 4] : [1];
  const second = {
    length: () => [0],
    longer: (a: number) => range(1, a),
    perimeter: () => sides,
    area: () => sides,
    diagonal: () => sides,
  }[kind];
  return units
    .flatMap((unit) => sides.flatMap((a) => second(a).map((b) => ({ a, b, unit }))))
    .filter((figure) => answerOf(kind)(figure) <= most);
}

const answerOf =
  (kind: FigureKind) =>
  ({ a, b, unit }: Figure): number =>
    ({
      length: a * unit,
      longer: (a - b) * unit,
      perimeter: 2 * (a + b) * unit,
      area: a * b * unit ** 2,
      diagonal: Math.sqrt(a * a + b * b) * unit,
    })[kind];

/** A length as an answer: a root where it is no whole number. */
const exact = (length: number): number | string =>
  Number.isInteger(length) ? length : `sqrt(${Math.round(length ** 2)})`;

type Drawing = Pick<Scene, "points" | "lines">;

/** Lines by the names of their ends: "AB CD". */
export const linesOf = (names: string): Scene["lines"] =>
  names.split(" ").map((line) => [...line] as [PointName, PointName]);

/** One segment, or two parallel ones, across or down. */
function segments(kind: "length" | "longer", { a, b }: Figure, side: number, random: Rng): Drawing {
  const turned = random.int(2) === 1;
  const cell = (line: number, at: number): Cell => (turned ? [at, line] : [line, at]);
  const [first, second] = random.shuffle(range(0, side - 1));
  const [x, y] = [random.int(side - a), random.int(side - b)];
  const AB = { A: cell(first, x), B: cell(first, x + a) };
  if (kind === "length") return { points: AB, lines: linesOf("AB") };
  const points = { ...AB, C: cell(second, y), D: cell(second, y + b) };
  return { points, lines: linesOf("AB CD") };
}

function rectangle({ a, b }: Figure, side: number, random: Rng): Drawing {
  const [top, left] = [random.int(side - b), random.int(side - a)];
  return {
    points: { A: [top, left], B: [top, left + a], C: [top + b, left + a], D: [top + b, left] },
    lines: linesOf("AB BC CD DA"),
  };
}

/** Shapes that have nothing to do with the question, on up to half of the tiles that the figure leaves free. */
function distractors(scene: Scene, random: Rng): Scene["items"] {
  const taken = new Set(lineCells(scene).map(({ cell }) => `${cell}`));
  const free = random.shuffle(allCells(scene.side, scene.side).filter((cell) => !taken.has(`${cell}`)));
  return free
    .slice(0, random.int(Math.floor(free.length / 2) + 1))
    .map((cell) => ({ cell, item: drawItem(() => true, random) }));
}

/** A direction in which a line leaves the middle of a tile. */
export type Arm = "up" | "down" | "left" | "right";

/** Every tile that a line touches, with the arms of that line. */
export function lineCells({ points, lines }: Pick<Scene, "points" | "lines">): { cell: Cell; arms: Arm[] }[] {
  return lines.flatMap(([from, to]) => cellsBetween(points[from] as Cell, points[to] as Cell));
}

function cellsBetween([r0, c0]: Cell, [r1, c1]: Cell): { cell: Cell; arms: Arm[] }[] {
  const across = r0 === r1;
  const [first, last] = across ? [Math.min(c0, c1), Math.max(c0, c1)] : [Math.min(r0, r1), Math.max(r0, r1)];
  const [back, on]: [Arm, Arm] = across ? ["left", "right"] : ["up", "down"];
  return range(first, last).map((at) => ({
    cell: across ? [r0, at] : [at, c0],
    arms: [...(at > first ? [back] : []), ...(at < last ? [on] : [])],
  }));
}

/** The question in the agent's words. */
export function questionText({ kind, wanted, unit }: Pick<Scene, "kind" | "wanted" | "unit">): string {
  const asked = {
    count: `how many ${wanted.color ? `${wanted.color} ` : ""}${wanted.shape ?? "shape"}s`,
    length: "how long is A B",
    longer: "how much longer is A B than C D",
    perimeter: "perimeter of A B C D",
    area: "area of A B C D",
    share: `what share are ${wanted.color ? `${wanted.color} ` : ""}${wanted.shape ?? "shape"}s`,
    diagonal: "how long is the diagonal A C",
  }[kind];
  return unit === 1 ? asked : `${asked} in units`;
}

/** Every question that these options allow. */
export function allQuestions(options: SceneOptions): string[] {
  const both = COLORS.flatMap((color) => SHAPES.map((shape) => ({ color, shape })));
  const one = [...COLORS.map((color) => ({ color })), ...SHAPES.map((shape) => ({ shape }))];
  return options.questions.flatMap((kind) => {
    if (kind !== "count" && kind !== "share")
      return questionText({ kind, wanted: {}, unit: options.difficulty === "hard" ? 2 : 1 });
    const wanted: Wanted[] = options.difficulty === "easy" ? one : both;
    return wanted.map((what) => questionText({ kind, wanted: what, unit: 1 }));
  });
}
