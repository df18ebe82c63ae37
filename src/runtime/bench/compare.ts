// Measures contenders side by side: one round runs each of them once, so a slow minute of the machine hits all alike.
import { type BenchCase, DECODE_CHUNK, trainingTokens } from "./cases.ts";
import type { Contender } from "./contender.ts";
import { type GpuCounts, type GpuWatch, watchGpu } from "./gpu-watch.ts";

/** What of the GPU a unit of work uses. */
export interface Usage {
  submissions: number;
  dispatches: number;
  /** Live buffers afterwards, in bytes. */
  bytes: number;
}

/** One contender's measurements in milliseconds. */
export interface Result {
  name: string;
  notes: string;
  /** Per training step, by round. */
  train: number[];
  /** Per decoded token of all sequences together, by round. */
  decode: number[];
  trainUsage: Usage;
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
  /** Rounds per case, unless the time runs out after three. */
  rounds: number;
  /** Milliseconds for all rounds of training of one case, and as many for decoding. */
  budgetMs: number;
  /** Steps whose losses must agree. */
  guardSteps: number;
  log: (line: string) => void;
}

/** Rounds that are measured even when the time has run out. */
const MIN_ROUNDS = 3;

const difference = (after: GpuCounts, before: GpuCounts): Usage => ({
  submissions: after.submissions - before.submissions,
  dispatches: after.dispatches - before.dispatches,
  bytes: after.bytes,
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Usage of `work` on whichever device it runs on. */
async function usageOf(watch: GpuWatch, work: () => Promise<unknown>): Promise<Usage> {
  const before = new Map(watch.devices().map((device) => [device, watch.counts(device)]));
  await work();
  const used = watch.devices().map((device) => {
    const none = { submissions: 0, dispatches: 0, buffers: 0, bytes: 0 };
    return difference(watch.counts(device), before.get(device) ?? none);
  });
  return used.reduce((most, usage) => (usage.dispatches > most.dispatches ? usage : most));
}

/** Losses of the first steps and ids of the first chunk; also the warm-up, since everything compiles here. */
async function firstSteps(
  bench: BenchCase,
  contender: Contender,
  { guardSteps, log }: CompareOptions,
): Promise<Result> {
  const watch = watchGpu();
  await contender.resetTraining();
  const losses: number[] = [];
  const firstStepMs = await timed(() => contender.trainStep(trainingTokens(bench, 0)));
  losses.push(await contender.lastLoss());
  for (let step = 1; step < guardSteps; step++) {
    await contender.trainStep(trainingTokens(bench, step));
    losses.push(await contender.lastLoss());
  }
  const trainUsage = await usageOf(watch, () => contender.trainStep(trainingTokens(bench, guardSteps)));
  await contender.beginDecoding();
  const ids = [...(await contender.decodeChunk())];
  const decodeUsage = await usageOf(watch, () => contender.decodeChunk());
  log(`${bench.name} ${contender.name}: first step ${firstStepMs.toFixed(0)} ms, losses ${losses.map((x) => x.toFixed(5))}`);
  const { name, notes } = contender;
  return { name, notes, train: [], decode: [], trainUsage, decodeUsage, losses, ids, firstStepMs };
}

/** @param contenders in the order of each round; the first is the one that the others are compared with. */
export async function compare(
  bench: BenchCase,
  contenders: readonly Contender[],
  options: CompareOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const contender of contenders) results.push(await firstSteps(bench, contender, options));
  const rounds = async (label: string, round: (contender: Contender, result: Result, i: number) => Promise<void>) => {
    const start = performance.now();
    for (let i = 0; i < options.rounds; i++) {
      if (i >= MIN_ROUNDS && performance.now() - start > options.budgetMs) break;
      for (const [j, contender] of contenders.entries()) await round(contender, results[j]!, i);
      options.log(`${bench.name} ${label}: round ${i + 1}`);
    }
  };
  await rounds("training", async (contender, { train }, i) => {
    const ids = trainingTokens(bench, i + 100);
    train.push(await timed(() => contender.trainStep(ids)));
  });
  const chunks = Math.floor((bench.context - bench.prompt) / DECODE_CHUNK);
  await rounds("decoding", async (contender, { decode }) => {
    await contender.beginDecoding();
    const ms = await timed(async () => {
      for (let chunk = 0; chunk < chunks; chunk++) await contender.decodeChunk();
    });
    decode.push(ms / (chunks * DECODE_CHUNK));
  });
  return results;
}

/** Largest relative difference of a loss that passes as the same work; later steps amplify f32 rounding through Adam. */
const FIRST_LOSS_TOLERANCE = 1e-4;
const LOSS_TOLERANCE = 5e-3;
/** Fraction of equal greedy ids: one near tie changes the rest of its sequence. */
const EQUAL_IDS = 0.9;

/** Sentences about contenders that did not do the same work as the first. */
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
