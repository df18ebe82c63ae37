import { expect, test } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import type { Trajectory, VerdictStatus } from "../core/types.ts";
import { noScore } from "../judge/judge.ts";
import { watchJudge, watchReplies } from "./warnings.ts";

const judged = (...statuses: VerdictStatus[]) => [
  {
    turns: statuses.map((status) => ({
      verdicts: { observation: noScore(status, "llm", `Not judged: ${status}.`) },
    })),
  } as unknown as Trajectory,
];

test("warns once when a judge begins to fail, and again after it has recovered", () => {
  const watch = watchJudge();
  expect(watch(judged("match", "mismatch", "not_judged"), 1)).toEqual([]);
  expect(watch(judged("match", "not_judged", "format"), 2)).toMatchObject([
    {
      type: "warning",
      update: 2,
      code: "judge_failing",
      message: "The judge decided 1 of 2 claims; the others earn nothing. Not judged: not_judged.",
    },
  ]);
  expect(watch(judged("not_judged", "not_judged"), 3)).toEqual([]);
  // Nothing was asked, so nothing has changed.
  expect(watch(judged("format"), 4)).toEqual([]);
  expect(watch(judged("not_judged"), 5)).toEqual([]);
  expect(watch(judged("match"), 6)).toEqual([]);
  expect(watch(judged("not_judged"), 7)).toHaveLength(1);
});

test("a run without a judge is left alone", () => {
  expect(watchJudge()(judged("off", "format"), 1)).toEqual([]);
});

const config = RunConfig.parse({ rollout: { response_length: 24 } });
const cut = (share: number) => ({ "response_length/clip_ratio": share });

test("warns once when a limit cuts most replies, and again after replies fitted", () => {
  const watch = watchReplies();
  expect(watch(cut(0.4), config, 1)).toEqual([]);
  expect(watch(cut(0.97), config, 2)).toMatchObject([
    {
      type: "warning",
      update: 2,
      code: "replies_cut",
      message: "97 % of the replies of update 2 reached the limit of 24 tokens (rollout.response_length).",
    },
  ]);
  expect(watch(cut(1), config, 3)).toEqual([]);
  expect(watch({}, config, 4)).toEqual([]);
  expect(watch(cut(0.1), config, 5)).toEqual([]);
  expect(watch(cut(0.5), config, 6)).toHaveLength(1);
});
