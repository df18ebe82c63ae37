import { expect, test } from "vitest";
import type { Trajectory, Turn, Verdict } from "../core/types.ts";
import { NOT_THERE } from "../core/verdict.ts";
import { episodeMetrics, explainedVariance } from "./metrics.ts";

const verdict = (status: Verdict["status"], player: boolean, goal: boolean): Verdict => ({
  status,
  score: (Number(player) + Number(goal)) / 2,
  judge: "rule",
  reason: "",
  fields: ["match", "partial", "mismatch"].includes(status)
    ? [
        { name: "player", predicted: "", truth: "", ok: player },
        { name: "goal", predicted: "", truth: "", ok: goal },
      ]
    : [],
});

function turn(formatOk: boolean, reward: number, observation: Verdict): Turn {
  return {
    reply: observation.status,
    parsed: { formatOk, observation: "", reasoning: "", prediction: "" },
    actionIsValid: formatOk,
    actionIsEffective: false,
    verdicts: { observation },
    rewards: { task: reward },
    reward,
  } as unknown as Turn;
}

/** One token of prompt and `reply` tokens of reply in every turn. */
function trajectory(turns: Turn[], success: boolean, reply: number): Trajectory {
  const groupId = `${success} ${reply}`;
  const perTurn = (f: (turn: number, i: number) => number) =>
    turns.flatMap((_, t) => Array.from({ length: reply + 1 }, (_, i) => f(t, i)));
  const tokens = {
    responseMask: Uint8Array.from(perTurn((_, i) => Number(i > 0))),
    turnIndex: Int16Array.from(perTurn((t) => t)),
  };
  return { envId: "lake", groupId, turns, success, terminated: success, tokens } as unknown as Trajectory;
}

const batch = [
  trajectory([turn(true, 1, verdict("match", true, true))], true, 4),
  trajectory(
    [turn(true, 0, verdict("partial", true, false)), turn(false, 0.5, verdict("format", false, false))],
    false,
    8,
  ),
];

test("tool calls are counted by episode where there are tools, also when nobody calls", () => {
  const called = (ok: boolean) => ({ ...turn(true, 0, verdict("match", true, true)), tool: { ok } }) as Turn;
  const calling = [trajectory([called(true), called(false), called(true)], false, 4), batch[0]!];
  const options = { maxReplyTokens: 8, hasTools: true };
  expect(episodeMetrics(calling, options)).toMatchObject({
    "tool_calls/mean": 1.5,
    "tool_calls/answered": 2 / 3,
  });
  const silent = episodeMetrics(batch, options);
  expect(silent["tool_calls/mean"]).toBe(0);
  expect(silent).not.toHaveProperty(["tool_calls/answered"]);
  expect(episodeMetrics(calling, { maxReplyTokens: 8 })).not.toHaveProperty(["tool_calls/mean"]);
});

test("metrics of a small batch, worked out by hand", () => {
  expect(episodeMetrics(batch, { maxReplyTokens: 8 })).toEqual({
    "train/success/lake": 0.5,
    "train/score/lake": 0.75,
    "train/done": 0.5,
    "num_turns/mean": 1.5,
    // Per episode 1 and 1/2.
    "train/format_correct": 0.75,
    "train/action_is_valid": 0.75,
    "train/action_is_effective": 0,
    // Only judged claims count.
    grounding_accuracy: 0.75,
    "judge/not_judged": 0,
    "grounding_accuracy/player": 1,
    "grounding_accuracy/goal": 0.5,
    "response_length/mean": 20 / 3,
    "response_length/max": 8,
    "response_length/min": 4,
    "response_length/clip_ratio": 2 / 3,
    "reward/task": 0.75,
    "critic/score/mean": 0.75,
    "critic/score/max": 1,
    "critic/score/min": 0.5,
    // Scores 1 and 0.5, in groups of one.
    "critic/score/std": 0.25,
    // Three different replies of one word.
    "diversity/distinct_4/reply": 1,
    "diversity/echo_share/reply": 1 / 3,
    "diversity/repeat_share/reply": 0,
  });
});

