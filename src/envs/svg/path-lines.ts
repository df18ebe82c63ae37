// The lines and curves that the code of a path draws, in absolute coordinates.
import type { Point } from "../../core/image.ts";

/** How many numbers each command takes. Arcs are left out. */
const COUNTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0 };

/** Lines that stand for a curve. */
const LINES = 16;

/**
 * The corners of each part of a path, with curves as many short lines; null for code with arcs, and for code that is not well-formed, of
 * which a renderer draws an unknown part.
 */
export function linesOf(code: string): Point[][] | null {
  const commands = commandsIn(code);
  if (!commands) return null;
  const pen = new Pen();
  for (const command of commands) pen.draw(command);
  return pen.parts;
}

/** A command with one set of numbers; those of a small letter count from the point before. */
interface Command {
  letter: string;
  numbers: readonly number[];
}

const TOKEN = /([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|([a-z])|[\s,]+/giy;

function commandsIn(code: string): Command[] | null {
  const runs: { letter: string; numbers: number[] }[] = [];
  let read = 0;
  for (const [token, number, letter] of code.matchAll(TOKEN)) {
    read += token.length;
    if (letter !== undefined) runs.push({ letter, numbers: [] });
    else if (number !== undefined && runs.length === 0) return null;
    else if (number !== undefined) runs.at(-1)!.numbers.push(Number(number));
  }
  if (read < code.length || (runs[0] && !/m/i.test(runs[0].letter))) return null;
  const commands = runs.map(splitRun);
  return commands.some((split) => split === null) ? null : commands.flatMap((split) => split!);
}

/** The commands of a letter with one or more sets of numbers; null for a wrong count. What follows the first point of an M are lines. */
function splitRun({ letter, numbers }: Command): Command[] | null {
  const count = COUNTS[letter.toUpperCase()];
  if (count === 0) return numbers.length === 0 ? [{ letter, numbers }] : null;
  if (!count || numbers.length === 0 || numbers.length % count > 0) return null;
  return Array.from({ length: numbers.length / count }, (_, i) => ({
    letter: i === 0 ? letter : letter.replace("M", "L").replace("m", "l"),
    numbers: numbers.slice(i * count, (i + 1) * count),
  }));
}

const POINT_TO_MOVE_TO =
  /^\s*(?:$|m\s*(?=([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))\1(?:\s*,)?\s*[+-]?\.?\d)/i;

/** Whether the code of a path begins with a point to move to, or is empty. A renderer draws nothing of any other code. */
export const hasStart = (code: string): boolean => POINT_TO_MOVE_TO.test(code);

const NUMBER = /[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi;

/**
 * For each subpath of a path's code, where its lines and curves end, as counts of characters. A Z belongs to the line or curve before it;
 * several arcs of one letter count as one.
 */
export function subpathEnds(code: string): number[][] {
  const subpaths: number[][] = [];
  let isClosed = false;
  for (const run of code.matchAll(/([a-df-z])[^a-df-z]*/gi)) {
    const letter = run[1]!.toUpperCase();
    // A closed subpath without another M goes on from where it began, as a new one.
    if (letter === "M" || (isClosed && letter !== "Z")) subpaths.push([]);
    isClosed = letter === "Z";
    const ends = endsIn(letter, run[0]).map((end) => run.index + end);
    const current = subpaths.at(-1) ?? [];
    if (isClosed) current.splice(-1, 1, ...ends);
    else current.push(...(letter === "M" ? ends.slice(1) : ends));
  }
  return subpaths.filter((ends) => ends.length > 0);
}

/** Where each set of numbers of a letter ends. */
function endsIn(letter: string, run: string): number[] {
  const count = COUNTS[letter];
  // Flags of arcs need no space between them, so their numbers cannot be counted.
  if (!count) return [run.trimEnd().length];
  return [...run.matchAll(NUMBER)]
    .filter((_, i) => (i + 1) % count === 0)
    .map((number) => number.index + number[0].length);
}

/** Draws command by command. */
class Pen {
  readonly parts: Point[][] = [];
  private at: Point = [0, 0];
  private start: Point = [0, 0];
  /** The last control point of a curve, which the next curve of its kind may continue. */
  private control: { kind: "cubic" | "quadratic"; at: Point } | null = null;

  draw({ letter, numbers }: Command): void {
    const name = letter.toUpperCase();
    const from = name === "V" ? [this.at[1]] : this.at;
    const n = letter === name ? numbers : numbers.map((value, i) => value + from[i % 2]!);
    const [one, two, three] = [0, 2, 4].map((i): Point => [n[i]!, n[i + 1]!]) as [Point, Point, Point];
    const { control } = this;
    this.control = null;
    if (name === "M") this.begin(one);
    else if (name === "Z") this.begin(this.start);
    else if (name === "L") this.line(one);
    else if (name === "H") this.line([n[0]!, this.at[1]]);
    else if (name === "V") this.line([this.at[0], n[0]!]);
    else if (name === "C") this.cubic(one, two, three);
    else if (name === "S") this.cubic(this.continued(control, "cubic"), one, two);
    else if (name === "Q") this.quadratic(one, two);
    else this.quadratic(this.continued(control, "quadratic"), one);
  }

  private begin(at: Point): void {
    this.at = this.start = at;
    this.parts.push([at]);
  }

  private line(to: Point): void {
    this.parts.at(-1)!.push(to);
    this.at = to;
  }

  private cubic(c: Point, d: Point, to: Point): void {
    const { at } = this;
    for (let i = 1; i <= LINES; i++) {
      const [t, s] = [i / LINES, 1 - i / LINES];
      const along = (axis: 0 | 1) =>
        s ** 3 * at[axis] + 3 * s * s * t * c[axis] + 3 * s * t * t * d[axis] + t ** 3 * to[axis];
      this.line(i === LINES ? to : [along(0), along(1)]);
    }
    this.control = { kind: "cubic", at: d };
  }

  private quadratic(c: Point, to: Point): void {
    const towards = (from: Point): Point => [(from[0] + 2 * c[0]) / 3, (from[1] + 2 * c[1]) / 3];
    this.cubic(towards(this.at), towards(to), to);
    this.control = { kind: "quadratic", at: c };
  }

  /** The control point that continues the curve before; where there is none of this kind, the point itself. */
  private continued(control: Pen["control"], kind: "cubic" | "quadratic"): Point {
    const { at } = this;
    return control?.kind === kind ? [2 * at[0] - control.at[0], 2 * at[1] - control.at[1]] : at;
  }
}
