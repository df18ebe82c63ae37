// The command line under `kill -9`: at random moments, and at every write of a short run. A killed run resumes
// with `--resume`, or starts again where nothing was saved yet, and must end as if nothing had happened.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, inFolder, type Suite, type SuiteOptions, trialRng } from "./suite.ts";

const root = join(import.meta.dirname, "..", "..");
const preload = join(root, "e2e", "torture", "kill-at-write.mjs");

/** A run that writes everything a run can write, as small as the configuration allows. */
const config = (updates: number) => `version: 1
name: Tiny
env: { name: frozenlake, config: { size: 4 } }
rollout: { prompt_format: no_think, max_turns: 1, train_batch_size: 2, response_length: 16 }
model: { hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 1, num_key_value_heads: 1, intermediate_size: 16 }
sft: { total_updates: 1, one_turn_updates: 0, train_batch_size: 1, lr_warmup_steps: 0 }
actor: { ppo_mini_batch_size: 2 }
trainer: { total_updates: ${updates}, test_freq: 3, val_size: 2, micro_batch_tokens: 256 }
`;

/** The bundled command line, started directly: a kill must not hit a script in front of it. */
const cli = join(root, "dist-cli", "cli.js");

/** How a process of the command line ended. */
interface Ended {
  readonly killed: boolean;
  readonly code: number | null;
  /** All that it printed. */
  readonly text: string;
  readonly ms: number;
}

interface KillSetup {
  readonly killAfterMs?: number;
  /** Which write to die at: its number and `before`, `half` or `after`. */
  readonly killAt?: string;
}

/** Runs the command line with these arguments. */
type Start = (args: readonly string[], setup: KillSetup) => Promise<Ended>;

/** A run whose files every killed one is compared with. */
interface Reference {
  /** How a process is run that is not to be killed. */
  readonly unharmed: Start;
  readonly configFile: string;
  readonly updates: number;
  readonly run: RunFiles;
  /** From the start of the process to its end. */
  readonly ms: number;
}

/** Trains into `out` as a person would: resumes what is saved, and begins where nothing is. */
function train(configFile: string, out: string, unharmed: Start, setup: KillSetup = {}): Promise<Ended> {
  const from = savedUpdates(out).length > 0 ? ["--resume", out] : ["--config", configFile, "--out", out];
  const isKilled = setup.killAt !== undefined || setup.killAfterMs !== undefined;
  return (isKilled ? startCli : unharmed)(["train", ...from, "--episodes", "all"], setup);
}

function startCli(args: readonly string[], { killAfterMs, killAt }: KillSetup): Promise<Ended> {
  const started = performance.now();
  const hooks = killAt ? ["--import", preload] : [];
  const child = spawn(process.execPath, [...hooks, cli, ...args], {
    env: { ...process.env, ...(killAt && { TORTURE_KILL_AT: killAt }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, killed: signal === "SIGKILL", text, ms: performance.now() - started });
    });
  });
}

/** Updates of the checkpoints in a folder, oldest first. */
function savedUpdates(out: string): number[] {
  const names = existsSync(join(out, "checkpoints")) ? readdirSync(join(out, "checkpoints")) : [];
  const updates = names.flatMap((name) => /^update-(\d+)\.safetensors$/.exec(name)?.[1] ?? []);
  return updates.map(Number).sort((a, b) => a - b);
}

// --- what a run leaves ----------------------------------------------------------------------------------------------

/** What a run's folder holds, without what differs from run to run: times and names. */
interface RunFiles {
  /** SHA-256 of the last checkpoint's tensors. */
  readonly tensors: string;
  /** The rows of each file, in order. */
  readonly rows: Readonly<Record<"metrics" | "events" | "trajectories", readonly string[]>>;
  /** Lines that are no JSON. */
  readonly torn: number;
  /** Files that only a run that is not over needs. */
  readonly leftovers: readonly string[];
}

