// A run of the command line that is killed before, after and in the middle of each of its writes, and resumed.
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../persistence/files.ts";
import { nodeFiles } from "../../persistence/node-files.ts";
import { openStore } from "../../persistence/store.ts";
import { loadHistory } from "../../supervision/event-log.ts";
import { Supervisor } from "../../supervision/supervisor.ts";
import { config, FakeRun, fakeTrain } from "../../supervision/testing/fake-run.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { RunFolder } from "./run-folder.ts";

const TOTAL = 3;
const short = {
  ...config,
  trainer: { ...config.trainer, total_updates: TOTAL - config.sft.total_updates, save_freq: 1 },
};
const never = () => new Promise<never>(() => {});

/** Counts the moments at which a process can die; from the chosen one on, nothing happens any more. */
class Death {
  moments = 0;
  private announce!: () => void;
  readonly come = new Promise<void>((resolve) => (this.announce = resolve));
  constructor(private readonly at: number) {}
  /** Whether the process is dead. */
  get isHere(): boolean {
    this.moments++;
    if (this.moments >= this.at) this.announce();
    return this.moments >= this.at;
  }
}

/** Files of a process that may die before, in the middle of and after each write. */
function mortal(files: Files, death: Death): Files {
  const guarded = async (half: () => Promise<void>, whole: () => Promise<void>): Promise<void> => {
    if (death.isHere) return never();
    if (death.isHere) return half().then(never);
    await whole();
    if (death.isHere) return never();
  };
  return {
    ...files,
    write: (path, bytes) =>
      guarded(
        () => files.write(path, bytes.slice(0, bytes.length / 2)),
        () => files.write(path, bytes),
      ),
    append: (path, bytes, from) =>
      guarded(
        () => files.append(path, bytes.slice(0, bytes.length / 2), from),
        () => files.append(path, bytes, from),
      ),
    move: (from, to) =>
      guarded(
        async () => {},
        () => files.move(from, to),
      ),
  };
}

/** The file, and half of its last line gone if it has grown. */
function cutGrown(path: string, before: number): void {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > before) truncateSync(path, size - Math.ceil((size - before) / 2));
}
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const FILES = ["metrics.jsonl", "trajectories.jsonl"];

/** A process that begins or resumes the run in `folder`; resolves when it has ended or died. */
async function process(folder: string, death: Death): Promise<void> {
  const id = basename(folder);
  const store = openStore(mortal(nodeFiles(dirname(folder)), death));
  const good = await store.loadLatestGood(id);
  const history = await loadHistory(store, id);
  const run = new RunFolder(folder, "all", () => {});
  run.writeConfig(short);
  if (good) run.resume(good.entry.update, history);
  else run.begin();
  const record = (event: TrainerEvent): void => {
    if (death.isHere) return;
    const before = FILES.map((name) => sizeOf(join(folder, name)));
    run.record(event);
    if (death.isHere) for (const [i, name] of FILES.entries()) cutGrown(join(folder, name), before[i]!);
  };
  let time = 0;
  const supervisor = new Supervisor<FakeRun>(id, {
    store,
    requestGpu: async () => ({}) as GPU,
    build: async ({ runId, config: given, checkpoint }) =>
      new FakeRun(runId, given, checkpoint, { validate: [2] }),
    train: fakeTrain,
    loadInitial: never,
    emit: (event) => {
      time += 1000;
      record(event);
    },
    clock: { now: () => time, sleep: () => Promise.resolve() },
  });
  const ended = supervisor.start(short, good ? { good, history } : undefined).then(() => supervisor.done);
  await Promise.race([ended, death.come]);
}

const rowsOf = (folder: string, name: string): { update: number; source?: string }[] =>
  readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("no row is lost and none is there twice, wherever the process was killed", async () => {
  const folderOf = () => join(mkdtempSync(join(tmpdir(), "kill-")), "run");
  const whole = folderOf();
  const life = new Death(Number.POSITIVE_INFINITY);
  await process(whole, life);
  const all = Array.from({ length: TOTAL }, (_, i) => i + 1);
  expect(life.moments).toBeGreaterThan(50);
  // Every third moment, because each takes two whole runs on the disk.
  for (let at = 1; at <= life.moments; at += 3) {
    const folder = folderOf();
    await process(folder, new Death(at));
    await process(folder, new Death(Number.POSITIVE_INFINITY));
    const store = openStore(nodeFiles(dirname(folder)));
    const updates = (name: string) => rowsOf(folder, name).map(({ update }) => update);
    const logged = (await loadHistory(store, "run")).filter(({ type }) => type === "metrics");
    expect(updates("metrics.jsonl"), `metrics, moment ${at}`).toEqual(all);
    expect(updates("trajectories.jsonl"), `episodes, moment ${at}`).toEqual(all);
    expect(
      logged.map((event) => (event as { update: number }).update),
      `log, moment ${at}`,
    ).toEqual(all);
    expect(readFileSync(join(folder, "metrics.jsonl"), "utf8")).toBe(
      readFileSync(join(whole, "metrics.jsonl"), "utf8"),
    );
    const { checkpoint } = (await store.loadLatestGood("run"))!;
    expect(checkpoint.tensors.get("param.sum")!.data[0]).toBe((TOTAL * (TOTAL + 1)) / 2);
    rmSync(dirname(folder), { recursive: true });
  }
  rmSync(dirname(whole), { recursive: true });
}, 120_000);
