// The judges of a run and their memory, opened once when the run is built.
import type { RunConfig } from "../config/run-config.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting, value } from "../core/message.ts";
import { judges, ruleJudgeWith } from "../judge/index.ts";
import type { Judge } from "../judge/judge.ts";
import { billOf } from "../judge/llm/bill.ts";
import type { Usage } from "../judge/llm/client.ts";
import { type LlmSettings, llmJudge } from "../judge/llm/llm.ts";
import type { Ports } from "../judge/llm/ports.ts";
import { cutNotice, readRecording, recordedJudge, recording } from "../judge/recording.ts";
import { remembering } from "../judge/remembering.ts";
import { mindingRepetition, RepetitionMemory, type RepetitionState } from "../judge/repetition.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { EndpointRequest } from "./judge-consent.ts";

/** The services that a judge may need; the page and the command line implement them. */
export interface JudgeHost {
  ports: Ports;
  /** Reads a text file by its name in the configuration. */
  readText(name: string): Promise<string>;
  /**
   * The key for an endpoint, empty if it needs none. It must not get into configurations, checkpoints or messages.
   * @throws ConfigError if the endpoint needs a key that was not given, or has not been named on this machine.
   */
  key(request: EndpointRequest): Promise<string>;
  /** Stores a model's verdict as a line of a recording. Must not throw, because a run must not end for it. */
  record?(line: string): void;
  /** Reports a problem that does not stop the run. */
  notice?(message: string): void;
}

/** The judges of a run. */
export interface Judging {
  /** Judges training episodes. */
  training: Judge;
  /** Judges validations and evaluations, whose claims do not enter the memory. */
  evaluation: Judge;
  /** Judges demonstrations, always by rule: their texts follow its format, and a model would only cost money. */
  demonstration: Judge;
  /** The memory to store in a checkpoint; undefined if there is none. */
  memory(): RepetitionState | undefined;
  /** The cost since the last call; empty for free judges. */
  spent(): Metrics;
}

type JudgeConfig = Pick<RunConfig, "judge" | "reward">;

/** The judge of a configuration if it is by rule or off; null if it must be opened. */
export function readyJudge(config: JudgeConfig): Judge | null {
  if (config.judge.name === "rule") return byRule(config);
  return config.judge.name === "off" ? judges.get("off") : null;
}

/** The judge of a configuration as far as it needs neither files nor a network: another one is replaced by that by rule. */
export const freeJudge = (config: JudgeConfig): Judge => readyJudge(config) ?? byRule(config);

const byRule = ({ reward }: JudgeConfig): Judge =>
  ruleJudgeWith(reward.judge_scoring, reward.rubric_tolerance);

/**
 * Opens the judge of a configuration.
 * @param saved the memory of a resumed run. @throws ConfigError for an unreadable recording or an endpoint without consent.
 */
export async function openJudging(
  config: RunConfig,
  host: JudgeHost | undefined,
  saved?: RepetitionState,
): Promise<Judging> {
  const { judge, spent } = await openJudge(config, host);
  const { reward } = config;
  const demonstration = freeJudge(config);
  if (reward.repetition_penalty === 0 && reward.repetition_penalty_weight === 0)
    return { training: judge, evaluation: judge, demonstration, memory: () => undefined, spent };
  const memory = new RepetitionMemory(reward, saved);
  return {
    training: mindingRepetition(judge, memory, true),
    evaluation: mindingRepetition(judge, memory, false),
    demonstration,
    memory: () => memory.save(),
    spent,
  };
}

/** A few megabytes at most. */
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
  // The configuration rules reject scorings that a model cannot serve.
  const scoring = reward.judge_scoring as LlmSettings["judge_scoring"];
  const llm = llmJudge({ ...judge, judge_scoring: scoring }, host.ports, key);
  const before: Usage = { ...llm.usage };
  return {
    judge: remembering(host.record ? recording(llm, host.record) : llm, REMEMBERED_VERDICTS),
    spent: () => spending(llm.usage, before),
  };
}

/** The usage since the last call. @param before is updated. */
function spending(usage: Readonly<Usage>, before: Usage): Metrics {
  const bill = billOf(usage, before);
  Object.assign(before, usage);
  return bill;
}

const unavailable = (name: string) =>
  new ConfigError(
    "invalid_config",
    message`${setting("judge.name")} is ${value("judge.name", name)}, which cannot be opened here.`,
    message`Use ${value("judge.name", "rule")}.`,
  );
