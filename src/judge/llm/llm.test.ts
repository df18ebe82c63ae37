// The judge against a real server on this machine that behaves badly on purpose.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { plainText } from "../../core/message.ts";
import type { GroundTruth } from "../../core/types.ts";
import { platformPorts } from "../../run/judge-ports.ts";
import type { JudgeQuestion } from "../judge.ts";
import { type LlmSettings, llmJudge } from "./llm.ts";
import type { Ports } from "./ports.ts";
import { remedyFor } from "./remedies.ts";

interface Seen {
  url: string;
  headers: IncomingMessage["headers"];
  body: { messages?: { content: string }[]; contents?: { parts: { text: string }[] }[] };
  at: number;
}
type Reaction = (response: ServerResponse, request: Seen, nth: number) => void;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that reacts to its nth request by the nth reaction, and to all further ones by the last. */
async function misbehaving(...reactions: Reaction[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const received = {
      url: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(text),
      at: Date.now(),
    };
    const nth = seen.push(received) - 1;
    reactions[Math.min(nth, reactions.length - 1)]!(response, received, nth);
  });
  await new Promise<void>((ready) => server!.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

const send =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reaction =>
  (response) => {
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  };
const completion = (content: string) => ({
  choices: [{ message: { content } }],
  usage: { prompt_tokens: 200, completion_tokens: 10 },
});
const yes = send(200, completion("Right. <answer>YES</answer>"));

const truth: GroundTruth = {
  rows: 6,
  cols: 6,
  player: [3, 3],
  entities: { box: [[2, 3]], target: [[3, 1]] },
};
const ask = (text: string): JudgeQuestion => ({
  claim: "observation",
  text,
  truth,
  names: ["player", "box", "target"],
});
const one = [ask("The box is above me.")];
const KEY = "sk-secret-0123456789";

const settings: LlmSettings = {
  provider: "openai",
  base_url: "",
  model: "tiny",
  temperature: 0.1,
  max_tokens: 50,
  max_retries: 2,
  timeout: 5,
  batch_timeout: 10,
  concurrency: 4,
  requests_per_minute: 1e6,
  input_price: 1,
  output_price: 2,
  judge_scoring: "rubric",
};
/** Real requests; waits are noted, and take hardly any time. */
function quick(): { ports: Ports; waits: number[] } {
  const waits: number[] = [];
  const sleep = (ms: number, signal: Parameters<Ports["sleep"]>[1]) => {
    waits.push(ms);
    return platformPorts.sleep(Math.min(ms, 5), signal);
  };
  return { ports: { ...platformPorts, sleep, random: () => 0 }, waits };
}
const judgeAt = (url: string, changes: Partial<LlmSettings> = {}, ports = quick().ports) =>
  llmJudge({ ...settings, base_url: url, ...changes }, ports, KEY);

describe("a judge at an endpoint", () => {
  test("asks with the truth at hand and reads YES or NO", async () => {
    const { url, seen } = await misbehaving(yes, send(200, completion("No. <answer>NO</answer>")));
    const judge = judgeAt(url, { concurrency: 1 });
    const verdicts = await judge.judge([ask("The box is above me."), ask("The box is below me.")]);
    expect(verdicts).toMatchObject([
      { status: "match", score: 1, judge: "llm", reason: "Right. YES" },
      { status: "mismatch", score: 0 },
    ]);
    expect(seen[0]).toMatchObject({
      url: "/v1/chat/completions",
      headers: { authorization: `Bearer ${KEY}` },
    });
    const { content } = seen[0]!.body.messages![0]!;
    expect(content).toContain("box at row 2, column 3 (as seen from the player: above, same column)");
    expect(content).toContain("The box is above me.");
  });

  test("as a reader it is not shown the truth, and the F1 is taken by rule", async () => {
    const list = '[{"object_id": "box", "vertical_relation": "above", "horizontal_relation": "same"}]';
    const { url, seen } = await misbehaving(send(200, completion(`\`\`\`json\n${list}\n\`\`\``)));
    const [verdict] = await judgeAt(url, { judge_scoring: "exact_f1" }).judge(one);
    expect(verdict).toMatchObject({ status: "partial", score: 0.5, reason: "F1 target 0.00, box 1.00" });
    expect(seen[0]!.body.messages![0]!.content).not.toMatch(/row 2|column 3/);
  });

  test("asks about equal claims once, keeps the order, and counts what it costs", async () => {
    const { url, seen } = await misbehaving((response, { body }, nth) => {
      const isAbove = body.messages![0]!.content.includes("above me");
      setTimeout(
        () => send(200, completion(`<answer>${isAbove ? "YES" : "NO"}</answer>`))(response, seen[nth]!, nth),
        isAbove ? 30 : 0,
      );
    });
    const judge = judgeAt(url);
    const verdicts = await judge.judge([...one, ask("Nothing."), ...one]);
    expect(verdicts.map(({ score }) => score)).toEqual([1, 0, 1]);
    expect(seen).toHaveLength(2);
    // 2 · (200 · 1 + 10 · 2) / 10⁶ dollars.
    expect(judge.usage).toMatchObject({ requests: 2, retries: 0, inputTokens: 400, outputTokens: 20 });
    expect(judge.usage.cost).toBeCloseTo(440e-6, 12);
  });

  test("estimates tokens where the endpoint does not count", async () => {
    const { url } = await misbehaving(send(200, { choices: completion("<answer>YES</answer>").choices }));
    const judge = judgeAt(url);
    await judge.judge(one);
    expect(judge.usage.inputTokens).toBeGreaterThan(100);
    expect(judge.usage.outputTokens).toBe(5);
  });

  test("never has more requests under way than it may", async () => {
    const waiting: (() => void)[] = [];
    let [arrived, most] = [0, 0];
    const release = () => {
      for (const answer of waiting.splice(0)) answer();
    };
    // Answers once three requests wait, and after a moment in which a fourth would arrive.
    const { url } = await misbehaving((response, seen, nth) => {
      most = Math.max(
        most,
        waiting.push(() => yes(response, seen, nth)),
      );
      if (++arrived === 10 || waiting.length === 3) setTimeout(release, 15);
    });
    await judgeAt(url, { concurrency: 3 }).judge(Array.from({ length: 10 }, (_, i) => ask(`claim ${i}`)));
    expect(most).toBe(3);
  });

  test("spreads its requests", async () => {
    const { url, seen } = await misbehaving(yes);
    const judge = judgeAt(url, { requests_per_minute: 1200 }, platformPorts);
    const began = Date.now();
    await judge.judge(Array.from({ length: 4 }, (_, i) => ask(`claim ${i}`)));
    // 50 ms apart, 150 in all, from the beginning: on a busy machine the first arrives late. Timers may fire a millisecond early.
    expect(seen.at(-1)!.at - began).toBeGreaterThanOrEqual(145);
  });
});

describe("other endpoints", () => {
  test("Anthropic's", async () => {
    const { url, seen } = await misbehaving(
      send(200, {
        content: [{ type: "text", text: "<answer>YES</answer>" }],
        usage: { input_tokens: 100, output_tokens: 5 },
      }),
    );
    const judge = judgeAt(url.replace("/v1", ""), { provider: "anthropic" });
    expect(await judge.judge(one)).toMatchObject([{ score: 1 }]);
    expect(seen[0]).toMatchObject({
      url: "/v1/messages",
      headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01" },
      body: { model: "tiny", max_tokens: 50 },
    });
    expect(judge.usage).toMatchObject({ inputTokens: 100, outputTokens: 5 });
  });

  test("Gemini's", async () => {
    const { url, seen } = await misbehaving(
      send(200, {
        candidates: [{ content: { parts: [{ text: "<answer>" }, { text: "NO</answer>" }] } }],
        usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 4 },
      }),
    );
    const judge = judgeAt(url.replace("/v1", ""), { provider: "gemini" });
    expect(await judge.judge(one)).toMatchObject([{ status: "mismatch" }]);
    expect(seen[0]).toMatchObject({
      url: "/v1beta/models/tiny:generateContent",
      headers: { "x-goog-api-key": KEY },
    });
    expect(seen[0]!.body.contents![0]!.parts[0]!.text).toContain("The box is above me.");
    expect(judge.usage).toMatchObject({ inputTokens: 90, outputTokens: 4 });
  });

  test("one that wants no key gets none", async () => {
    const { url, seen } = await misbehaving(yes);
    await llmJudge({ ...settings, base_url: url }, platformPorts, "").judge(one);
    expect(seen[0]!.headers.authorization).toBeUndefined();
  });
});

