import { expect, test } from "vitest";
import type { GroundTruth } from "../core/types.ts";
import type { JudgeQuestion } from "./judge.ts";
import { noScore } from "./judge.ts";
import { cutNotice, readRecording, recordedJudge, recording, recordingLine, truthHash } from "./recording.ts";
import { judgeByRule, ruleJudge } from "./rule.ts";

const truth: GroundTruth = {
  rows: 4,
  cols: 4,
  player: [1, 0],
  entities: {
    goal: [[3, 3]],
    hole: [
      [0, 1],
      [2, 2],
    ],
  },
};
const ask = (text: string, state = truth): JudgeQuestion => ({
  claim: "observation",
  text,
  truth: state,
  names: ["player", "goal"],
});
const right = ask('player at row 1 col 0 ; goal at row 3 col 3, "they say"\n');
const wrong = ask("player at row 1 col 1 ; goal at row 3 col 3");

test("what was recorded is repeated word for word, and nothing else is judged", async () => {
  const lines: string[] = [];
  const live = await recording(ruleJudge, (line) => lines.push(line)).judge([right, wrong]);
  const judge = recordedJudge(readRecording(lines.join("\n"), "verdicts.jsonl"));
  const elsewhere = ask(right.text, { ...truth, player: [1, 1] });
  const later = { ...right, claim: "prediction" as const };
  const verdicts = await judge.judge([wrong, right, elsewhere, later, ask("something new")]);
  expect(verdicts.slice(0, 2)).toEqual([live[1], live[0]]);
  for (const verdict of verdicts.slice(2)) expect(verdict).toMatchObject({ status: "not_judged", score: 0 });
});

test("a state is known by what is where, not by the order in which it is written down", () => {
  const { goal, hole } = truth.entities as { goal: [number, number][]; hole: [number, number][] };
  expect(truthHash({ ...truth, entities: { hole: [...hole].reverse(), goal } })).toBe(truthHash(truth));
  expect(truthHash({ ...truth, entities: { goal: hole, hole: goal } })).not.toBe(truthHash(truth));
  expect(truthHash(truth)).toMatch(/^[0-9a-f]{16}$/);
});

test("states of a whole game have hashes of their own", () => {
  const hashes = new Set<string>();
  for (let a = 0; a < 64; a++)
    for (let b = 0; b < 64; b++)
      hashes.add(truthHash({ ...truth, player: [a >> 3, a & 7], entities: { goal: [[b >> 3, b & 7]] } }));
  expect(hashes.size).toBe(64 * 64);
});

test("failures are not recorded; the later of two verdicts holds", async () => {
  const failing = { ...ruleJudge, judge: async () => [noScore("not_judged", "llm", "status 500")] };
  const lines: string[] = [];
  await recording(failing, (line) => lines.push(line)).judge([right]);
  expect(lines).toEqual([]);
  const twice = [
    recordingLine(right, noScore("mismatch", "llm", "no")),
    recordingLine(right, judgeByRule(right)),
  ];
  expect(readRecording(twice.join("\n"), "f").find(right)).toEqual(judgeByRule(right));
});

test("lines that were cut off are left out and counted; any other that is no verdict is named", () => {
  const line = recordingLine(right, judgeByRule(right));
  const other = recordingLine(wrong, judgeByRule(wrong));
  const whole = readRecording(`${line}\n${other}\n`, "f");
  expect([whole.cut, cutNotice(whole, "f")]).toEqual([0, null]);
  for (const [text, size] of [
    [`${line}\n${other.slice(0, 40)}`, 1],
    [`${line}\n${other.slice(0, 3)}`, 1],
    // A run went on behind it; and one did so in the same line.
    [`${other.slice(0, 40)}\n${line}\n`, 1],
    [`${line}\n${other.slice(0, 40)}${other}\n${line}\n`, 1],
  ] as const) {
    const read = readRecording(text, "f");
    expect([read.size, read.cut], text).toEqual([size, 1]);
    expect(cutNotice(read, "f")).toBe(
      "f: 1 line that was cut off is left out; the claims have no verdict there.",
    );
  }
  for (const foreign of ['{"claim":"x"}', '{"update":1', "some words"])
    for (const end of [`\n${line}\n`, "\n", ""])
      expect(() => readRecording(`${line}\n\n${foreign}${end}`, "verdicts.jsonl")).toThrow(
        "Line 3 of verdicts.jsonl is no verdict.",
      );
});
