// `judge --rescore --verdicts`: a recording in place of the verdicts that saved turns were given.
import type { RunConfig } from "../../config/run-config.ts";
import { ConfigError } from "../../core/errors.ts";
import { hasPlayer } from "../../judge/judge.ts";
import { cutNotice, readRecording, verdictOf } from "../../judge/recording.ts";
import type { VerdictSource } from "../../rl/reward/rescore.ts";
import { readText } from "../disk.ts";

/** Changes of the configuration that go with a recording: what its run would have been judged by. */
export const recordedJudgeOf = (file: string) => ({ "judge.name": "recorded", "judge.recording": file });

/** A recording as a source of verdicts, and how often it was asked. */
export interface RecordedVerdicts {
  source: VerdictSource;
  counts: { claims: number; withoutVerdict: number };
  /** What to say of the file itself. */
  notice: string | null;
}

/**
 * Reads the recording. As with the recorded judge, a claim that it lacks earns nothing.
 * @throws ConfigError for a file that cannot be read, and for a run that penalises repetition.
 */
export async function readVerdicts(file: string, config: RunConfig): Promise<RecordedVerdicts> {
  assertNoRepetition(config);
  const text = await readText(
    file,
    "Give --verdicts a verdicts.jsonl: a run with a model as judge writes one.",
  );
  const recording = readRecording(text, file);
  const counts = { claims: 0, withoutVerdict: 0 };
  const source: VerdictSource = (turn, claim) => {
    const truth = claim === "observation" ? turn.before : turn.after;
    if (!hasPlayer(truth)) return undefined;
    const verdict = verdictOf(recording, { claim, text: turn.parsed[claim], truth });
    counts.claims++;
    if (verdict.status === "not_judged") counts.withoutVerdict++;
    return verdict;
  };
  return { source, counts, notice: cutNotice(recording, file) };
}

/** What repeats itself follows from everything that was said in training, of which a folder may keep only a few. */
function assertNoRepetition({ reward }: RunConfig): void {
  const field = (["repetition_penalty", "repetition_penalty_weight"] as const).find(
    (name) => reward[name] > 0,
  );
  if (field === undefined) return;
  throw new ConfigError(
    "invalid_config",
    `reward.${field} is ${reward[field]}; the saved episodes do not show what would count as repetition under other verdicts.`,
    field === "repetition_penalty"
      ? "Take a run without it, or leave --verdicts out."
      : "Set it to 0, or leave --verdicts out.",
  );
}
