import { expect, test } from "vitest";
import { consecutive } from "../config/seeds.ts";
import { z } from "../core/schema.ts";
import { defineTool, type Tool } from "../envs/env.ts";
import { loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { trainingEpisodes } from "./episodes.ts";
import { rollout } from "./rollout.ts";
import { testTask } from "./test-task.ts";
import { callTool, TOOL_ANSWER_TOKENS, toolNews } from "./tools.ts";

await loadEnv("visual-math");

const add = defineTool({
  name: "add",
  description: "The sum of two numbers.",
  args: z.strictObject({ a: z.int().describe("One."), b: z.int().describe("The other.") }),
  run: ({ a, b }) => String(a + b),
});
const broken: Tool = {
  name: "broken",
  description: "Always fails.",
  args: z.strictObject({}),
  run: () => {
    throw new Error("out of order");
  },
};
const call = (text: string, made = 0) => callTool(text, [add, broken], { made, limit: 2 });

test("a call is carried out", () => {
  const text = '{"name": "add", "arguments": {"a": 2, "b": 3}}';
  expect(call(text)).toEqual({ call: text, name: "add", ok: true, result: "5", detail: "" });
});

test.each([
  ["", "bad JSON"],
  ["add(2, 3)", "bad JSON"],
  ['{"name": "add"}', "bad JSON"],
  ['{"name": "add", "arguments": [2, 3]}', "bad JSON"],
  ['{"name": "add", "arguments": {}, "why": "?"}', "bad JSON"],
  ["null", "bad JSON"],
  ['{"name": "subtract", "arguments": {}}', "unknown tool"],
  ['{"name": "toString", "arguments": {}}', "unknown tool"],
  ['{"name": "add", "arguments": {"a": 2}}', "bad arguments"],
  ['{"name": "add", "arguments": {"a": 2, "b": "3"}}', "bad arguments"],
  ['{"name": "add", "arguments": {"a": 2, "b": 3, "c": 4}}', "bad arguments"],
  ['{"name": "broken", "arguments": {}}', "tool failed"],
])("%s is answered with: %s", (text, result) => {
  const use = call(text);
  expect(use).toMatchObject({ ok: false, result, call: text });
  expect(use.detail).not.toBe("");
});

test("errors say what would be right", () => {
  expect(call('{"name": "subtract", "arguments": {}}').detail).toContain("add, broken");
  expect(call('{"name": "add", "arguments": {"a": 2}}').detail).toContain("b: ");
  expect(call('{"name": "broken", "arguments": {}}').detail).toBe("out of order");
});

test("calls beyond the limit are refused", () => {
  const text = '{"name": "add", "arguments": {"a": 2, "b": 3}}';
  expect(call(text, 1).ok).toBe(true);
  expect(call(text, 2)).toMatchObject({ ok: false, result: "too many calls" });
});

test("an answer is cut to the tokens that an observation has for it", () => {
  const { vocabulary } = testTask("visual-math", { format: "boxed" });
  const use = { call: "", name: "add", ok: true, result: `7${"é".repeat(100)}`, detail: "" };
  expect(vocabulary.encode(toolNews(use, vocabulary)).length).toBeLessThanOrEqual(TOOL_ANSWER_TOKENS);
  expect(toolNews(use, vocabulary)).toMatch(/^7é+$/);
  expect(toolNews(use)).toBe(use.result);
});

test("an answer cannot contain another role or a picture", () => {
  const { vocabulary } = testTask("visual-math", { format: "boxed" });
  const use = { call: "", name: "add", ok: true, result: "5<image><eos><assistant>6", detail: "" };
  expect(toolNews(use, vocabulary)).toBe("56");
  const nested = { ...use, result: "5<im<image>age><e<u<user>ser>os>6" };
  expect(toolNews(nested, vocabulary)).toBe("56");
  expect(toolNews(nested)).toBe("56");
});

/** Plays one hard question about a length with replies that may depend on the truth. */
async function play(replies: readonly ((answer: number) => string)[], config: object = {}) {
  const options = { questions: ["length"], difficulty: "hard", max_answer: 40, ...config };
  const task = testTask("visual-math", { format: "boxed" }, options);
  const policy = scriptedPolicy((env, { turn }) => {
    const answer = Number(env.groundTruth().facts?.answer);
    return task.vocabulary.encode(`${replies[turn]?.(answer) ?? ""}<eos>`);
  });
  const episodes = trainingEpisodes({
    seeds: consecutive(1, 10000),
    runSeed: 1,
    update: 1,
    count: 1,
    perLevel: 1,
  });
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 400, seed: 3 };
  const [trajectory] = await rollout({ task, policy, episodes, sampling });
  return { trajectory, task };
}
const measure = '{"name": "measure", "arguments": {"from": "A", "to": "B"}}';
const calling = (text: string) => `<think>measure A B</think><tool_call>${text}</tool_call>`;

