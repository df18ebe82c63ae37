// Files of lines that grow while a run trains.
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
} from "node:fs";
import { dirname, join, parse } from "node:path";
import { replaceFile } from "../../persistence/node-files.ts";

const LINE_FEED = 10;

/** Characters that wait for room on the disk. */
const MOST_WAITING = 32e6;

/** A file of lines. Lines that cannot be written wait, and are written with the next ones. */
export class LineFile {
  private waiting = "";

  /** @param onFailure receives what the system reports when lines begin to wait. */
  constructor(
    private readonly path: string,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  append(line: string): void {
    const wasBehind = this.waiting !== "";
    this.waiting = newest(`${this.waiting}${line}\n`);
    try {
      this.flush();
    } catch (error) {
      if (!wasBehind) this.onFailure(error);
    }
  }

  /** Writes the lines that wait. @throws what the system reports. */
  flush(): void {
    if (this.waiting !== "") appendLines(this.path, this.waiting);
    this.waiting = "";
  }

  /** Drops the lines after an update; lines that name no update stay. */
  cut(update: number): void {
    this.rewrite((lines) => lines.filter((line) => lineUpdate(line) <= update));
  }

  /** Replaces the lines by what `change` makes of them, unless they are the same. */
  rewrite(change: (lines: readonly string[]) => readonly string[]): void {
    const lines = readLines(this.path);
    const changed = change(lines);
    const isSame = changed.length === lines.length && changed.every((line, i) => line === lines[i]);
    if (!isSame) replaceFile(this.path, changed.map((line) => `${line}\n`).join(""));
  }
}

/** The lines, without the oldest if they are too many to keep. */
const newest = (lines: string): string =>
  lines.length <= MOST_WAITING ? lines : lines.slice(lines.indexOf("\n", lines.length - MOST_WAITING) + 1);

/**
 * Appends whole lines, each with its line feed: all of them, or none if there is no room. If the last line of the file
 * was cut off, they begin on a new line, so that only the cut line is lost.
 */
function appendLines(path: string, lines: string): void {
  mkdirSync(dirname(path), { recursive: true });
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

/** Renames a file to a free name, e.g. `metrics-before-1.jsonl`, and returns its new path. It need not exist. */
export function putAside(path: string, suffix: string): string {
  const { dir, name, ext } = parse(path);
  const named = (n: number) => join(dir, `${name}-${suffix}-${n}${ext}`);
  let n = 1;
  while (existsSync(named(n))) n++;
  if (existsSync(path)) renameSync(path, named(n));
  return named(n);
}

/** The value in a line; null if the line was cut off. */
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

/** The update of a line, which every line names before anything nested could; 0 if it names none. */
export const lineUpdate = (line: string): number => Number(/"update":(\d+)/.exec(line)?.[1] ?? 0);