function readRun(out: string): RunFiles {
  let torn = 0;
  const lines = (name: string): Row[] =>
    readFileSync(join(out, name), "utf8")
      .split("\n")
      .flatMap((line) => {
        try {
          return line ? [JSON.parse(line) as Row] : [];
        } catch {
          torn++;
          return [];
        }
      });
  const events = lines("events.jsonl");
  const rows = {
    metrics: lines("metrics.jsonl").map(untimed),
    // Only these two kinds describe the training; the others also describe the session.
    events: events.filter(({ type }) => type === "metrics" || type === "validation").map(untimed),
    trajectories: lines("trajectories.jsonl").map(untimed),
  };
  const names = readdirSync(out, { recursive: true, encoding: "utf8" });
  const leftovers = names.filter((name) => name.endsWith(".part") || name.endsWith("run.lock"));
  return { tensors: tensorHash(out), rows, torn, leftovers };
}

type Row = Readonly<Record<string, unknown>>;

/** A row without its times, as text; the order of its fields means nothing. */
const untimed = (row: Row): string =>
  JSON.stringify(row, (_, value) =>
    value?.constructor === Object
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([key]) => !/^(timing_s|perf)\/|^(wallMs|seconds)$/.test(key))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  );

function tensorHash(out: string): string {
  const file = readFileSync(
    join(out, "checkpoints", `update-${`${savedUpdates(out).at(-1)}`.padStart(6, "0")}.safetensors`),
  );
  const dataStart = 8 + Number(file.readBigUInt64LE(0));
  return createHash("sha256").update(file.subarray(dataStart)).digest("hex");
}

/** How a run's files differ from those of the run that was left alone. */
export function differences(found: RunFiles, wanted: RunFiles): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(wanted.rows) as (keyof RunFiles["rows"])[]) {
    const [rows, whole] = [found.rows[name], wanted.rows[name]];
    const missing = whole.filter((row) => !rows.includes(row)).length;
    const surplus = rows.length - (whole.length - missing);
    if (missing > 0) problems.push(`${name}: ${missing} rows missing`);
    if (surplus > 0) problems.push(`${name}: ${surplus} rows doubled`);
    if (missing === 0 && surplus === 0 && rows.join() !== whole.join())
      problems.push(`${name}: rows out of order`);
  }
  if (found.tensors !== wanted.tensors) problems.push("the final tensors differ");
  if (found.leftovers.length > 0) problems.push(`left behind: ${found.leftovers.join(", ")}`);
  return problems;
}

// --- the trials -----------------------------------------------------------------------------------------------------

async function makeReference(
  options: SuiteOptions,
  updates: number,
  unharmed: Start = startCli,
): Promise<Reference> {
  const folder = join(options.folder, `whole-${updates}`);
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, "config.yaml");
  writeFileSync(configFile, config(updates));
  options.progress(`training ${updates} updates without a kill`);
  const out = join(folder, "run");
  const { code, text, ms } = await train(configFile, out, unharmed);
  if (code !== 0) throw new Error(`The run without a kill ended with ${code}:\n${text}`);
  return { configFile, updates, unharmed, run: readRun(out), ms };
}

/** Counts over all trials of one kind. */
class Tally {
  kills = 0;
  runs = 0;
  lost = 0;
  torn = 0;
  /** The most updates that one kill had trained again. */
  repeated = 0;
  failed = 0;
}

/** Records what a kill left, resumes the run, and returns what the next process did wrong. */
async function goOn(out: string, reference: Reference, setup: KillSetup, tally: Tally) {
  const saved = savedUpdates(out).at(-1);
  const reported = reportedUpdate(out);
  if (saved !== undefined && reported > saved) tally.repeated = Math.max(tally.repeated, reported - saved);
  const ended = await train(reference.configFile, out, reference.unharmed, setup);
  const resumedAt = /resuming .*: after update (\d+) of/.exec(ended.text)?.[1];
  const isLost = saved !== undefined && resumedAt !== undefined && Number(resumedAt) < saved;
  if (isLost) tally.lost += saved - Number(resumedAt);
  return {
    ended,
    problems: isLost ? [`update ${saved} was saved, and the run was resumed from ${resumedAt}`] : [],
  };
}

/** The last update in metrics.jsonl; 0 when there is none. */
function reportedUpdate(out: string): number {
  const file = join(out, "metrics.jsonl");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Math.max(0, ...[...text.matchAll(/"update":(\d+)/g)].map((found) => Number(found[1])));
}

