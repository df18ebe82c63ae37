// The judges.
import { registry } from "../core/registry.ts";
import { type Judge, noScore } from "./judge.ts";
import { ruleJudge } from "./rule.ts";

/** Judges nothing: for runs without a reasoning reward. */
export const offJudge: Judge = {
  id: "off",
  title: "Off",
  judge: async (questions) => questions.map(() => noScore("off", "off", "The reasoning reward is off.")),
};

/** All judges by id. */
export const judges = registry<Judge>("judge", ruleJudge, offJudge);
