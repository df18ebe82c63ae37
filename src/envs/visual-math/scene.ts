// A picture and its question. Shapes lie on tiles. Figures (a segment, two segments, a rectangle) have their corners in the
// middles of tiles, so the length of a side is the number of steps along it.
import type { Rng } from "../../core/rng.ts";
import type { Cell } from "../../core/types.ts";
import { allCells } from "../grid.ts";
import {
  answerOf,
  COLORS,
  type Figure,
  type FigureKind,
  figures,
  type Item,
  type PointName,
  type QuestionKind,
  range,
  type SceneOptions,
  SHAPES,
  type Wanted,
} from "./question.ts";

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

/** A random scene that the options allow. */
export function drawScene(options: SceneOptions, random: Rng): Scene {
  const kind = random.pick(options.questions);
  if (kind === "share") return shareScene(options, random);
  return kind === "count" ? countScene(options, random) : figureScene(kind, options, random);
}

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
