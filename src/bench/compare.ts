// Times implementations side by side: each round runs every one once, so a slow minute of the machine affects all of them.
import { type BenchCase, DECODE_CHUNK, trainingTokens } from "./cases.ts";
import { type GpuCounts, type GpuWatch, watchGpu } from "./gpu-watch.ts";
import type { Implementation } from "./implementation.ts";
import { spread } from "./stats.ts";
import { timed } from "./timed.ts";

/** What of the GPU a unit of work uses. */
export interface Usage {
  submissions: number;
  dispatches: number;
  /** Times that the host waited for the device. */
  waits: number;
  /** Live buffers afterwards, in bytes. */
  bytes: number;
}

/** One implementation's measurements in milliseconds. */
export interface Result {
  name: string;
  notes: string;
  /** Per training step that is waited for, by round. */
  train: number[];
  /** Per training step of several in a row with one wait at their end, by round; empty where an implementation has no such steps. */
  row: number[];
  /** Per decoded token of all sequences together, by round. */
  decode: number[];
  trainUsage: Usage;
  /** Of ROW_USAGE_STEPS steps in a row. */
  rowUsage: Usage | null;
  /** Of one chunk of DECODE_CHUNK tokens. */
  decodeUsage: Usage;
  /** Mean cross-entropy of the first steps from the shared parameters. */
  losses: number[];
  /** The first chunk of decoded ids. */
  ids: number[];
  /** From nothing to the end of the first step, compilation included. */
  firstStepMs: number;
}

export interface CompareOptions {
  /** Rounds per case. */
  rounds: number;
  /** Milliseconds that an implementation may spend on one kind of work; beyond that it skips the rounds after the second. */
  budgetMs: number;
  /** Steps whose losses must agree, at least two: the second shows that gradients and optimiser agree. */
  guardSteps: number;
  log: (line: string) => void;
}

/** Rounds that every implementation runs. */
const MIN_ROUNDS = 2;

const difference = (after: GpuCounts, before: GpuCounts): Usage => ({
  submissions: after.submissions - before.submissions,
  dispatches: after.dispatches - before.dispatches,
  waits: after.waits - before.waits,
  bytes: after.bytes,
});

/** Steps of a row whose usage is counted. */
export const ROW_USAGE_STEPS = 2;
/** A row of steps takes about this many milliseconds, if that is neither too few steps nor too many. */
const ROW_MS = 150;
const ROW_STEPS = { least: 2, most: 24 } as const;

/** Usage of `work` on whichever device it runs on. */
async function usageOf(watch: GpuWatch, work: () => Promise<unknown>): Promise<Usage> {
  const before = new Map(watch.devices().map((device) => [device, watch.counts(device)]));
  await work();
  const used = watch.devices().map((device) => {
    const none = { submissions: 0, dispatches: 0, waits: 0, buffers: 0, bytes: 0 };
    return difference(watch.counts(device), before.get(device) ?? none);
  });
  return used.reduce((most, usage) => (usage.dispatches > most.dispatches ? usage : most));
}

/** Losses of the first steps and ids of the first chunk. Also warms up: everything compiles here. */
async function firstSteps(
  bench: BenchCase,
  implementation: Implementation,
  { guardSteps, log }: CompareOptions,
): Promise<Result> {
  const watch = watchGpu();
  await implementation.resetTraining();
  const losses: number[] = [];
  const step = (i: number) => implementation.trainStep(trainingTokens(bench, i));
  const firstStepMs = await timed(() => step(0));
  losses.push(await implementation.lastLoss());
  const trainUsage = await usageOf(watch, () => step(1));
  losses.push(await implementation.lastLoss());
  for (let i = 2; i < guardSteps; i++) {
    await step(i);
    losses.push(await implementation.lastLoss());
  }
  const row = Array.from({ length: ROW_USAGE_STEPS }, (_, i) => trainingTokens(bench, guardSteps + i));
  const rowUsage = implementation.trainRow ? await usageOf(watch, () => implementation.trainRow!(row)) : null;
  await implementation.beginDecoding();
  const ids = [...(await implementation.decodeChunk())];
  const decodeUsage = await usageOf(watch, () => implementation.decodeChunk());
  log(
    `${bench.name} ${implementation.name}: first step ${firstStepMs.toFixed(0)} ms, losses ${losses.map((x) => x.toFixed(5))}`,
  );
  const { name, notes } = implementation;
  return {
    ...{ name, notes, train: [], row: [], decode: [] },
    ...{ trainUsage, rowUsage, decodeUsage, losses, ids, firstStepMs },
  };
}

