// Files of lines that grow while a run trains.
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
} from "node:fs";
import { join, parse } from "node:path";
import { replaceFile } from "../../persistence/node-files.ts";

const LINE_FEED = 10;

/**
 * Appends whole lines, each with its line feed: all of them, or none when there is no room. If the last line was cut
 * off, they begin on a new one, so that only the cut line is lost.
 */
export function appendLines(path: string, lines: string): void {
  const file = openSync(path, "a+");
  const { size } = fstatSync(file);
  try {
    appendFileSync(file, endsCutOff(file, size) ? `\n${lines}` : lines);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Whether the file's last line has no end: a crash, or a disk that became full, cut it off. */
function endsCutOff(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LINE_FEED;
}

/** Drops the lines after an update; what is not such a line is left alone. */
export function cutLines(path: string, update: number): void {
  rewriteLines(path, (lines) => lines.filter((line) => lineUpdate(line) <= update));
}

/** Replaces the lines of a file by what `change` makes of them, unless they are the same. */
export function rewriteLines(path: string, change: (lines: readonly string[]) => readonly string[]): void {
  const lines = readLines(path);
  const changed = change(lines);
  const isSame = changed.length === lines.length && changed.every((line, i) => line === lines[i]);
  if (!isSame) replaceFile(path, changed.map((line) => `${line}\n`).join(""));
}

/** Gives a file another name, e.g. `metrics-before-1.jsonl`, so that a new one can begin. It need not exist. */
export function putAside(path: string): void {
  if (!existsSync(path)) return;
  const { dir, name, ext } = parse(path);
  const named = (n: number) => join(dir, `${name}-before-${n}${ext}`);
  let n = 1;
  while (existsSync(named(n))) n++;
  renameSync(path, named(n));
}

/** The object in a line; null where it was cut off. */
export function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Every line names its update before anything nested could; 0 where none is named. */
export const lineUpdate = (line: string): number => Number(/"update":(\d+)/.exec(line)?.[1] ?? 0);
