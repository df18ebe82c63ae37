import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeCases } from "./cases.ts";
import { ruleJudgeWith } from "./index.ts";
import { type Judge, noScore } from "./judge.ts";
import { accuracyOf, measureJudge } from "./measure.ts";
import { judgesPage } from "./testing/judges-page.ts";

const docs = join(import.meta.dirname, "../../docs/judges.md");

test("there are enough cases of every kind, right and wrong", () => {
  expect(judgeCases.length).toBeGreaterThanOrEqual(80);
  expect(new Set(judgeCases.map(({ id }) => id)).size).toBe(judgeCases.length);
  const kinds = new Map<string, number>();
  for (const { game, claim, style, isRight } of judgeCases) {
    const kind = `${game} ${claim} ${style} ${isRight}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  expect(kinds.size).toBe(2 * 2 * 3 * 2);
  expect(Math.min(...kinds.values())).toBeGreaterThanOrEqual(2);
});

test("the rule judge pays for nothing that is wrong, and misses few that are right", async () => {
  const { confusion } = await measureJudge(ruleJudgeWith("rubric", 0), judgeCases);
  expect(confusion.falsePositive).toBe(0);
  expect(confusion.falseNegative).toBeLessThanOrEqual(4);
  expect(confusion.notJudged).toBe(0);
  expect(accuracyOf(confusion)).toBeGreaterThan(0.95);
});

test("dictionaries and boards are read without a miss", async () => {
  const written = judgeCases.filter(({ style }) => style !== "natural");
  expect((await measureJudge(ruleJudgeWith("rubric", 0), written)).disagreements).toEqual([]);
});

test("any judge can be measured; cases on which it fails are counted apart", async () => {
  const moody: Judge = {
    id: "moody",
    title: "Moody",
    judge: async (questions) =>
      questions.map((_, i) =>
        i % 2 ? noScore("not_judged", "moody", "tired") : { ...noScore("match", "moody", "sure"), score: 1 },
      ),
  };
  const [yes, no] = [judgeCases.find((c) => c.isRight)!, judgeCases.find((c) => !c.isRight)!];
  const { confusion, disagreements } = await measureJudge(moody, [yes, yes, no, no]);
  expect(confusion).toEqual({
    truePositive: 1,
    falsePositive: 1,
    trueNegative: 0,
    falseNegative: 0,
    notJudged: 2,
  });
  expect(accuracyOf(confusion)).toBe(0.5);
  expect(disagreements.map(({ said }) => said)).toEqual(["not judged", "yes", "not judged"]);
});

// To renew the page after a change of the judge or the cases: UPDATE_DOCS=1 npx vitest run --project unit src/judge/measure
test("is what docs/judges.md says", async () => {
  const written = await judgesPage();
  if (process.env.UPDATE_DOCS) writeFileSync(docs, written);
  expect(readFileSync(docs, "utf8")).toBe(written);
});