describe("an endpoint that rejects max_tokens", () => {
  const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
  /** Accepts one name of the length only. */
  const only =
    (name: string): Reaction =>
    (response, request, nth) =>
      (name in request.body ? yes : send(400, { error: { message } }))(response, request, nth);
  const namesIn = (seen: readonly Seen[]) =>
    seen.map(({ body }) => Object.keys(body).filter((name) => /^max_.*tokens$/.test(name)));

  test("gets max_completion_tokens from then on", async () => {
    const { url, seen } = await misbehaving(only("max_completion_tokens"));
    const judge = judgeAt(url, { concurrency: 1, max_retries: 0 });
    expect(await judge.judge([...one, ask("two")])).toMatchObject([{ score: 1 }, { score: 1 }]);
    expect(namesIn(seen)).toEqual([["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]);
    expect(seen[1]!.body).toMatchObject({ max_completion_tokens: settings.max_tokens });
    expect(judge.usage).toMatchObject({ requests: 3, retries: 0 });
  });

  test("answers every claim of a batch that was sent at once", async () => {
    const { url } = await misbehaving(only("max_completion_tokens"));
    const verdicts = await judgeAt(url, { concurrency: 4 }).judge(["a", "b", "c", "d"].map(ask));
    expect(verdicts.map(({ score }) => score)).toEqual([1, 1, 1, 1]);
  });

  test("is asked once under each name", async () => {
    const { url, seen } = await misbehaving(only("max_words"));
    expect(await judgeAt(url).judge(one)).toMatchObject([{ status: "not_judged" }]);
    expect(namesIn(seen)).toEqual([["max_tokens"], ["max_completion_tokens"]]);
  });
});

describe("an endpoint that behaves badly", () => {
  const cut: Reaction = (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"choices": [{"mess');
    setTimeout(() => response.destroy(), 10);
  };
  const reset: Reaction = (response) => response.socket!.resetAndDestroy();

  test.each<[string, Reaction]>([
    ["429 without Retry-After", send(429, { error: { message: "slow down" } })],
    ["409", send(409, { error: { message: "conflict" } })],
    ["500", send(500, "Internal Server Error")],
    ["503 with a page", send(503, "<html>busy</html>")],
    ["truncated JSON", send(200, '{"choices": [{"mess')],
    ["a body that breaks off", cut],
    ["another form", send(200, { choices: [] })],
    ["a content that is null", send(200, { choices: [{ message: { content: null } }] })],
    ["a reset connection", reset],
  ])("%s: is asked again, and then judges", async (_, misbehave) => {
    const { url, seen } = await misbehaving(misbehave, misbehave, yes);
    const { ports, waits } = quick();
    const judge = judgeAt(url, {}, ports);
    expect(await judge.judge(one)).toMatchObject([{ status: "match", score: 1 }]);
    expect(seen).toHaveLength(3);
    expect(waits).toEqual([500, 1000]);
    expect(judge.usage).toMatchObject({ requests: 3, retries: 2 });
  });

  test.each<[string, Reaction, RegExp]>([
    ["429", send(429, { error: { message: "slow down" } }), /status 429: slow down/],
    ["500", send(500, ""), /status 500/],
    ["truncated JSON", send(200, '{"choices": ['), /the reply is no JSON/],
    ["another form", send(200, { answer: 42 }), /the reply has an unexpected form/],
    ["a reset connection", reset, /no reply: (ECONNRESET|UND_ERR_SOCKET|other side closed)/],
    ["an answer that is none", send(200, completion("I cannot tell.")), /neither YES nor NO/],
  ])(
    "%s every time: the claim is not judged, and the verdict has the reason",
    async (_, misbehave, reason) => {
      const { url } = await misbehaving(misbehave);
      const [verdict] = await judgeAt(url).judge(one);
      expect(verdict).toMatchObject({ status: "not_judged", score: 0 });
      expect(verdict!.reason).toMatch(reason);
    },
  );

  test("a reply without end is given up", async () => {
    let sent = 0;
    const endless: Reaction = (response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(2 ** 16))) sent += 2 ** 16;
        sent += 2 ** 16;
      };
      response.writeHead(200).on("drain", more);
      more();
    };
    const { url } = await misbehaving(endless);
    const [verdict] = await judgeAt(url, { max_retries: 0 }).judge(one);
    expect(verdict!.reason).toBe("Not judged: no reply: it is longer than 4 MiB.");
    expect(plainText(remedyFor(verdict!.reason))).toContain("judge.base_url");
    expect(sent).toBeLessThan(2 ** 24);
  });

  test("what a reply without words has cost is counted, once for each reply", async () => {
    const silent = { choices: [{ message: { content: null } }], usage: completion("").usage };
    const { url } = await misbehaving(send(200, silent), yes);
    const judge = judgeAt(url);
    expect(await judge.judge(one)).toMatchObject([{ score: 1 }]);
    // 2 · (200 · 1 + 10 · 2) / 10⁶ dollars.
    expect(judge.usage).toMatchObject({ requests: 2, retries: 1, inputTokens: 400, outputTokens: 20 });
    expect(judge.usage.cost).toBeCloseTo(440e-6, 12);
  });

  test("a retry that there is no time for is none", async () => {
    const { url } = await misbehaving(send(500, ""));
    const judge = judgeAt(url, { batch_timeout: 0.3 });
    await judge.judge(one);
    expect(judge.usage).toMatchObject({ requests: 1, retries: 0 });
  });

  test("a wrong key is not tried twice, and is not repeated in the reason", async () => {
    const { url, seen } = await misbehaving(send(401, { error: { message: `Bad key ${KEY}.` } }));
    const [verdict] = await judgeAt(url).judge(one);
    expect(seen).toHaveLength(1);
    expect(verdict).toMatchObject({
      status: "not_judged",
      reason: "Not judged: status 401: Bad key (key)..",
    });
    expect(JSON.stringify(verdict)).not.toContain("secret");
  });

  test.each<[string, Reaction]>([
    [
      "where the reason is cut",
      send(401, { error: { message: `${"Authentication failed. ".repeat(8)}${KEY}` } }),
    ],
    ["cut off by the endpoint", send(401, { error: `Bad key ${KEY.slice(0, 12)}…` })],
    ["in Base64", send(401, { error: { message: `Basic ${Buffer.from(`me:${KEY}`).toString("base64")}` } })],
    ["in an answer", send(200, completion(`You sent ${KEY}. <answer>NO</answer>`))],
    ["in an answer that is none", send(200, completion(`You sent ${KEY}.`))],
    ["in a redirect", send(302, "", { location: `http://${KEY}.example/?${KEY}` })],
  ])("a key that it quotes %s is in no verdict", async (_, misbehave) => {
    const { url } = await misbehaving(misbehave);
    const [verdict] = await judgeAt(url).judge(one);
    for (let i = 0; i + 8 <= KEY.length; i++) expect(verdict!.reason).not.toContain(KEY.slice(i, i + 8));
    expect(verdict!.reason).not.toContain(Buffer.from(KEY).toString("base64").slice(4, 12));
  });

  test.each([301, 302, 303, 307, 308])(
    "a redirect (%i) is not followed, within its origin or to another",
    async (status) => {
      const elsewhere: IncomingMessage["headers"][] = [];
      const other = createServer((request, response) => {
        elsewhere.push(request.headers);
        response.end();
      });
      await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
      const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      try {
        for (const provider of ["openai", "anthropic", "gemini"]) {
          const { url, seen } = await misbehaving(send(status, "", { location: `${origin}/v1?x=1` }));
          const [verdict] = await judgeAt(url, { provider }).judge(one);
          expect(verdict!.reason).toBe(
            `Not judged: the endpoint redirects to ${origin}, and redirects are not followed.`,
          );
          expect(plainText(remedyFor(verdict!.reason))).toContain("as judge.base_url, if you trust it");
          expect(seen).toHaveLength(1);
          server!.close();
        }
      } finally {
        other.close();
      }
      expect(elsewhere).toEqual([]);
      const { url, seen } = await misbehaving(send(status, "", { location: "/v2" }));
      await judgeAt(url).judge(one);
      expect(seen).toHaveLength(1);
    },
  );

  test("Retry-After is honoured, by everyone", async () => {
    const { url, seen } = await misbehaving(send(429, "", { "retry-after": "0.3" }), yes);
    const judge = judgeAt(url, { concurrency: 1 }, { ...platformPorts, random: () => 0.999 });
    expect(await judge.judge([...one, ask("two")])).toMatchObject([{ score: 1 }, { score: 1 }]);
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(295);
  });

  test("a Retry-After beyond the batch's time is not waited for", async () => {
    const { url } = await misbehaving(send(429, "", { "retry-after": "3600" }));
    const verdicts = await judgeAt(url, { concurrency: 1 }).judge([...one, ask("two")]);
    expect(verdicts.map(({ status }) => status)).toEqual(["not_judged", "not_judged"]);
    for (const { reason } of verdicts) {
      expect(reason).toContain("the endpoint rejects requests for 3600 s (Retry-After)");
      expect(plainText(remedyFor(reason))).toMatch(/^The endpoint rejects requests for now/);
    }
  });

  test("a Retry-After of a day silences no batch but its own", async () => {
    const { url } = await misbehaving(send(429, "", { "retry-after": "86400" }), yes);
    const judge = judgeAt(url, { batch_timeout: 0.5 }, platformPorts);
    expect(await judge.judge(one)).toMatchObject([{ status: "not_judged" }]);
    expect(await judge.judge(one)).toMatchObject([{ status: "match" }]);
  });

  test("a reply that does not come in time is no reply", async () => {
    const { url, seen } = await misbehaving(() => {});
    const [verdict] = await judgeAt(url, { timeout: 0.05, max_retries: 1 }).judge(one);
    expect(verdict).toMatchObject({
      status: "not_judged",
      reason: "Not judged: no reply: nothing within 50 ms.",
    });
    // On a busy machine a request arrives after it was given up.
    await vi.waitFor(() => expect(seen).toHaveLength(2));
  });

  test("what a slow endpoint leaves open at the end of the batch's time is not judged; the rest is", async () => {
    const { url } = await misbehaving((response, seen, nth) => {
      setTimeout(() => yes(response, seen, nth), 60);
    });
    const verdicts = await judgeAt(url, { concurrency: 1, batch_timeout: 0.2 }).judge(
      Array.from({ length: 12 }, (_, i) => ask(`claim ${i}`)),
    );
    const statuses = verdicts.map(({ status }) => status);
    expect(statuses[0]).toBe("match");
    expect(statuses.at(-1)).toBe("not_judged");
  });

  test("no server at all", async () => {
    const { url } = await misbehaving(yes);
    await new Promise((closed) => server!.close(closed));
    const [verdict] = await judgeAt(url).judge(one);
    expect(verdict!.reason).toMatch(/no reply: ECONNREFUSED/);
  });
});

describe("cancelling", () => {
  test("ends a request that is under way with the signal's reason", async () => {
    const { url } = await misbehaving(() => {});
    const controller = new AbortController();
    const judged = judgeAt(url).judge(one, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(judged).rejects.toThrow("enough");
  });

  test("ends a wait, too, and asks nothing more", async () => {
    const { url, seen } = await misbehaving(send(500, ""));
    const controller = new AbortController();
    const judged = judgeAt(url, {}, { ...platformPorts, random: () => 0 }).judge(one, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(judged).rejects.toThrow("enough");
    expect(seen).toHaveLength(1);
  });
});
