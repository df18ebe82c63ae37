// `judge --rescore --verdicts`: a recording in place of the saved verdicts.
import { surroundingsOf } from "../../agent/claims.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { ConfigError } from "../../core/errors.ts";
import { message, setting, value } from "../../core/message.ts";
import type { Turn, Verdict } from "../../core/types.ts";
import { SURROUNDINGS } from "../../core/verdict.ts";
import type { Surroundings } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { hasPlayer } from "../../judge/judge.ts";
import { cutNotice, type Recording, readRecording, verdictOf } from "../../judge/recording.ts";
import { pricedAbove } from "../../judge/score-base.ts";
import { judgeSurroundings } from "../../judge/surroundings.ts";
import type { VerdictSource } from "../../rl/reward/rescore.ts";
import { MAX_RECORDING_BYTES, readText } from "../disk.ts";

/** The changes with which a run would have been judged by a recording. */
export const recordedJudgeOf = (file: string) => ({ "judge.name": "recorded", "judge.recording": file });

/** A recording as a source of verdicts, with the number of claims looked up in it. */
export interface RecordedVerdicts {
  /** The verdicts on the episodes of one environment, given the run's configuration for it. */
  sourceFor: (config: RunConfig) => VerdictSource;
  counts: { claims: number; withoutVerdict: number };
  /** A warning about the file; null if every line is complete. */
  notice: string | null;
}

/**
 * Reads the recording. A claim without a verdict in it earns nothing, as with the recorded judge.
 * @throws ConfigError for a file that cannot be read, and for a run that penalises repetition.
 */
export async function readVerdicts(file: string, config: RunConfig): Promise<RecordedVerdicts> {
  assertNoRepetition(config);
  const text = await readText(
    file,
    "Give --verdicts a verdicts.jsonl: a run with a model as judge writes one.",
    MAX_RECORDING_BYTES,
  );
  const recording = readRecording(text, file);
  const counts = { claims: 0, withoutVerdict: 0 };
  const sourceFor = (own: RunConfig) => verdictsFrom(recording, own, counts);
  return { sourceFor, counts, notice: cutNotice(recording, file) };
}

/** Looks up the claims of one environment's turns, and counts them. */
function verdictsFrom(
  recording: Recording,
  config: RunConfig,
  counts: RecordedVerdicts["counts"],
): VerdictSource {
  const { score_base: base } = config.reward;
  const surroundings = surroundingsOf(envs.get(config.env.name), config.rollout.prompt_format);
  return (turn, claim) => {
    if (claim === SURROUNDINGS) return surroundings && priced(neighboursOf(turn, surroundings), base);
    if (claim !== "observation" && claim !== "prediction") return undefined;
    const truth = claim === "observation" ? turn.before : turn.after;
    if (!hasPlayer(truth)) return undefined;
    const verdict = verdictOf(recording, { claim, text: turn.parsed[claim], truth });
    counts.claims++;
    if (verdict.status === "not_judged") counts.withoutVerdict++;
    return pricedAbove(verdict, base);
  };
}

const priced = (verdict: Verdict | undefined, base: number) => verdict && pricedAbove(verdict, base);

/** A rule judges the neighbours of the player under every judge, so no recording has them. */
const neighboursOf = ({ before, parsed }: Turn, known: Surroundings): Verdict | undefined =>
  hasPlayer(before) ? judgeSurroundings(parsed.reasoning, before, known) : undefined;

/** A penalty depends on every earlier statement of training, and a folder may keep only a few of them. */
function assertNoRepetition({ reward }: RunConfig): void {
  const key = (["repetition_penalty", "repetition_penalty_weight"] as const).find((name) => reward[name] > 0);
  if (key === undefined) return;
  const path = `reward.${key}`;
  throw new ConfigError(
    "invalid_config",
    message`${setting(path)} is ${value(path, reward[key])}; the saved episodes do not show what would count as repetition under other verdicts.`,
    key === "repetition_penalty"
      ? "Give a run without it, or leave --verdicts out."
      : "Set it to 0, or leave --verdicts out.",
  );
}
