import { expect, test } from "vitest";
import type { Verdict } from "../core/types.ts";
import { type Judge, type JudgeQuestion, noScore } from "./judge.ts";
import { remembering } from "./remembering.ts";

const ask = (text: string, row = 0): JudgeQuestion => ({
  claim: "observation",
  text,
  truth: { rows: 2, cols: 2, player: [row, 0], entities: {} },
  names: ["player"],
});

/** Never says the same twice; fails on what is called "bad" the first time. */
function fickle() {
  const asked: string[] = [];
  const judge: Judge = {
    id: "fickle",
    title: "Fickle",
    judge: async (questions) =>
      questions.map(({ text }): Verdict => {
        const isFirst = asked.push(text) && asked.filter((known) => known === text).length === 1;
        if (text === "bad" && isFirst) return noScore("not_judged", "fickle", "");
        return { ...noScore("partial", "fickle", ""), score: asked.length };
      }),
  };
  return { judge, asked };
}
const scores = async (judge: Judge, ...questions: JudgeQuestion[]) =>
  (await judge.judge(questions)).map(({ score }) => score);

test("a claim about a state has one verdict, however often it is made", async () => {
  const { judge, asked } = fickle();
  const steady = remembering(judge, 10);
  expect(await scores(steady, ask("a"), ask("b"))).toEqual([1, 2]);
  expect(await scores(steady, ask("b"), ask("a", 1), ask("a"))).toEqual([2, 3, 1]);
  expect(asked).toEqual(["a", "b", "a"]);
});

test("a failure is asked about again", async () => {
  const { judge } = fickle();
  const steady = remembering(judge, 10);
  expect((await steady.judge([ask("bad")]))[0]!.status).toBe("not_judged");
  expect(await scores(steady, ask("bad"))).toEqual([2]);
  expect(await scores(steady, ask("bad"))).toEqual([2]);
});

test("the oldest are dropped, but not before they are returned", async () => {
  const { judge } = fickle();
  const steady = remembering(judge, 1);
  expect(await scores(steady, ask("a"), ask("b"))).toEqual([1, 2]);
  expect(await scores(steady, ask("b"), ask("a"))).toEqual([2, 3]);
});
