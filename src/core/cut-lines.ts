// Lines of JSON that a crash or a full disk cut off while they were written. A run that goes on writes behind them.

/** Whether a line begins as all of its file do and is no JSON: its end is missing, or another line follows in its place. */
export function isCutOff(line: string, beginning: string): boolean {
  if (!line.startsWith(beginning.slice(0, line.length))) return false;
  try {
    JSON.parse(line);
    return false;
  } catch {
    return true;
  }
}

/** What to say of a file of which so many lines were left out; no full stop. */
export function leftOut(file: string, lines: number): string {
  const which = lines === 1 ? "1 line that was cut off is" : `${lines} lines that were cut off are`;
  return `${file}: ${which} left out`;
}
