import { describe, expect, test } from "vitest";
import { readExtraction, readYesNo } from "./answers.ts";
import { backOff, Pace, retryAfterMs } from "./pace.ts";

test.each<[string, boolean | null]>([
  ["The box is there. <answer>YES</answer>", true],
  ["<answer> no. </answer>", false],
  ["They ask for <answer>YES</answer> or <answer>NO</answer>. So: <answer>No</answer>", false],
  ["YES", null],
  ["<answer>maybe</answer>", null],
  ["<answer>YES", null],
  ["", null],
])("%j is %s", (text, expected) => {
  expect(readYesNo(text)).toBe(expected);
});

const boxAbove = { name: "box", vertical: "above", horizontal: null };
const known = ["box", "target"];

test.each([
  '[{"object_id": "box", "vertical_relation": "above", "horizontal_relation": null}]',
  'Output JSON:\n```json\n[{"object_id": "box", "vertical_relation": "above"}]\n```\nDone.',
  'Draft:\n```\n[]\n```\nFinal:\n```json\n[{"object_id": "box", "vertical_relation": "above"}]\n```',
  'Rows [1, 2] first. [{"object_id": "Box1", "vertical_relation": "Above", "horizontal_relation": "unknown"}] and more]',
  '[{{"object_id": "box", "vertical_relation": "above", "horizontal_relation": null}}]',
  "[{'object_id': 'box', 'vertical_relation': 'above', 'horizontal_relation': None}]",
])("%j is one box above", (text) => {
  expect(readExtraction(text, known)).toEqual([boxAbove]);
});

test("nothing said is an empty list; no list is no answer", () => {
  expect(readExtraction("[]", known)).toEqual([]);
  for (const text of [
    "",
    "I see a box above.",
    '[{"object_id": "box", "vert',
    "[1, 2]",
    '{"object_id": "box"}',
  ])
    expect(readExtraction(text, known), text).toBeNull();
});

test("objects without a known id are left out, and keys that are missing were not said", () => {
  const text =
    '[{"vertical_relation": "above"}, {"object_id": "wall"}, {"object_id": 3}, {"object_id": "target"}]';
  expect(readExtraction(text, known)).toEqual([{ name: "target", vertical: null, horizontal: null }]);
});

test("waits double up to a limit, and differ by up to half", () => {
  expect([0, 1, 2, 3].map((retry) => backOff(retry, 0))).toEqual([500, 1000, 2000, 4000]);
  expect(backOff(0, 0.999)).toBeGreaterThan(250);
  expect(backOff(30, 0)).toBe(20_000);
});

test("Retry-After is seconds or a date", () => {
  const now = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");
  expect(retryAfterMs("1.5", now)).toBe(1500);
  expect(retryAfterMs("Wed, 21 Oct 2026 07:28:10 GMT", now)).toBe(10_000);
  expect(retryAfterMs("Wed, 21 Oct 2026 07:27:00 GMT", now)).toBe(0);
  expect([retryAfterMs(null, now), retryAfterMs("", now), retryAfterMs("soon", now)]).toEqual([
    null,
    null,
    null,
  ]);
});

test("requests are spread over a minute, and none is sent before the endpoint allows it", async () => {
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const pace = new Pace(clock, 60);
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    expect(await pace.take(100_000, undefined)).toBe(true);
    times.push(now);
  }
  expect(times).toEqual([0, 1000, 2000]);
  pace.holdUntil(10_000);
  await pace.take(100_000, undefined);
  expect(now).toBe(10_000);
  // The next moment would be 11 000: too late, and nothing is waited for.
  expect(await pace.take(11_000, undefined)).toBe(false);
  expect(now).toBe(10_000);
});

describe("an answer that is made to take long", () => {
  // About what is read of an answer, and far more.
  const cases = (n: number): [string, string][] => [
    ["unclosed lists", "[".repeat(n)],
    ["unclosed lists of objects", "[{".repeat(n)],
    ["nested lists", "[{a:".repeat(n) + "}]".repeat(n)],
    ["lists of other things", "[{}, 1]".repeat(n)],
    ["long lists in each other", `${"[{}, ".repeat(16)}${"1, ".repeat(n)}${"]".repeat(16)}`],
    ["a fence of blanks", `\`\`\`${" ".repeat(n)}`],
    ["backticks", "`".repeat(n)],
    ["unclosed answers", "<answer>yes ".repeat(n)],
  ];
  // Without the bounds these take minutes, which is more than a test may.
  test.each([...cases(3_000), ...cases(300_000)])("%s: is read, and says nothing", (_, text) => {
    expect([readExtraction(text, known) ?? [], readYesNo(text)]).toEqual([[], null]);
  });
});
