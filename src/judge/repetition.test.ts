import { expect, test } from "vitest";
import type { Verdict } from "../core/types.ts";
import { FrequentTexts } from "./frequent.ts";
import type { Claim, Judge, JudgeQuestion } from "./judge.ts";
import { noScore } from "./judge.ts";
import { mindingRepetition, RepetitionMemory } from "./repetition.ts";

const truth = { rows: 2, cols: 2, player: [0, 0] as const, entities: {} };
const ask = (text: string, claim: Claim = "observation"): JudgeQuestion => ({
  claim,
  text,
  truth,
  names: [],
});
/** Scores a claim by the number that it is. */
const byNumber: Judge = {
  id: "number",
  title: "Number",
  judge: async (questions) =>
    questions.map(
      ({ text }): Verdict => ({ ...noScore("partial", "number", ""), score: Number(text.split(" ")[0]) }),
    ),
};
const settings = {
  top_strings_m: 1000,
  top_strings_k: 1,
  repetition_threshold: 0.35,
  repetition_penalty: 0.1,
};

test("the most frequent first, ties in the order of first sight", () => {
  const texts = new FrequentTexts(10);
  texts.add(["a", "b", "c", "c"]);
  expect(texts.top(2)).toEqual(["c", "a"]);
  texts.add(["b", "b"]);
  expect(texts.top(5)).toEqual(["b", "c", "a"]);
});

test("a batch is counted as a whole before the rarest are dropped, and those start at 0 again", () => {
  const texts = new FrequentTexts(2);
  // After a, b, c alone c would have been forgotten; its second mention in the same batch saves it.
  texts.add(["a", "b", "c", "c"]);
  expect(texts.save()).toEqual([
    ["a", 1],
    ["c", 2],
  ]);
  texts.add(["b", "b"]);
  expect(texts.save()).toEqual([
    ["c", 2],
    ["b", 2],
  ]);
});

test("a text that is frequent and scores low is paid the penalty; its score stays what it is", async () => {
  const judge = mindingRepetition(byNumber, new RepetitionMemory(settings), true);
  const verdicts = await judge.judge(
    ["0.3 same", "0.3 same", "0.3 other", "0.5 right"].map((text) => ask(text)),
  );
  expect(verdicts.map(({ score, paid, repeated }) => [score, paid, repeated])).toEqual([
    [0.3, -0.1, true],
    [0.3, -0.1, true],
    [0.3, undefined, undefined],
    [0.5, undefined, undefined],
  ]);
});

test("the threshold is not below itself: two F1 that sum to 0.7 are spared", async () => {
  const judge = mindingRepetition(byNumber, new RepetitionMemory(settings), true);
  const [at, below] = [0.5 * (0.4 + 0.3), 0.5 * (0.4 + 0.2)];
  expect((await judge.judge([ask(`${at}`)]))[0]!.paid).toBeUndefined();
  const fresh = mindingRepetition(byNumber, new RepetitionMemory(settings), true);
  expect((await fresh.judge([ask(`${below}`)]))[0]!.paid).toBe(-0.1);
});

test("observations and predictions are counted apart", async () => {
  const judge = mindingRepetition(byNumber, new RepetitionMemory(settings), true);
  const questions = [ask("0 x"), ask("0 x"), ask("0 y", "prediction"), ask("0 x", "prediction")];
  const verdicts = await judge.judge(questions);
  expect(verdicts.map(({ repeated }) => repeated ?? false)).toEqual([true, true, true, false]);
});

test("a claim that was not judged is not punished", async () => {
  const failing: Judge = {
    ...byNumber,
    judge: async (asked) => asked.map(() => noScore("not_judged", "x", "")),
  };
  const judge = mindingRepetition(failing, new RepetitionMemory(settings), true);
  expect((await judge.judge([ask("0 x")]))[0]).toEqual(noScore("not_judged", "x", ""));
});

test("looking on counts nothing", async () => {
  const memory = new RepetitionMemory(settings);
  const verdicts = await mindingRepetition(byNumber, memory, false).judge([ask("0 x")]);
  expect(verdicts[0]!.repeated).toBeUndefined();
  expect(memory.save()).toEqual({ observation: [], prediction: [] });
});

test("a memory that was saved goes on as if it had never stopped", async () => {
  const batches = [["0 a", "0 b"], ["0 b"], ["0 a", "0 c", "0 a"]].map((texts) =>
    texts.map((text) => ask(text)),
  );
  const small = { ...settings, top_strings_m: 2 };
  const straight = new RepetitionMemory(small);
  for (const batch of batches) straight.add(batch);
  const first = new RepetitionMemory(small);
  first.add(batches[0]!);
  const second = new RepetitionMemory(small, JSON.parse(JSON.stringify(first.save())));
  for (const batch of batches.slice(1)) second.add(batch);
  expect(second.save()).toEqual(straight.save());
});

test("a part without text claims nothing, so it is neither counted nor penalised", async () => {
  const judge = mindingRepetition(byNumber, new RepetitionMemory(settings), true);
  const verdicts = await judge.judge(["", "", "0.1 once"].map((text) => ask(text)));
  expect(verdicts.map(({ paid }) => paid)).toEqual([undefined, undefined, -0.1]);
});
