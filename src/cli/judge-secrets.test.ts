// Hostile configurations against a real server of this machine, through the command line.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { judgeCases } from "../judge/cases.ts";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

const SECRET = "top-secret-value-0123456789";
const KEY = "sk-judge-0123456789abcdef";
const folder = mkdtempSync(join(tmpdir(), "secrets-"));

let server: Server;
let seen: IncomingHttpHeaders[] = [];
let origin = "";
beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push(request.headers);
    const choices = [{ message: { content: `<answer>YES</answer> ${JSON.stringify(request.headers)}` } }];
    request.resume().on("end", () => response.end(JSON.stringify({ choices })));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET);
  vi.stubEnv("JUDGE_API_KEY", KEY);
  vi.stubEnv("VAGEN_JUDGE_URLS", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

/** Measures the judge of a file that names this server. */
async function measured(variable: string, ...options: string[]) {
  const file = join(folder, "judge.yaml");
  const judge = {
    name: "llm",
    base_url: `${origin}/v1`,
    api_key_env: variable,
    requests_per_minute: 1e5,
    max_retries: 0,
  };
  writeFileSync(file, JSON.stringify({ judge, reward: { judge_scoring: "rubric" } }));
  const io = testIo();
  const code = await main(["judge", "--measure", "--config", file, ...options], io);
  return { code, ...io.written };
}

test("a file that names another variable gets nothing", async () => {
  const { code, err } = await measured("AWS_SECRET_ACCESS_KEY");
  expect([code, seen]).toEqual([1, []]);
  expect(err).toContain('judge.api_key_env is "AWS_SECRET_ACCESS_KEY"');
  expect(err).toContain("--judge-key-env AWS_SECRET_ACCESS_KEY");
});

test("a file that names an endpoint gets no key, not even on this machine", async () => {
  const { code, err } = await measured("JUDGE_API_KEY");
  expect([code, seen]).toEqual([1, []]);
  expect(err).toContain(`--judge-url ${origin}`);
});

test("an endpoint on this machine is asked without a key", async () => {
  const { code } = await measured("VAGEN_KEY_NOT_SET");
  expect([code, seen.length]).toEqual([0, judgeCases.length]);
  expect(JSON.stringify(seen)).not.toMatch(/authorization|top-secret|sk-judge/);
});

test.each<[string, string, () => string[], string]>([
  ["--judge-url", "JUDGE_API_KEY", () => ["--judge-url", origin], KEY],
  ["--set judge.base_url", "JUDGE_API_KEY", () => ["--set", `judge.base_url=${origin}/v1`], KEY],
  [
    "--judge-key-env",
    "JUDGE_API_KEY",
    () => ["--judge-url", `${origin}/v1`, "--judge-key-env", "AWS_SECRET_ACCESS_KEY"],
    SECRET,
  ],
  [
    "--set judge.api_key_env",
    "JUDGE_API_KEY",
    () => ["--judge-url", origin, "--set", "judge.api_key_env=AWS_SECRET_ACCESS_KEY"],
    SECRET,
  ],
])("%s gives the key, which is in no output", async (_, variable, options, key) => {
  const out = join(folder, "verdicts.jsonl");
  const result = await measured(variable, ...options(), "--json", "--out", out);
  expect([result.code, seen.length]).toEqual([0, judgeCases.length]);
  for (const headers of seen) expect(headers.authorization).toBe(`Bearer ${key}`);
  expect(JSON.stringify([result.out, result.err])).not.toContain(key.slice(3, 12));
  // The endpoint quotes the key in every answer.
  expect(readFileSync(out, "utf8")).toMatch(/Bearer \(key\)/);
  expect(readFileSync(out, "utf8")).not.toContain(key.slice(3, 12));
});

test("VAGEN_JUDGE_URLS gives the key, by origin", async () => {
  vi.stubEnv("VAGEN_JUDGE_URLS", `https://lab.example/v1, ${origin}`);
  expect((await measured("JUDGE_API_KEY")).code).toBe(0);
  vi.stubEnv("VAGEN_JUDGE_URLS", origin.replace(/:\d+$/, ":1"));
  expect((await measured("JUDGE_API_KEY")).code).toBe(1);
  expect(seen).toHaveLength(judgeCases.length);
});

test.each([
  [["--judge-url", "http://me:secret-word@host/"], '--judge-url is "http://host/"; expected'],
  [
    ["--judge-key-env", "sk-secret-word"],
    "--judge-key-env does not give the name of an environment variable",
  ],
  [["--set", "judge.base_url=http://host/?key=secret-word"], "refused"],
  [
    ["--set", "judge.api_key_env=sk-secret-word"],
    'judge.api_key_env is "(not shown)"; it must be the name of an environment variable',
  ],
])("a secret in the wrong place is refused and not repeated: %j", async (options, message) => {
  const { code, err } = await measured("JUDGE_API_KEY", ...options);
  expect([code > 0, seen]).toEqual([true, []]);
  expect(err).toContain(message);
  expect(err).not.toContain("secret-word");
});
