// The ways to score a claim by rule.
import { registry } from "../core/registry.ts";
import type { Verdict } from "../core/types.ts";
import { judgeClauses } from "./exact-state.ts";
import type { JudgeQuestion } from "./judge.ts";
import { judgeRelations } from "./relation-judge.ts";
import { judgeByRubric } from "./rubric.ts";
import { judgeByRule } from "./rule.ts";

/** A way to turn a claim into a score. */
interface Scoring {
  readonly id: string;
  readonly title: string;
  /** A turn is judged if its form is right, also if none of its actions is valid. By default it must earn the format reward. */
  readonly needsOnlyForm?: true;
  /** `tolerance`: cells by which a stated place may be off, for scorings that have a tolerance. */
  judge(question: JudgeQuestion, tolerance: number): Verdict;
}

/** All scorings by id. */
export const scorings = registry<Scoring>(
  "scoring",
  { id: "cells", title: "Exact cells", judge: judgeByRule },
  { id: "vagen", title: "VAGEN's score", judge: (question) => judgeRelations("vagen", question) },
  { id: "clauses", title: "VAGEN's exact scorer, 2026", needsOnlyForm: true, judge: judgeClauses },
  { id: "exact_f1", title: "Exact F1", judge: (question) => judgeRelations("exact_f1", question) },
  { id: "soft_f1", title: "Soft F1", judge: (question) => judgeRelations("soft_f1", question) },
  { id: "rubric", title: "YES or NO", judge: judgeByRubric },
);