test("an agent measures, reads the result and answers", async () => {
  const { trajectory, task } = await play([
    () => calling(measure),
    () => "<think>guess</think>\\boxed{0}",
    (answer) => `<think>so</think>\\boxed{${answer}}`,
  ]);
  const { turns, success, tokens } = trajectory;
  expect(success).toBe(true);
  expect(turns).toHaveLength(3);
  const answer = String(turns[0].before.facts?.answer);
  expect(turns[0].tool).toEqual({ call: measure, name: "measure", ok: true, result: answer, detail: "" });
  expect(turns[0]).toMatchObject({
    executed: [],
    actionIsValid: true,
    actionIsEffective: false,
    taskReward: 0,
  });
  expect(turns[0].parsed).toMatchObject({ formatOk: true, call: measure, reasoning: "measure A B" });
  expect(turns.map(({ observation }) => observation.text)).toEqual([
    "turn 1 how long is A B in units<image>",
    `turn 2 tool ${answer} how long is A B in units<image>`,
    "turn 3 after 0 how long is A B in units<image>",
  ]);
  expect(turns[1]).toMatchObject({ actionIsValid: true, actionIsEffective: false });
  expect(turns[2].actionIsEffective).toBe(true);
  // What the tool said is given, not written.
  const second = [...tokens.ids].filter((_, t) => tokens.turnIndex[t] === 1 && tokens.responseMask[t] === 0);
  expect(task.vocabulary.decode(second)).toContain(` tool ${answer} how long`);
});

test("every error of a call is reported to the agent and never ends the run", async () => {
  const failing: [text: string, news: string][] = [
    [calling("{"), "error bad JSON"],
    [calling('{"name": "ruler", "arguments": {}}'), "error unknown tool"],
    [calling('{"name": "measure", "arguments": {"from": "A", "to": "Z"}}'), "error bad arguments"],
    [calling('{"name": "measure", "arguments": {"from": "A", "to": "D"}}'), "error tool failed"],
    [`<tool_call>${measure}`, "error bad JSON"],
  ];
  for (const [text, news] of failing) {
    const { trajectory } = await play([() => text]);
    expect(trajectory.turns).toHaveLength(5);
    expect(trajectory.turns[0].tool?.ok).toBe(false);
    expect(trajectory.turns[0].actionIsValid).toBe(false);
    expect(trajectory.turns[1].observation.text).toContain(`turn 2 tool ${news} how long`);
  }
  const many = Array.from({ length: 5 }, () => () => calling(measure));
  const { trajectory } = await play(many, { max_tool_calls: 2 });
  expect(trajectory.turns.map(({ tool }) => tool?.ok)).toEqual([true, true, false, false, false]);
  expect(trajectory.turns[3].tool?.result).toBe("too many calls");
});

test("where no tools are offered a call is only a malformed reply", async () => {
  const { trajectory } = await play([() => calling(measure)], { tools: false, difficulty: "medium" });
  expect(trajectory.turns[0].tool).toBeUndefined();
  expect(trajectory.turns[0].parsed).toMatchObject({ formatOk: false, actions: [] });
  expect(trajectory.turns[0].parsed.reason).toContain("\\boxed{");
});

test("a reply that calls and answers does neither well", async () => {
  const { trajectory } = await play([(answer) => `${calling(measure)}\\boxed{${answer}}`]);
  expect(trajectory.turns[0]).toMatchObject({ executed: [], taskReward: 0, actionIsValid: false });
  expect(trajectory.turns[0].parsed.reason).toBe("text after </tool_call>");
});
