// The judges that need nothing but the claim. Callers with files and a network open recordings and models.
import { registry } from "../core/registry.ts";
import { type Judge, noScore } from "./judge.ts";
import { ruleJudge } from "./rule.ts";
import { scorings } from "./scorings.ts";

/** Judges nothing: for runs without a reasoning reward. */
const offJudge: Judge = {
  id: "off",
  title: "Off",
  judge: async (questions) => questions.map(() => noScore("off", "off", "The reasoning reward is off.")),
};

/** The rule judge with one of its scorings. @throws ConfigError("unknown_id") */
export function ruleJudgeWith(scoring: string, tolerance: number): Judge {
  const { title, judge } = scorings.get(scoring);
  return {
    id: "rule",
    title,
    judge: async (questions) => questions.map((question) => judge(question, tolerance)),
  };
}

/** All judges that need nothing, by id. */
export const judges = registry<Judge>("judge", ruleJudge, offJudge);