/** What is wrong with a run that was killed and has ended. */
function judgeEnd(out: string, ended: Ended, reference: Reference, tally: Tally): string[] {
  tally.runs++;
  if (ended.code !== 0) return [`the last process ended with ${ended.code}: ${ended.text.slice(-500)}`];
  const found = readRun(out);
  tally.torn += found.torn;
  return differences(found, reference.run);
}

/** Up to three kills, each within the time that an undisturbed process takes, then on to the end. */
async function randomTrial(out: string, trial: number, seed: number, reference: Reference, tally: Tally) {
  const random = trialRng(seed, "kill", trial);
  const problems: string[] = [];
  const kills = 1 + random.int(3);
  for (let kill = 0; ; kill++) {
    const setup = kill < kills ? { killAfterMs: random.float() * reference.ms } : {};
    const step = await goOn(out, reference, setup, tally);
    problems.push(...step.problems);
    if (!step.ended.killed) return [...problems, ...judgeEnd(out, step.ended, reference, tally)];
    tally.kills++;
  }
}

async function randomKills(options: SuiteOptions): Promise<Figure> {
  const reference = await makeReference(options, 5);
  const tally = new Tally();
  const wanted = options.count ?? 200;
  for (let trial = Number(options.trial ?? options.first); tally.kills < wanted; trial++) {
    options.progress(`${tally.kills} of ${wanted} kills, ${tally.failed} failed`);
    const isGood = await inFolder(options, trial, (out) =>
      randomTrial(out, trial, options.seed, reference, tally),
    );
    if (!isGood) tally.failed++;
    if (options.trial !== undefined) break;
  }
  return figureOf("kill -9 at random moments", tally);
}

/** Dies at one write and resumes; false when the run has no such write. */
async function killAtWrite(killAt: string, reference: Reference, options: SuiteOptions, tally: Tally) {
  let happened = true;
  const isGood = await inFolder(options, killAt.replace(":", "-"), async (out) => {
    const first = await train(reference.configFile, out, reference.unharmed, { killAt });
    happened = first.killed;
    if (!happened) return first.code === 0 ? [] : judgeEnd(out, first, reference, tally);
    tally.kills++;
    const { ended, problems } = await goOn(out, reference, {}, tally);
    return [...problems, ...judgeEnd(out, ended, reference, tally)];
  });
  if (!isGood) tally.failed++;
  return happened;
}

/** Where a kill at a write may happen: before, in the middle of and after each. */
function* everyWrite(first = 1, last = Number.POSITIVE_INFINITY): Generator<string> {
  for (let n = first; n <= last; n++) yield* [`${n}:before`, `${n}:half`, `${n}:after`];
}

/**
 * Kills at writes of a run of two updates, until the run has no such write.
 * @param unharmed runs what is not killed; by default a process of its own does
 */
export async function killsAtWrites(
  options: SuiteOptions,
  writes: Iterable<string> = everyWrite(1, options.count),
  unharmed: Start = startCli,
): Promise<Figure> {
  const reference = await makeReference(options, 1, unharmed);
  const tally = new Tally();
  for (const write of writes) {
    options.progress(`write ${write}, ${tally.failed} failed`);
    if (!(await killAtWrite(write, reference, options, tally))) break;
  }
  return figureOf("kills at every write of a short run", tally);
}

function figureOf(figure: string, tally: Tally): Figure {
  const { kills, runs, lost, failed, torn, repeated } = tally;
  const value = `${kills} kills, ${runs} runs: ${lost} updates lost, ${failed} runs differ, ${repeated} trained again at most, ${torn} torn lines`;
  return { figure, value, passed: failed === 0 };
}

export const kill: Suite = {
  name: "kill",
  summary: "kill -9 of the command line at 200 random moments and at every write of a short run",
  async run(options) {
    const { trial } = options;
    // A write is named like 7-half, a kill at a random moment by its number, all writes from `first` on by "writes".
    if (trial === "writes") return [await killsAtWrites(options, everyWrite(Math.max(1, options.first)))];
    if (trial?.includes("-")) return [await killsAtWrites(options, [trial.replace("-", ":")])];
    const figures = [await randomKills(options)];
    return trial === undefined ? [...figures, await killsAtWrites(options)] : figures;
  },
};