test("a claim that cannot be read is wrong about every entity", () => {
  const unread = trajectory([turn(true, 0, verdict("unreadable", false, false))], false, 4);
  const metrics = episodeMetrics([batch[0], unread], { maxReplyTokens: 8 });
  expect(metrics.grounding_accuracy).toBe(0.5);
  expect(metrics["grounding_accuracy/player"]).toBe(0.5);
});

test("what only some turns are about is averaged over those turns", () => {
  const seen = (name: string, ok: boolean) => {
    const field = { name, predicted: "a", truth: "b", ok };
    return turn(true, 0, { ...verdict("partial", ok, ok), fields: [field] });
  };
  const turns = [seen("sofa", true), seen("lamp", false), seen("lamp", true), seen("lamp", true)];
  expect(episodeMetrics([trajectory(turns, false, 4)], { maxReplyTokens: 8 })).toMatchObject({
    "grounding_accuracy/sofa": 1,
    "grounding_accuracy/lamp": 2 / 3,
  });
});

test("reward variance is that within the groups of one start", () => {
  const inGroup = (groupId: string, ...rewards: number[]) =>
    rewards.map((reward) => ({
      ...trajectory([turn(true, reward, verdict("match", true, true))], false, 4),
      groupId,
    }));
  const played = [...inGroup("a", 0, 1), ...inGroup("b", 1, 1, 1), ...inGroup("alone", 9)];
  // Variances 1/4 and 0; who is alone in a group is compared with nobody.
  expect(episodeMetrics(played, { maxReplyTokens: 8 })["custom_metrics/train/reward_variance"]).toBe(0.125);
  const validated = episodeMetrics(played, { split: "val", maxReplyTokens: 8 });
  expect(validated["custom_metrics/val/reward_variance"]).toBe(0.125);
});

test("validation metrics stand under val", () => {
  const names = Object.keys(episodeMetrics(batch, { split: "val", maxReplyTokens: 8 }));
  expect(names).toContain("val/success/lake");
  expect(names).toContain("val/grounding_accuracy/player");
  expect(names.every((name) => name.startsWith("val/"))).toBe(true);
});

test("an empty batch has no metrics", () => {
  expect(episodeMetrics([], { maxReplyTokens: 8 })).toEqual({});
});

test("explained variance is 1 for a perfect critic, and 0 for a constant one and without variance", () => {
  const returns = [1, 2, 3];
  expect(explainedVariance([1, 2, 3], returns)).toBe(1);
  expect(explainedVariance([7, 7, 7], returns)).toBeCloseTo(0, 4);
  expect(explainedVariance([3, 2, 1], returns)).toBeCloseTo(-3, 3);
  expect(explainedVariance([], [])).toBe(0);
  expect(explainedVariance([1], [1])).toBe(0);
});

test("a claim that the judge failed on is counted, and is neither right nor wrong", () => {
  const turns = (["match", "not_judged", "not_judged"] as const).map((status) =>
    turn(true, 0, verdict(status, status === "match", status === "match")),
  );
  const metrics = episodeMetrics([trajectory(turns, false, 4)], { maxReplyTokens: 8 });
  expect(metrics).toMatchObject({
    grounding_accuracy: 1,
    "grounding_accuracy/player": 1,
    "judge/not_judged": 2,
  });
  const failed = episodeMetrics([trajectory(turns.slice(1), false, 4)], { maxReplyTokens: 8 });
  expect(failed).not.toHaveProperty("grounding_accuracy");
});

test("what a claim invents has no metric of its own", () => {
  const invented = verdict("partial", false, true);
  invented.fields = [...invented.fields, { name: "piano", predicted: "here", truth: NOT_THERE, ok: false }];
  const metrics = episodeMetrics([trajectory([turn(true, 0, invented)], false, 4)], { maxReplyTokens: 8 });
  expect(metrics).toHaveProperty("grounding_accuracy/player");
  expect(metrics).not.toHaveProperty("grounding_accuracy/piano");
});

test("without a judge there is nothing to fail", () => {
  const quiet = trajectory([turn(true, 0, verdict("off", false, false))], false, 4);
  expect(episodeMetrics([quiet], { maxReplyTokens: 8 })).not.toHaveProperty("judge/not_judged");
});
