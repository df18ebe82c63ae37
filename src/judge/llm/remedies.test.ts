import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
import { platformPorts } from "../../run/judge-ports.ts";
import { type LlmSettings, llmJudge } from "./llm.ts";
import type { Ports } from "./ports.ts";
import { remedyFor } from "./remedies.ts";

const settings: LlmSettings = {
  provider: "openai",
  base_url: "http://judge/v1",
  model: "m",
  temperature: 0,
  max_tokens: 10,
  max_retries: 0,
  timeout: 1,
  batch_timeout: 5,
  requests_per_minute: 1000,
  input_price: 0,
  output_price: 0,
  judge_scoring: "rubric",
  concurrency: 1,
};
const truth = { rows: 2, cols: 2, player: [0, 0] as const, entities: {} };

/** The reason of the verdict of a judge whose endpoint behaves like this. */
async function reasonOf(post: Ports["post"]): Promise<string> {
  const judge = llmJudge(settings, { ...platformPorts, post }, "sk-0123456789");
  const [verdict] = await judge.judge([{ claim: "observation", text: "here", truth, names: ["player"] }]);
  expect(verdict!.status).toBe("not_judged");
  return verdict!.reason;
}

const replies = (status: number, body: string): Ports["post"] => {
  return async () => ({ status, header: () => null, body });
};
const says = (content: string) => replies(200, JSON.stringify({ choices: [{ message: { content } }] }));
const fails = (message: string): Ports["post"] => {
  return async () => {
    throw new Error(message);
  };
};

test.each<[string, Ports["post"], RegExp]>([
  ["a temperature that the model does not have", replies(400, "{}"), /judge\.temperature.*but 1/],
  ["a wrong key", replies(401, '{"error":{"message":"Incorrect API key"}}'), /key/],
  ["a wrong model", replies(404, "{}"), /judge\.model/],
  ["too many requests", replies(429, "{}"), /requests_per_minute/],
  ["a broken server", replies(503, "{}"), /in trouble/],
  ["a slow server", fails("nothing within 1000 ms"), /judge\.timeout/],
  ["no server, or one that refuses pages", fails("it does not allow requests from this page"), /CORS/],
  ["no server for the command line", fails("ECONNREFUSED"), /judge\.base_url/],
  ["a talkative model", says("Well, that depends."), /in the required form/],
  ["a server of another kind", replies(200, "<html>"), /in the required form/],
])("%s has a remedy of its own", async (_, post, remedy) => {
  expect(plainText(remedyFor(await reasonOf(post)))).toMatch(remedy);
});

test("an unknown reason still has advice", () => {
  expect(plainText(remedyFor("Not judged: who knows."))).toContain("judge");
});
