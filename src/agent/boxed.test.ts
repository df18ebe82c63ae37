import { expect, test } from "vitest";
import { boxedSections, formatProblem, readBoxed } from "./boxed.ts";
import golden from "./golden/areal-boxed.json" with { type: "json" };

test.each([
  ["<think>t</think>\\boxed{4}", 1],
  ["<think>a\nb</think> so \n\\boxed{4} and more<eos>", 1],
  ["<think></think>\\boxed{}", 1],
  // From the first character on, and in this order.
  [" <think>t</think>\\boxed{4}", 0],
  ["so <think>t</think>\\boxed{4}", 0],
  ["<think>\\boxed{4}</think>", 0],
  ["<think>t\\boxed{4}", 0],
  ["<think>t</think>4", 0],
  ["<think>t</think>\\boxed{4", 0],
  ["\\boxed{4}", 0],
  ["", 0],
  // A later thought may close the one that the box follows.
  ["<think>a</think>\\boxed{1}<think>b</think>\\boxed{2}", 1],
])("%j has the form: %i", (text, reward) => {
  expect(Number(formatProblem(text) === "")).toBe(reward);
  // The rule as a regular expression, as the reference has it.
  expect(Number(/^<think>.*<\/think>.*\\boxed\{.*\}.*$/s.test(text))).toBe(reward);
});

test.each([
  ["\\boxed{4}", "4"],
  ["\\boxed{1} no, \\boxed{2}", "2"],
  ["\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"],
  ["\\boxed{ {a} {b} } }", "{a} {b}"],
  ["\\boxed{1} \\boxed{2", ""],
  ["\\boxed{\\text{4}", ""],
  ["\\boxed 4", ""],
  ["", ""],
  ["it is \\boxed{5}", "5"],
])("the answer of %j is what the last box holds, %j", (text, answer) => {
  expect(readBoxed(text).answer).toBe(answer);
});

test("says what is wrong", () => {
  expect(formatProblem(" \n")).toBe("the reply is empty");
  expect(formatProblem("4")).toBe("the reply does not begin with <think>");
  expect(formatProblem("<think>4")).toBe("missing </think>");
  expect(formatProblem("<think></think>4")).toBe("missing \\boxed{ after </think>");
  expect(formatProblem("<think></think>\\boxed{4")).toBe("missing }");
});

test.each([
  "<think>t</think>\\boxed{4}",
  "<think>t</think> so \\boxed{4} done",
  "<think>\\boxed{4}</think>",
  "x \\boxed{4}",
  "<think>t",
  "",
])("sections cover %j without gaps", (text) => {
  const spans = boxedSections(text);
  expect(spans.map(({ from, to }) => text.slice(from, to)).join("")).toBe(text);
  for (const { kind, from, to } of spans) if (kind === "answer") expect(text.slice(from, to)).toBe("4");
});

test("a long malformed reply is read in linear time", () => {
  // Quadratic time would be more than a test may take.
  const text = `<think>${"</think>\\boxed{".repeat(500_000)}`;
  expect([formatProblem(text), readBoxed(text).answer]).toEqual(["missing }", ""]);
});

test("AReaL's replies have the same form and answer as there", () => {
  expect(golden.cases).toHaveLength(300);
  for (const [reply, form, answer] of golden.cases as [string, boolean, string | null][]) {
    expect([reply, formatProblem(reply) === ""]).toEqual([reply, form]);
    // Without a box the studio reads no answer.
    expect([reply, readBoxed(reply).answer]).toEqual([reply, answer ?? ""]);
  }
});
