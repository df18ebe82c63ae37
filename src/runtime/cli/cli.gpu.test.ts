// The command line on a real device: interrupted, taken up again, disturbed; the numbers must not notice.

import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyOverrides } from "../../config/changes.ts";
import { presets } from "../../config/presets.ts";
import { requestNodeGpu } from "../../gpu/node-device.ts";
import { memoryFiles } from "../../persistence/memory-files.ts";
import { openStore } from "../../persistence/store.ts";
import { buildRun } from "../build-run.ts";
import type { TrainerEvent } from "../events.ts";
import { Supervisor } from "../supervisor.ts";
import { train } from "../trainer.ts";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

const settings = [
  "sft.total_updates=2",
  "sft.one_turn_updates=1",
  "sft.train_batch_size=2",
  "trainer.total_updates=3",
  "trainer.val_size=2",
  "trainer.save_freq=2",
  "rollout.train_batch_size=2",
  "actor.ppo_mini_batch_size=1",
];
const TOTAL = 5;
type Values = Record<string, number>;

/** Times differ from run to run, and nothing else may. */
const timeless = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !/^(timing_s|perf)\/|wallMs/.test(name)));

/** A run in this process, with the device lost when `trouble` says so. */
async function supervised(trouble: (event: TrainerEvent, run: Supervisor<never>) => void) {
  const events: TrainerEvent[] = [];
  const supervisor = new Supervisor("run", {
    store: openStore(memoryFiles()),
    requestGpu: requestNodeGpu,
    build: buildRun,
    train,
    loadInitial: () => Promise.reject(new Error("not used")),
    clock: { now: Date.now, sleep: (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 50))) },
    emit(event) {
      events.push(event);
      trouble(event, supervisor as never);
    },
  });
  await supervisor.start(applyOverrides(presets.get("frozenlake-nano").config, settings));
  await supervisor.done;
  const metrics = events.filter((event) => event.type === "metrics");
  return { events, metrics: metrics.map(({ update, values }) => ({ update, ...timeless(values) })) };
}

const undisturbed = supervised(() => {});

test("a lost device costs nothing but time: every update once, with the same numbers", async () => {
  const expected = await undisturbed;
  let lost = false;
  const { events, metrics } = await supervised((event, run) => {
    if (lost || event.type !== "phase" || event.update !== 4 || event.phase !== "update") return;
    lost = true;
    run.loseDevice();
  });
  expect(events.filter(({ type }) => type === "device_lost")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", reason: "completed", update: TOTAL });
  expect(metrics).toEqual(expected.metrics);
});

test("train, Ctrl+C, resume, eval", async () => {
  const out = join(mkdtempSync(join(tmpdir(), "train-")), "run");
  const sets = settings.flatMap((setting) => ["--set", setting]);
  const first = testIo((text, io) => text.startsWith("warm-up") && io.interrupt());
  expect(await main(["train", "--preset", "frozenlake-nano", "--out", out, ...sets], first)).toBe(130);
  expect(first.written.err).toContain(`--resume ${out}`);

  const second = testIo();
  expect(await main(["train", "--resume", out, "--json"], second)).toBe(0);
  const events = second.written.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toEqual({ type: "run_finished", update: TOTAL, reason: "completed" });

  const lines = (await readFile(join(out, "metrics.jsonl"), "utf8")).trim().split("\n");
  const metrics = lines.map((line) => {
    const { stage: _, tokens: _t, episodes: _e, ...values } = JSON.parse(line);
    return timeless(values);
  });
  expect(metrics).toEqual((await undisturbed).metrics);

  const third = testIo();
  const checkpoint = join(out, "checkpoints", "update-000005.safetensors");
  expect(await main(["eval", "--checkpoint", checkpoint, "--seeds", "10001-10004", "--json"], third)).toBe(0);
  expect(JSON.parse(third.written.out)).toMatchObject([{ episodes: 4, temperature: 1 }]);
});