/** Milliseconds of one unit of work in a round: a training step, or a decoded token. */
type TimeRound = (
  bench: BenchCase,
  implementation: Implementation,
  round: number,
  result: Result,
) => Promise<number>;

const timeTrainStep: TimeRound = (bench, implementation, round) => {
  const ids = trainingTokens(bench, round + 100);
  return timed(() => implementation.trainStep(ids));
};

const timeStepInRow: TimeRound = async (bench, implementation, round, { train }) => {
  const { least, most } = ROW_STEPS;
  const steps = Math.min(most, Math.max(least, Math.ceil(ROW_MS / spread(train).median)));
  const batches = Array.from({ length: steps }, (_, i) => trainingTokens(bench, 1000 + round * most + i));
  return (await timed(() => implementation.trainRow!(batches))) / steps;
};

const timeDecodedToken: TimeRound = async (bench, implementation) => {
  const chunks = Math.floor((bench.context - bench.prompt) / DECODE_CHUNK);
  await implementation.beginDecoding();
  const ms = await timed(async () => {
    for (let chunk = 0; chunk < chunks; chunk++) await implementation.decodeChunk();
  });
  return ms / (chunks * DECODE_CHUNK);
};

/** @param implementations in the order of each round; the first is the one that the others are compared with. */
export async function compare(
  bench: BenchCase,
  implementations: readonly Implementation[],
  options: CompareOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const implementation of implementations)
    results.push(await firstSteps(bench, implementation, options));
  const rounds = async (kind: "train" | "row" | "decode", timeRound: TimeRound) => {
    const spent = implementations.map(() => 0);
    for (let i = 0; i < options.rounds; i++) {
      for (const [j, implementation] of implementations.entries()) {
        if (i >= MIN_ROUNDS && (spent[j] as number) > options.budgetMs) continue;
        if (kind === "row" && !implementation.trainRow) continue;
        const result = results[j]!;
        const ms = await timed(async () =>
          result[kind].push(await timeRound(bench, implementation, i, result)),
        );
        spent[j] = (spent[j] as number) + ms;
      }
      options.log(`${bench.name} ${kind}: round ${i + 1} of ${options.rounds}`);
    }
  };
  await rounds("train", timeTrainStep);
  await rounds("row", timeStepInRow);
  await rounds("decode", timeDecodedToken);
  return results;
}

/** Largest relative difference of a loss that passes as the same work; later steps amplify f32 rounding through Adam. */
const FIRST_LOSS_TOLERANCE = 1e-4;
const LOSS_TOLERANCE = 5e-3;
/** Fraction of equal greedy ids: one near tie changes the rest of its sequence. */
const EQUAL_IDS = 0.9;

/** A message for each way in which an implementation did not do the same work as the first. */
export function disagreements([ours, ...others]: readonly Result[]): string[] {
  if (!ours) return [];
  return others.flatMap((other) => {
    const worst = other.losses.flatMap((loss, i) => {
      const want = ours.losses[i] as number;
      const error = Math.abs(loss - want) / want;
      const isClose = error <= (i === 0 ? FIRST_LOSS_TOLERANCE : LOSS_TOLERANCE);
      return isClose ? [] : [`${other.name}: loss of step ${i + 1} is ${loss}, ours is ${want}.`];
    });
    const equal = other.ids.filter((id, i) => id === ours.ids[i]).length / ours.ids.length;
    if (equal >= EQUAL_IDS) return worst;
    return [...worst, `${other.name}: only ${Math.round(equal * 100)} % of the decoded ids equal ours.`];
  });
}
