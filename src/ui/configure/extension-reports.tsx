// What was found about an extension: why it was refused, and about its environments, check by check.
import { type CheckLine, checksText } from "../../extension/check-environment.ts";
import type { Tried } from "../../extension/index.ts";
import type { Problem } from "../store/extension-draft.ts";
import { useExtensions } from "../store/extension-store.ts";

export function Refused({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <p role="alert" className="text-dense break-words text-danger">
      {problem.message} {problem.hint}
    </p>
  );
}

/** Each environment of a text that was tried in this visit; those with a failed check are open. */
export function Reports({ source }: { source: string }) {
  const reports = useExtensions((state) => state.reports[source]) ?? [];
  return reports.map(({ title, lines }) => (
    <details key={title} open={lines.some(({ outcome }) => outcome === "failed")} className="text-caption">
      <summary className="cursor-pointer">
        {title}: {checksText(lines)}
      </summary>
      <ul aria-label={`Checks of ${title}`} className="mt-1 flex flex-col gap-1">
        {failedFirst(lines).map((line) => (
          <Line key={line.check} {...line} />
        ))}
      </ul>
    </details>
  ));
}

/** What is to be mended stands on top. */
const failedFirst = (lines: readonly CheckLine[]): CheckLine[] =>
  lines.toSorted((a, b) => Number(b.outcome === "failed") - Number(a.outcome === "failed"));

const MARKS = {
  passed: { sign: "✓", look: "text-ok", word: "Passed" },
  failed: { sign: "✗", look: "text-danger", word: "Failed" },
  "not run": { sign: "–", look: "text-muted", word: "Not run" },
} as const;

function Line({ check, outcome, found }: CheckLine) {
  const { sign, look, word } = MARKS[outcome];
  return (
    <li className="flex gap-1.5">
      <span aria-hidden className={look}>
        {sign}
      </span>
      <span className="min-w-0 break-words">
        <span className={outcome === "passed" ? "visually-hidden" : ""}>{word}: </span>
        <span className={outcome === "not run" ? "text-muted" : ""}>{check}.</span>{" "}
        <span className="text-muted">{found}</span>
      </span>
    </li>
  );
}

/** "mine was added. 6 of 6 checks passed." @param reports of its environments, if it has any */
export function addedText({ name, how }: { name: string; how: string }, reports: Tried["reports"]): string {
  const lines = reports.flatMap((report) => report.lines);
  return `${name} was ${how}.${lines.length > 0 ? ` ${checksText(lines)}.` : ""}`;
}

/** The lines of code that a message and the failed checks name ("step, line 12"), in their order, each once. */
export function linesNamed(message: string, reports: Tried["reports"]): number[] {
  const failed = reports.flatMap(({ lines }) => lines).filter(({ outcome }) => outcome === "failed");
  const texts = [message, ...failed.map(({ found }) => found)];
  const named = texts.flatMap((text) => [...text.matchAll(/\bline (\d+)/g)].map((match) => Number(match[1])));
  return [...new Set(named)];
}
