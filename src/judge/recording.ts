// Verdicts in a file: a run can be judged again without a model, and rewards recomputed with other weights.
import { isCutOff, leftOut } from "../core/cut-lines.ts";
import { ConfigError } from "../core/errors.ts";
import { z } from "../core/schema.ts";
import type { GroundTruth, Verdict } from "../core/types.ts";
import { verdictSchema } from "../core/verdict-schema.ts";
import { type Claim, type Judge, noScore } from "./judge.ts";

const Line = z.object({
  claim: z.enum(["observation", "prediction"]),
  text: z.string(),
  truth: z.string(),
  verdict: verdictSchema,
});

/** The key of a verdict. */
interface Claimed {
  claim: Claim;
  text: string;
  truth: GroundTruth;
}

/** A verdict as one line of JSON, to be appended to a recording. */
export function recordingLine({ claim, text, truth }: Claimed, verdict: Verdict): string {
  return JSON.stringify({ claim, text, truth: truthHash(truth), verdict });
}

/**
 * 16 hexadecimal digits that tell states apart: FNV-1a over their canonical text, twice with different offset
 * bases. The order of keys and of cells does not matter.
 */
export function truthHash({ rows, cols, player, entities }: GroundTruth): string {
  const inOrder = Object.keys(entities)
    .sort()
    .map((name) => [name, entities[name]!.map(([r, c]) => `${r},${c}`).sort()]);
  const text = JSON.stringify([rows, cols, player, inOrder]);
  return hash(text, 0x811c9dc5) + hash(text, 0x050c5d1f);
}

function hash(text: string, start: number): string {
  let h = start;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h.toString(16).padStart(8, "0");
}

/** Verdicts by claim. */
export interface Recording {
  size: number;
  /** Truncated lines, which are skipped. */
  cut: number;
  find(claimed: Claimed): Verdict | undefined;
}

const keyOf = (claim: Claim, text: string, truth: string) => `${claim}\n${truth}\n${text}`;

/**
 * Reads a recording. Of two verdicts on one claim the later one wins; failures are not verdicts. Lines that a crash or a full
 * disk cut off are skipped and counted; a resumed run may have written more lines after them.
 * @throws ConfigError("invalid_config") naming the first line that is not a verdict.
 */
export function readRecording(lines: string, file: string): Recording {
  const verdicts = new Map<string, Verdict>();
  let cut = 0;
  for (const [i, text] of lines.split("\n").entries()) {
    if (text.trim() === "") continue;
    const line = parseLine(text);
    if (!line && !isCutOff(text, BEGINNING)) throw notALine(file, i + 1);
    if (!line) cut++;
    else if (line.verdict.status !== "not_judged")
      verdicts.set(keyOf(line.claim, line.text, line.truth), line.verdict);
  }
  return {
    size: verdicts.size,
    cut,
    find: ({ claim, text, truth }) => verdicts.get(keyOf(claim, text, truthHash(truth))),
  };
}

/** A notice about a recording with truncated lines; null for a complete one. */
export function cutNotice({ cut }: Recording, file: string): string | null {
  if (cut === 0) return null;
  return `${leftOut(file, cut)}; the claims have no verdict there.`;
}

/** How every line of a recording begins. */
const BEGINNING = '{"claim":';

function parseLine(text: string): z.output<typeof Line> | null {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const notALine = (file: string, line: number) =>
  new ConfigError(
    "invalid_config",
    `Line ${line} of ${file} is no verdict.`,
    "Give a file of verdicts, as a run with a model as judge writes it: verdicts.jsonl.",
  );

/** The recorded verdict on a claim, or `not_judged`. */
export const verdictOf = (recording: Recording, claimed: Claimed): Verdict =>
  recording.find(claimed) ?? noScore("not_judged", "recorded", "The recording has no verdict on this claim.");

/** A judge that repeats recorded verdicts. */
export function recordedJudge(recording: Recording): Judge {
  const judge: Judge["judge"] = async (questions) =>
    questions.map((question) => verdictOf(recording, question));
  return { id: "recorded", title: "Recorded", judge };
}

/** The judge, passing every verdict to `write` as a line of a recording. Failures are not written. */
export function recording(judge: Judge, write: (line: string) => void): Judge {
  return {
    ...judge,
    async judge(questions, signal) {
      const verdicts = await judge.judge(questions, signal);
      for (const [i, verdict] of verdicts.entries())
        if (verdict.status !== "not_judged") write(recordingLine(questions[i]!, verdict));
      return verdicts;
    },
  };
}
