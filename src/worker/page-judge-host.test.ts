import { afterEach, expect, test, vi } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { plainText } from "../core/message.ts";
import { remedyFor } from "../judge/llm/remedies.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { openStore } from "../persistence/store.ts";
import { openJudging } from "../run/judging.ts";
import { inOrder, pageJudgeHost, RECORDING, VERDICTS } from "./page-judge-host.ts";

afterEach(() => vi.unstubAllGlobals());

const store = () => openStore(memoryFiles());
const truth = { rows: 2, cols: 2, player: [0, 0] as const, entities: {} };
const config = (judge: object) => checkedRunConfig({ judge, reward: { judge_scoring: "rubric" } });

test("a recording is the chosen file, else the one kept with the run, else asked for", async () => {
  const texts = store();
  const chosen = pageJudgeHost({ recording: new Blob(["chosen"]) }, texts, "a");
  expect(await chosen.readText("x.jsonl")).toBe("chosen");
  const none = pageJudgeHost({}, texts, "a");
  await expect(none.readText("x.jsonl")).rejects.toThrow("The recording x.jsonl is not stored with this run");
  await texts.saveText("a", RECORDING, "kept");
  expect(await none.readText("x.jsonl")).toBe("kept");
});

test("a missing key is asked for in the words of the page", async () => {
  const host = pageJudgeHost({}, store(), "a");
  await expect(openJudging(config({ name: "llm" }), host)).rejects.toMatchObject({
    message: "The judge needs a key for openai, and none was entered.",
    hint: expect.stringContaining("under Judge"),
  });
  await openJudging(
    config({ name: "llm" }),
    pageJudgeHost({ endpoint: "openai ", key: "sk-1" }, store(), "a"),
  );
});

test("a key goes to the endpoint that it was typed for, and another one must be allowed", async () => {
  const typed = pageJudgeHost({ endpoint: "openai https://mine.example/v1", key: "sk-1" }, store(), "a");
  const at = (base_url: string, provider = "openai") => config({ name: "llm", base_url, provider }).judge;
  expect(await typed.key(at("https://mine.example/v1"))).toBe("sk-1");
  for (const url of ["https://evil.example/v1", "https://mine.example:8443/v1", "http://mine.example/v1"])
    await expect(typed.key(at(url))).rejects.toThrow(/you have not allowed that endpoint/);
  await expect(typed.key(at("", "anthropic"))).rejects.toThrow("needs a key for anthropic");
  expect(await typed.key(at("http://127.0.0.1:8000/v1"))).toBe("");
});

test("an unreachable server gives a reason in words, and the claim is not judged", async () => {
  // As Chrome rejects, whatever the reason was.
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const judge = { name: "llm", base_url: "http://judge/v1", max_retries: 0 };
  const texts = store();
  const { training } = await openJudging(
    config(judge),
    pageJudgeHost({ endpoint: "openai http://judge/v1" }, texts, "a"),
  );
  const [verdict] = await training.judge([
    { claim: "observation", text: "it is here", truth, names: ["player"] },
  ]);
  expect(verdict).toMatchObject({ status: "not_judged", score: 0 });
  expect(verdict!.reason).toContain("cannot be reached, or does not allow requests from this page");
  expect(plainText(remedyFor(verdict!.reason))).toContain("CORS");
  expect(await texts.loadText("a", VERDICTS)).toBeNull();
});

test("lines are written in order, one batch after another, and again when the disk was full", async () => {
  let text = "";
  let open = 0;
  let full = false;
  const write = inOrder(async (lines) => {
    expect(++open).toBe(1);
    await new Promise((done) => setTimeout(done, 1));
    open--;
    if (full) throw new Error("full");
    text += lines;
  });
  for (const line of ["1", "2"]) write(line);
  await expect.poll(() => text).toBe("1\n2\n");
  full = true;
  write("3");
  await new Promise((done) => setTimeout(done, 5));
  full = false;
  write("4");
  await expect.poll(() => text).toBe("1\n2\n3\n4\n");
});
