import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { buildTask } from "../run/task.ts";
import { Values } from "./args.ts";
import { assertRepeats, explainableOf, explainableTable } from "./explainable.ts";

const asked = new Values({ explainable: true });

test("a share needs several sampled episodes of a level", () => {
  expect(() => assertRepeats(asked, 0, 8)).toThrow(/all the same without sampling/);
  expect(() => assertRepeats(asked, 1, 1)).toThrow(/--samples is 1/);
  expect(() => assertRepeats(asked, 1, 2)).not.toThrow();
  expect(() => assertRepeats(new Values({}), 0, 1)).not.toThrow();
});

test("levels without repeats have no share", () => {
  const evaluation = { trajectories: [] } as unknown as Parameters<typeof explainableOf>[0];
  expect(() => explainableOf(evaluation, buildTask(checkedRunConfig({})))).toThrow(/no state occurred twice/);
});

test("the table has a row for each end of a turn", () => {
  const turnStart = { share: 0.256, groups: 300, repeated: 200 };
  const text = explainableTable({
    episodes: 1024,
    observations: 3000,
    hasChance: false,
    turnStart,
    turnEnd: { ...turnStart, share: 0.51 },
  });
  expect(text).toContain("3000 turns of 1024 episodes");
  expect(text).toMatch(/before a reply.* 0\.26 +300 +200/);
  expect(text).toMatch(/at its end.* 0\.51 +300 +200/);
  expect(text).toContain("before a reply: level, turn, state");
});

test("where chance decides, the table says that different levels are compared", () => {
  const turnStart = { share: 0.1, groups: 30, repeated: 20 };
  const counts = { episodes: 100, observations: 140, turnStart, turnEnd: turnStart };
  const text = explainableTable({ ...counts, hasChance: true });
  expect(text).toMatch(/before a reply: turn, state .*\nat its end: also the actions .*\nA level also fixes/);
  expect(explainableTable({ ...counts, hasChance: false })).not.toContain("A level also fixes");
});
