// A cache of verdicts: a model may answer the same question differently the second time, and costs twice.
import type { Verdict } from "../core/types.ts";
import { hasJudgeFailed } from "../core/verdict.ts";
import type { Judge, JudgeQuestion } from "./judge.ts";
import { truthHash } from "./recording.ts";

/** The judge with a cache of its last `capacity` verdicts. Claims that it failed to judge are not cached. */
export function remembering(judge: Judge, capacity: number): Judge {
  const known = new Map<string, Verdict>();
  return {
    ...judge,
    async judge(questions, signal) {
      const fresh = questions.filter((question) => !known.has(keyOf(question)));
      const asked = await judge.judge(fresh, signal);
      const answers = new Map(fresh.map((question, i) => [keyOf(question), asked[i]!]));
      const verdicts = questions.map(
        (question) => known.get(keyOf(question)) ?? answers.get(keyOf(question))!,
      );
      for (const [key, verdict] of answers) if (!hasJudgeFailed(verdict)) known.set(key, verdict);
      forgetOldest(known, capacity);
      return verdicts;
    },
  };
}

const keyOf = ({ claim, text, truth, names }: JudgeQuestion) =>
  JSON.stringify([claim, names, truthHash(truth), text]);

/** A map keeps the order in which keys came. */
function forgetOldest(known: Map<string, unknown>, capacity: number): void {
  for (const key of known.keys()) {
    if (known.size <= capacity) return;
    known.delete(key);
  }
}
