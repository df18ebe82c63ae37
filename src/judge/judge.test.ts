import { expect, test } from "vitest";
import type { Turn } from "../core/types.ts";
import { judgeTurns } from "./judge.ts";
import { ruleJudge } from "./rule.ts";

const names = { observation: ["player", "goal"], prediction: ["player"] };
const state = (row: number) => ({
  rows: 4,
  cols: 4,
  player: [row, 0] as const,
  entities: { goal: [[3, 3]] as const },
});

/** A turn whose claims are right by default. */
function turn(parsed: Partial<Turn["parsed"]> = {}, actionIsValid = true): Turn {
  return {
    index: 0,
    observation: { text: "", images: [] },
    reply: "",
    parsed: {
      formatOk: true,
      reason: "",
      observation: "player at row 0 col 0 ; goal at row 3 col 3",
      reasoning: "",
      prediction: "player at row 1 col 0",
      answer: "Down",
      actions: ["Down"],
      droppedActions: [],
      sections: [],
      ...parsed,
    },
    executed: [],
    verdicts: {},
    taskReward: 0,
    rewards: {},
    reward: 0,
    before: state(0),
    after: state(1),
    actionIsEffective: true,
    actionIsValid,
  };
}

test("observations are compared with the state before, predictions with the state after", async () => {
  const [verdicts] = await judgeTurns(ruleJudge, [turn()], names);
  expect(verdicts).toMatchObject({ observation: { status: "match" }, prediction: { status: "match" } });
  const [swapped] = await judgeTurns(ruleJudge, [turn({ prediction: "player at row 0 col 0" })], names);
  expect(swapped.prediction.status).toBe("mismatch");
});

test("malformed and invalid turns are not judged, and the others keep their place", async () => {
  const turns = [turn({ formatOk: false, reason: "missing <think>" }), turn(), turn({}, false)];
  const verdicts = await judgeTurns(ruleJudge, turns, names);
  expect(verdicts.map(({ prediction }) => prediction.status)).toEqual(["format", "match", "format"]);
  expect(verdicts[0].observation.reason).toBe("Not judged: missing <think>.");
});

test("claims that the format does not have get no verdict", async () => {
  const verdicts = await judgeTurns(ruleJudge, [turn(), turn({ formatOk: false })], {
    observation: ["player"],
    prediction: [],
  });
  expect(verdicts.map((record) => Object.keys(record))).toEqual([["observation"], ["observation"]]);
});
