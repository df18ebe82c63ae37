// Hostile runs and checkpoints on a real device: nothing goes to an endpoint that has not been named, and a run that was
// judged with a key keeps nothing of it.
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { decodeCheckpoint, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

const SECRET = "top-secret-value-0123456789";
const KEY = "sk-judge-0123456789abcdef";
const folder = mkdtempSync(join(tmpdir(), "secrets-"));
const honest = join(folder, "honest");

let server: Server;
let seen: IncomingHttpHeaders[] = [];
let origin = "";
beforeAll(async () => {
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET);
  vi.stubEnv("JUDGE_API_KEY", KEY);
  // Quotes the key in every second answer, and refuses with it otherwise.
  server = createServer((request, response) => {
    const quoted = JSON.stringify(request.headers);
    const isRefused = seen.push(request.headers) % 2 === 0;
    const choices = [{ message: { content: `${quoted} <answer>YES</answer>` } }];
    const body = isRefused ? { error: { message: `${"x".repeat(160)}${quoted}` } } : { choices };
    request.resume().on("end", () => response.writeHead(isRefused ? 400 : 200).end(JSON.stringify(body)));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const set = (settings: Readonly<Record<string, unknown>>) =>
  Object.entries(settings).flatMap(([path, value]) => ["--set", `${path}=${value}`]);
const tiny = set({
  "trainer.total_updates": 1,
  "trainer.test_freq": 0,
  "trainer.val_size": 2,
  "rollout.max_turns": 2,
  "rollout.train_batch_size": 2,
  "actor.ppo_mini_batch_size": 1,
  "trainer.micro_batch_tokens": 512,
  "reward.judge_scoring": "rubric",
});
async function cli(...argv: string[]) {
  const io = testIo();
  return { code: await main(argv, io), ...io.written };
}
const files = (at: string): string[] =>
  readdirSync(at).flatMap((name) =>
    statSync(join(at, name)).isDirectory() ? files(join(at, name)) : [join(at, name)],
  );
const checkpointOf = (run: string) =>
  files(run)
    .filter((file) => file.endsWith(".safetensors"))
    .at(-1)!;

test("a run that was judged with a key holds nothing of it, nor does what is exported", async () => {
  const judge = set({
    "judge.name": "llm",
    "judge.base_url": `${origin}/v1`,
    "judge.requests_per_minute": 100000,
    "judge.max_retries": 0,
  });
  const run = await cli(
    "train",
    ...["--preset", "frozenlake-nano", "--from", "public/checkpoints/frozenlake-nano-warmup.safetensors"],
    ...["--out", honest, "--episodes", "all", "--json"],
    ...tiny,
    ...judge,
  );
  expect(run.err).toBe("");
  expect(run.code).toBe(0);
  expect(seen.length).toBeGreaterThan(1);
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
  const weights = join(folder, "weights.safetensors");
  await cli("export", "--checkpoint", honest, "--out", weights);
  for (const as of ["vagen-lite", "vagen-legacy"])
    expect((await cli("export", "--checkpoint", honest, "--as", as, "--out", join(folder, as))).code).toBe(0);
  const kept = files(folder);
  expect(kept.join()).toMatch(/config\.yaml.*events\.jsonl.*trajectories\.jsonl.*verdicts\.jsonl/);
  expect(readFileSync(join(honest, "trajectories.jsonl"), "utf8")).toContain("(key)");
  for (const file of kept) expect(readFileSync(file, "latin1"), file).not.toContain(KEY.slice(3, 12));
  expect(run.out).not.toContain(KEY.slice(3, 12));
});

test("a checkpoint from elsewhere sends nothing away, however it is opened", async () => {
  const bytes = new Uint8Array(readFileSync(checkpointOf(honest)));
  const { meta, tensors } = await decodeCheckpoint(bytes, "honest");
  const config = meta.config as { judge: object };
  const judge = { ...config.judge, base_url: `${origin}/v1`, api_key_env: "AWS_SECRET_ACCESS_KEY" };
  const evil = join(folder, "evil.safetensors");
  writeFileSync(evil, await encodeCheckpoint({ meta: { ...meta, config: { ...config, judge } }, tensors }));
  seen = [];
  for (const command of [
    ["eval", "--checkpoint", evil, "--seeds", "10001"],
    ["train", "--resume", evil, "--updates", "2", "--out", join(folder, "resumed")],
    ["export", "--checkpoint", evil, "--evaluate", "--out", join(folder, "evaluated.safetensors")],
  ]) {
    const { code, err } = await cli(...command);
    expect([code, seen]).toEqual([1, []]);
    expect(err).toContain("--judge-key-env AWS_SECRET_ACCESS_KEY");
    const named = await cli(...command, "--judge-url", origin);
    expect([named.code, seen]).toEqual([1, []]);
  }
});

test("resuming needs the endpoint to be named again, and then delivers the key", async () => {
  seen = [];
  const refused = await cli("train", "--resume", honest, "--updates", "2");
  expect([refused.code, seen]).toEqual([1, []]);
  expect(refused.err).toContain(`add --judge-url ${origin}`);
  const resumed = await cli("train", "--resume", honest, "--updates", "2", "--judge-url", origin);
  expect(resumed.code).toBe(0);
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
});
