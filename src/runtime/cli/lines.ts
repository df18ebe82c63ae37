// Files of lines that grow while a run trains.
import { appendFileSync, closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { replaceFile } from "../../persistence/node-files.ts";

const LINE_FEED = 10;

/** Appends whole lines, each with its line feed. Behind a last line that was cut off they begin a new one, so that only that one is lost. */
export function appendLines(path: string, lines: string): void {
  const file = openSync(path, "a+");
  try {
    appendFileSync(file, endsCutOff(file) ? `\n${lines}` : lines);
  } finally {
    closeSync(file);
  }
}

/** Whether the file's last line has no end: a crash, or a disk that became full, cut it off. */
function endsCutOff(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LINE_FEED;
}

/** Drops the lines after an update; what is not such a line is left alone. */
export function cutLines(path: string, update: number): void {
  const lines = readLines(path);
  const kept = lines.filter((line) => lineUpdate(line) <= update);
  if (kept.length < lines.length) replaceFile(path, kept.map((line) => `${line}\n`).join(""));
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Every line names its update before anything nested could; 0 where none is named. */
const lineUpdate = (line: string): number => Number(/"update":(\d+)/.exec(line)?.[1] ?? 0);
