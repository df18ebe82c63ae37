import { beforeEach, expect, test } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import { loadDraft, useDraft } from "./draft-store.ts";
import {
  accessFor,
  chooseRecording,
  judgeObstacle,
  setAllowed,
  setKey,
  useJudgeStore,
} from "./judge-store.ts";

const plain = inspectRunConfig({}).config!;
const judged = (judge: object) => ({ ...plain, judge: { ...plain.judge, ...judge } });
const model = judged({ name: "llm" });
const own = judged({ name: "llm", base_url: "http://localhost:8000/v1" });

beforeEach(() => useJudgeStore.setState(useJudgeStore.getInitialState(), true));

test("a key goes to the endpoint that it was typed for, and to no other", () => {
  setKey(model, " sk-1 ");
  expect(accessFor(model)).toEqual({ judge: { endpoint: "openai ", key: "sk-1" } });
  expect(accessFor(own)).toEqual({});
  expect(accessFor(judged({ name: "llm", provider: "anthropic" }))).toEqual({});
  expect(accessFor(plain)).toEqual({});
});

test("a provider's own endpoint waits for its key; one's own may want none", () => {
  expect(judgeObstacle(model)).toContain("needs a key");
  expect(judgeObstacle(own)).toBe("");
  setKey(model, "sk-1");
  expect(judgeObstacle(model)).toBe("");
});

test("another machine is called without a key only where that was allowed", () => {
  const other = judged({ name: "llm", base_url: "https://judge.example/v1" });
  expect(judgeObstacle(other)).toContain("https://judge.example/v1: type its key, or allow it without one");
  setAllowed(other, true);
  expect(judgeObstacle(other)).toBe("");
  expect(accessFor(other)).toEqual({ judge: { endpoint: "openai https://judge.example/v1" } });
  const third = judged({ name: "llm", base_url: "https://judge.example.evil.example/v1" });
  expect(judgeObstacle(third)).not.toBe("");
  expect(accessFor(third)).toEqual({});
  setKey(third, "sk-3");
  expect(judgeObstacle(third)).toBe("");
});

test("a recording is chosen in this visit, or kept with the run", () => {
  const recorded = judged({ name: "recorded", recording: "v.jsonl" });
  expect(judgeObstacle(recorded)).toContain("Choose the recording v.jsonl");
  expect(judgeObstacle(recorded, true)).toBe("");
  loadDraft(judged({ name: "recorded", recording: "other.jsonl" }), null);
  const file = new File(["{}"], "v.jsonl");
  chooseRecording(file);
  expect(useDraft.getState().draft?.judge.recording).toBe("v.jsonl");
  expect(useDraft.getState().problems).toEqual([]);
  expect(accessFor(recorded)).toEqual({ judge: { recording: file } });
  expect(judgeObstacle(recorded)).toBe("");
});
