// A language model as judge, at any endpoint.
import type { Verdict } from "../../core/types.ts";
import { type Cancel, type Judge, type JudgeQuestion, noScore } from "../judge.ts";
import { type RelationScoring, verdictOnRelations } from "../relation-judge.ts";
import { readExtraction, readYesNo } from "./answers.ts";
import { Client, type ClientSettings, NoAnswer, type Usage } from "./client.ts";
import type { Ports } from "./ports.ts";
import { extractionPrompt, yesNoPrompt } from "./prompts.ts";

/** Settings, under the names of the run's configuration. */
export interface LlmSettings extends ClientSettings {
  /** `rubric` asks for YES or NO; the F1 scorings ask the model to read and compare by rule. */
  judge_scoring: "rubric" | RelationScoring;
  /** Seconds for all claims of a batch; claims without an answer by then are not judged. */
  batch_timeout: number;
  /** Concurrent requests. */
  concurrency: number;
}

/** A judge that also reports its cost. */
interface LlmJudge extends Judge {
  readonly usage: Readonly<Usage>;
}

const ID = "llm";

/** A judge that asks a model about every claim; equal claims of a batch share one request. */
export function llmJudge(settings: LlmSettings, ports: Ports, key: string): LlmJudge {
  const client = new Client(settings, ports, key);
  return {
    id: ID,
    title: settings.model,
    usage: client.usage,
    async judge(questions, signal) {
      const deadline = ports.now() + settings.batch_timeout * 1000;
      const distinct = [...new Map(questions.map((question) => [identity(question), question])).values()];
      const ask = (question: JudgeQuestion) => judgeOne(question, settings, client, deadline, signal);
      const verdicts = await inParallel(distinct, settings.concurrency, ask);
      const byIdentity = new Map(distinct.map((question, i) => [identity(question), verdicts[i]!]));
      return questions.map((question) => byIdentity.get(identity(question))!);
    },
  };
}

const identity = ({ claim, text, truth, names }: JudgeQuestion) =>
  JSON.stringify([claim, text, truth, names]);

async function judgeOne(
  question: JudgeQuestion,
  { judge_scoring: scoring }: LlmSettings,
  client: Client,
  deadline: number,
  signal: Cancel | undefined,
): Promise<Verdict> {
  const prompt = scoring === "rubric" ? yesNoPrompt(question) : extractionPrompt(question);
  try {
    const answer = await client.complete(prompt, deadline, signal);
    return scoring === "rubric" ? yesNo(answer, client.redact) : extracted(scoring, answer, question);
  } catch (error) {
    if (error instanceof NoAnswer) return noScore("not_judged", ID, `Not judged: ${error.message}.`);
    throw error;
  }
}

function yesNo(answer: string, redact: Client["redact"]): Verdict {
  const isYes = readYesNo(answer);
  if (isYes === null) return noScore("not_judged", ID, "Not judged: the answer is neither YES nor NO.");
  const reason = redact(answer)
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return { ...noScore(isYes ? "match" : "mismatch", ID, reason.slice(0, 300)), score: isYes ? 1 : 0 };
}

function extracted(scoring: RelationScoring, answer: string, question: JudgeQuestion): Verdict {
  const relations = readExtraction(answer, Object.keys(question.truth.entities));
  if (relations === null)
    return noScore("not_judged", ID, "Not judged: the answer holds no list of objects.");
  return verdictOnRelations(scoring, relations, question, ID);
}

/** Maps `items` with this many workers; the first failure ends all. Results are in order. */
async function inParallel<T, R>(
  items: readonly T[],
  workers: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  return results;
}
