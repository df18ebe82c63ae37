// What can be asked about a picture: kinds of questions, the figures that they are about, and their words. The page knows this before
// the game is loaded.
import { message } from "../../core/message.ts";
import { ImpossibleConfig, option } from "../grid.ts";

export const COLORS = ["red", "blue", "green", "yellow"] as const;
export const SHAPES = ["circle", "triangle", "square"] as const;
export const POINTS = ["A", "B", "C", "D"] as const;
/** Kinds of questions whose answers are whole numbers. */
export const WHOLE_QUESTIONS = ["count", "length", "longer", "perimeter", "area"] as const;
/** All kinds; the last two are answered by a fraction and by a root. */
export const QUESTIONS = [...WHOLE_QUESTIONS, "share", "diagonal"] as const;
/** Largest answer that the environment knows; the actions are the numbers up to it. */
export const LARGEST_ANSWER = 99;
/** Every whole number that can be given as an answer. */
export const ANSWERS: readonly string[] = Array.from({ length: LARGEST_ANSWER + 1 }, (_, n) => String(n));

export type ShapeColor = (typeof COLORS)[number];
export type ShapeKind = (typeof SHAPES)[number];
export type PointName = (typeof POINTS)[number];
export type QuestionKind = (typeof QUESTIONS)[number];
export type FigureKind = Exclude<QuestionKind, "count" | "share">;

export interface Item {
  color: ShapeColor;
  shape: ShapeKind;
}

/** What is counted: a colour, a shape, or both. */
export type Wanted = Partial<Item>;

/** What questions and pictures depend on of the environment's configuration. */
export interface SceneOptions {
  questions: readonly QuestionKind[];
  grid_size: number;
  max_answer: number;
  difficulty: "easy" | "medium" | "hard";
}

/** A figure by its sides in tiles: `b` is the second segment of `longer`, the second side of a rectangle. */
export interface Figure {
  a: number;
  b: number;
  unit: number;
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

export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Every figure whose answer is small enough. */
export function figures(
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

export const answerOf =
  (kind: FigureKind) =>
  ({ a, b, unit }: Figure): number =>
    ({
      length: a * unit,
      longer: (a - b) * unit,
      perimeter: 2 * (a + b) * unit,
      area: a * b * unit ** 2,
      diagonal: Math.sqrt(a * a + b * b) * unit,
    })[kind];

/** What a question is about. */
interface Asked {
  kind: QuestionKind;
  wanted: Wanted;
  unit: number;
}

/** The question in the agent's words. */
export function questionText({ kind, wanted, unit }: Asked): string {
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
