// The command line on a real device: interrupted, resumed, evaluated.

import { existsSync, mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { STATE_CRITIC } from "../config/state-critic.ts";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

const set = (...settings: readonly string[]) => settings.flatMap((setting) => ["--set", setting]);
const tinyRun = set(
  "sft.total_updates=2",
  "sft.one_turn_updates=1",
  "sft.train_batch_size=2",
  // By default the test at the end of SFT plays more episodes than the rest of the run.
  "sft.test_levels=2",
  "trainer.test_freq=0",
  "trainer.val_size=2",
  "rollout.max_turns=2",
  "rollout.train_batch_size=2",
  "actor.ppo_mini_batch_size=1",
  "trainer.micro_batch_tokens=512",
);
const tiny = [...tinyRun, ...set("trainer.total_updates=2")];

const fromScratch = ["--preset", "frozenlake-nano", "--scratch", "--episodes", "all", ...tiny];

const folder = mkdtempSync(join(tmpdir(), "train-"));

/** The numbers of every update; times differ from run to run, and nothing else may. */
async function metricsOf(out: string): Promise<object[]> {
  return (await linesOf<object>(out, "metrics.jsonl")).map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !/^(timing_s|perf)\/|^wallMs$/.test(name))),
  );
}

async function linesOf<T>(out: string, name: string): Promise<T[]> {
  const lines = (await readFile(join(out, name), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** What the validations of a run have found. */
async function validationsOf(out: string): Promise<object[]> {
  const events = await linesOf<{ type: string; report?: object }>(out, "events.jsonl");
  return events.flatMap(({ report }) => (report ? [{ ...report, seconds: 0 }] : []));
}

/** Update, source and name of every episode that is kept. */
async function episodesOf(out: string): Promise<string[]> {
  const lines = await linesOf<{ update: number; source: string; trajectory: { id: string } }>(
    out,
    "trajectories.jsonl",
  );
  return lines.map(({ update, source, trajectory }) => `${update} ${source} ${trajectory.id}`);
}

test("a run that was interrupted and resumed has the numbers of one that was not", async () => {
  const [whole, parted] = [join(folder, "whole"), join(folder, "parted")];
  expect(await main(["train", "--out", whole, ...fromScratch], testIo())).toBe(0);

  const interrupted = testIo((text, io) => text.startsWith("SFT") && io.interrupt());
  expect(await main(["train", "--out", parted, ...fromScratch], interrupted)).toBe(130);
  expect(interrupted.written.err).toContain(`--resume ${parted}`);
  expect((await metricsOf(parted)).length).toBeLessThan(4);

  const resumed = testIo();
  expect(await main(["train", "--resume", parted, "--episodes", "all", "--json"], resumed)).toBe(0);
  const events = resumed.written.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toEqual({ type: "run_finished", update: 4, reason: "completed" });
  expect(await metricsOf(parted)).toEqual(await metricsOf(whole));
  expect(await episodesOf(parted)).toEqual(await episodesOf(whole));
});

test("a run that was interrupted within a validation has no result of it, and makes it when it is resumed", async () => {
  const out = join(folder, "unvalidated");
  // A terminal shows every step.
  const io = { ...testIo((text, own) => text.includes("validating 0/4") && own.interrupt()), isTty: true };
  expect(await main(["train", "--out", out, ...fromScratch], io)).toBe(130);
  expect(io.written.err).toContain("Ending the validation, then saving.");
  expect(io.written.err).not.toContain("validation after");
  expect(await validationsOf(out)).toEqual([]);
  expect(await main(["train", "--resume", out], testIo())).toBe(0);
  expect(await validationsOf(out)).toEqual(await validationsOf(join(folder, "whole")));
  expect(await metricsOf(out)).toEqual(await metricsOf(join(folder, "whole")));
});

test("a run that is interrupted before it trains leaves no folder, and says that nothing was saved", async () => {
  const [out, io] = [join(folder, "early"), testIo()];
  const ended = main(["train", "--out", out, ...fromScratch], io);
  await vi.waitFor(() => expect(existsSync(join(out, "config.yaml"))).toBe(true), 10_000);
  io.interrupt();
  expect(await ended).toBe(130);
  expect(io.written.err).toContain("Stopping. Ctrl+C again quits at once.");
  expect(io.written.err).toMatch(/Stopped before training began; nothing was saved\.\n$/);
  expect(existsSync(out)).toBe(false);
});

test("every episode that the policy played is kept, if that is asked for, and can be paid again", async () => {
  const played = await episodesOf(join(folder, "whole"));
  for (const update of [3, 4])
    expect(played.filter((of) => of.startsWith(`${update} train`))).toHaveLength(2);
  for (const update of [2, 4])
    expect(played.filter((of) => of.startsWith(`${update} validation`))).toHaveLength(2);
  const io = testIo();
  expect(await main(["judge", "--rescore", join(folder, "whole")], io)).toBe(0);
  expect(io.written.out).toContain("all that the run played");
});

test("a checkpoint is evaluated on the seeds that are asked for", async () => {
  const checkpoint = join(folder, "whole", "checkpoints", "update-000004.safetensors");
  const io = testIo();
  expect(await main(["eval", "--checkpoint", checkpoint, "--seeds", "10001-10004", "--json"], io)).toBe(0);
  expect(JSON.parse(io.written.out)).toMatchObject([{ episodes: 4, temperature: 1 }]);
  expect(io.written.err).toMatch(/^update-000004\.safetensors: 4 episodes in \S+ \w+$/m);
  expect(io.written.out).not.toContain(STATE_CRITIC);
});

test("a critic that reads the state is named in every result, and not in those of SFT", async () => {
  const [out, file] = [join(folder, "asymmetric"), join(folder, "asymmetric.safetensors")];
  const settings = set(
    "critic.asymmetric=true",
    "sft.total_updates=1",
    "trainer.total_updates=1",
    "trainer.val_seeds=10001-10002",
    "trainer.save_freq=1",
  );
  const said = async (...argv: string[]): Promise<string> => {
    const io = testIo();
    expect(await main(argv, io), io.written.err).toBe(0);
    return argv[0] === "train" ? io.written.err : io.written.out;
  };
  expect(await said("train", "--out", out, ...fromScratch, ...settings)).toContain(STATE_CRITIC);
  const checkpoint = ["--checkpoint", out];
  expect(await said("export", ...checkpoint, "--out", file, "--evaluate")).toContain(STATE_CRITIC);
  const levels = ["--seeds", "10001-10002"];
  expect(await said("eval", "--checkpoint", file, ...levels)).toContain(STATE_CRITIC);
  expect(JSON.parse(await said("eval", ...checkpoint, ...levels, "--json"))).toMatchObject([
    { critic: STATE_CRITIC },
  ]);
  const sft = join(out, "warmup.safetensors");
  expect(await said("eval", "--checkpoint", sft, ...levels)).not.toContain(STATE_CRITIC);
});

test.each([
  "--env frozenlake",
  "--env sokoban",
  "--env navigation --set envs.navigation.config.eval_set=base",
])("one policy is evaluated in each of its environments: %s", async (named) => {
  const io = testIo();
  const checkpoint = "public/checkpoints/three-tasks-small-trained.safetensors";
  const args = ["eval", "--checkpoint", checkpoint, "--seeds", "600000-600001", "--json"];
  // The run played many episodes at a time, with a kernel that compiles for longer.
  const few = set("rollout.train_batch_size=2", "actor.ppo_mini_batch_size=2", "trainer.val_size=2");
  expect(await main([...args, ...few, ...named.split(" ")], io), io.written.err).toBe(0);
  const [{ episodes, metrics }] = JSON.parse(io.written.out);
  expect(episodes).toBe(2);
  expect(metrics["val/format_correct"]).toBeGreaterThan(0.5);
});

test("a checkpoint of another size is refused with the field that differs", async () => {
  const checkpoint = join(folder, "whole", "checkpoints", "update-000004.safetensors");
  const io = testIo();
  const args = ["eval", "--checkpoint", checkpoint, "--set", "model.hidden_size=64"];
  expect(await main(args, io)).toBe(1);
  expect(io.written.err).toContain("decoder.width is 32 in the file and 64 in the configuration");
});

test("a checkpoint whose words have other numbers is refused", async () => {
  const checkpoint = join(folder, "whole", "checkpoints", "update-000004.safetensors");
  const io = testIo();
  // Eight turns need a longer micro-batch than the run had.
  const longer = set("rollout.max_turns=8", "trainer.micro_batch_tokens=4096");
  expect(await main(["eval", "--checkpoint", checkpoint, ...longer], io)).toBe(1);
  expect(io.written.err).toContain("Set rollout.max_turns to 2, ");
});

test("an ablation trains each row once, goes on where it was, and refuses a folder of other settings", async () => {
  const out = join(folder, "ablation");
  const ablate = (...more: string[]) => {
    const rows = ["--seeds", "1", "--methods", "grpo", "--formats", "none", "--updates", "1"];
    // Groups of GRPO have eight members. A rate that falls to the last update would depend on their number.
    const settings = [...tinyRun, ...set("rollout.train_batch_size=8", "actor.lr_schedule=constant")];
    const io = testIo();
    return main(["ablate", "--out", out, ...rows, ...settings, ...more], io).then((code) => ({
      code,
      ...io.written,
    }));
  };
  const first = await ablate();
  expect(first.err).toContain("1 of 1: GRPO with mask");
  expect(first.code).toBe(0);
  expect(first.out).toMatch(/\| GRPO with mask \| \d\.\d{3} \| \*\*\d\.\d{3}\*\*/);
  expect(first.out).toBe(`${await readFile(join(out, "report.md"), "utf8")}`);
  expect(await readFile(join(out, "methods.svg"), "utf8")).toMatch(/^<svg/);

  const metrics = join(out, "runs", "grpo-grounding_worldmodeling-seed0", "metrics.jsonl");
  const trained = await readFile(metrics, "utf8");
  const again = await ablate();
  expect(again.code).toBe(0);
  expect(await readFile(metrics, "utf8")).toBe(trained);

  const longer = await ablate("--updates", "2");
  expect(longer.code).toBe(0);
  const after = (await readFile(metrics, "utf8")).slice(trained.length).trim();
  expect(JSON.parse(after)).toMatchObject({ update: 2 });
  const shorter = await ablate();
  expect(shorter.err).toContain("is longer already; it is reported as it was after update 1.");
  expect(shorter.out).toBe(first.out);

  const other = await ablate("--set", "actor.lr=2e-3");
  expect(other.code).toBe(2);
  expect(other.err).toMatch(/was trained with actor\.lr .*, not 0\.002\./);
});
