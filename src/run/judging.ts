// Which judge a run has, and what it remembers: opened once, when the run is built.
import type { RunConfig } from "../config/run-config.ts";
import { ConfigError } from "../core/errors.ts";
import { judges, ruleJudgeWith } from "../judge/index.ts";
import type { Judge } from "../judge/judge.ts";
import type { Usage } from "../judge/llm/client.ts";
import { type LlmSettings, llmJudge } from "../judge/llm/llm.ts";
import type { Ports } from "../judge/llm/ports.ts";
import { cutNotice, readRecording, recordedJudge, recording } from "../judge/recording.ts";
import { remembering } from "../judge/remembering.ts";
import { mindingRepetition, RepetitionMemory, type RepetitionState } from "../judge/repetition.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { Wish } from "./judge-consent.ts";

/** What a judge may need of the place where the run lives. The page and the command line each have one. */
export interface JudgeHost {
  ports: Ports;
  /** A file's text, by the name in the configuration. */
  readText(name: string): Promise<string>;
  /**
   * The key for an endpoint, empty for one that needs none. It is in no configuration, checkpoint or message.
   * @throws ConfigError when the endpoint wants a key that was not given, or when the endpoint has not been named on this machine.
   */
  key(wish: Wish): Promise<string>;
  /** Keeps a verdict that was paid for, as a line of a recording. Must not throw: a run does not end for it. */
  record?(line: string): void;
  /** Says what is not as it should be, and no reason to stop. */
  notice?(message: string): void;
}

/** The judges of a run. */
export interface Judging {
  /** Judges what the policy says in training. */
  training: Judge;
  /** Judges validations and evaluations: what is said there is not remembered. */
  looking: Judge;
  /** Judges demonstrations, always by rule: a script speaks the rule's language, and no model should be paid for it. */
  demonstrating: Judge;
  /** For the checkpoint; undefined when nothing is remembered. */
  memory(): RepetitionState | undefined;
  /** What was spent since the last call; empty for judges that cost nothing. */
  spent(): Metrics;
}

/** The judge by rule that a configuration names, or the one that judges nothing; null for a judge that has to be opened. */
export function readyJudge(config: RunConfig): Judge | null {
  if (config.judge.name === "rule") return byRule(config);
  return config.judge.name === "off" ? judges.get("off") : null;
}

const byRule = ({ reward }: RunConfig): Judge => ruleJudgeWith(reward.judge_scoring, reward.rubric_tolerance);

/**
 * Opens the judge of a configuration. `saved` is what a run that goes on remembers.
 * @throws ConfigError for a recording that cannot be read, or an endpoint that may not be asked.
 */
export async function openJudging(
  config: RunConfig,
  host: JudgeHost | undefined,
  saved?: RepetitionState,
): Promise<Judging> {
  const { judge, spent } = await openJudge(config, host);
  const { reward } = config;
  const demonstrating = readyJudge(config) ?? byRule(config);
  if (reward.repetition_penalty === 0 && reward.repetition_penalty_weight === 0)
    return { training: judge, looking: judge, demonstrating, memory: () => undefined, spent };
  const memory = new RepetitionMemory(reward, saved);
  return {
    training: mindingRepetition(judge, memory, true),
    looking: mindingRepetition(judge, memory, false),
    demonstrating,
    memory: () => memory.save(),
    spent,
  };
}

/** Some megabytes at most. */
const REMEMBERED_VERDICTS = 50_000;

type Opened = Pick<Judging, "spent"> & { judge: Judge };

async function openJudge(config: RunConfig, host: JudgeHost | undefined): Promise<Opened> {
  const ready = readyJudge(config);
  if (ready) return { judge: ready, spent: () => ({}) };
  if (!host) throw unavailable(config.judge.name);
  return config.judge.name === "recorded" ? openRecorded(config, host) : openLlm(config, host);
}

async function openRecorded({ judge }: RunConfig, host: JudgeHost): Promise<Opened> {
  const text = await host.readText(judge.recording);
  const recording = readRecording(text, judge.recording);
  const notice = cutNotice(recording, judge.recording);
  if (notice !== null) host.notice?.(notice);
  return { judge: recordedJudge(recording), spent: () => ({}) };
}

async function openLlm({ judge, reward }: RunConfig, host: JudgeHost): Promise<Opened> {
  const key = await host.key(judge);
  // The rules of the configuration let only scorings through that a model can serve.
  const scoring = reward.judge_scoring as LlmSettings["judge_scoring"];
  const llm = llmJudge({ ...judge, judge_scoring: scoring }, host.ports, key);
  const before: Usage = { ...llm.usage };
  return {
    judge: remembering(host.record ? recording(llm, host.record) : llm, REMEMBERED_VERDICTS),
    spent: () => spending(llm.usage, before),
  };
}

/** The difference to what was told before, which then becomes what was told. */
function spending(usage: Readonly<Usage>, before: Usage): Metrics {
  const tokens = usage.inputTokens + usage.outputTokens - before.inputTokens - before.outputTokens;
  const metrics = {
    "judge/requests": usage.requests - before.requests,
    "judge/retries": usage.retries - before.retries,
    "judge/tokens": tokens,
    "judge/cost": usage.cost - before.cost,
  };
  Object.assign(before, usage);
  return metrics;
}

const unavailable = (name: string) =>
  new ConfigError(
    "invalid_config",
    `judge.name is ${JSON.stringify(name)}, which cannot be opened here.`,
    'Use "rule".',
  );
