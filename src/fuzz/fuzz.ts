// Fuzzing: random inputs, most of them nearly valid, for every reader of external data. A reader accepts an input or
// rejects it with one of the studio's own errors; any other error is a crash.
import { StudioError } from "../core/errors.ts";
import { type Rng, rng } from "../core/rng.ts";
import { short } from "../core/short.ts";

/** A reader of external data. */
export interface Target<Input> {
  readonly name: string;
  /** An input; the same for the same random numbers. */
  make(random: Rng): Input | Promise<Input>;
  /**
   * Reads it as the studio does.
   * @throws StudioError for an input that it rejects, any other error for a defect, including a broken promise.
   */
  read(input: Input): void | Promise<void>;
  /** The input as text, for the report. */
  show(input: Input): string;
}

export interface FuzzCase {
  index: number;
  /** Time of the processor: a busy machine does not make a reader slow. */
  ms: number;
  input: string;
  /** What was thrown; empty when the input was accepted. */
  error: string;
}

export interface FuzzReport {
  target: string;
  seed: number;
  runs: number;
  accepted: number;
  refused: number;
  crashes: readonly FuzzCase[];
  slowest: FuzzCase | null;
}

/** More are the same defect, usually, and inputs can be large. */
const KEPT_CRASHES = 100;

/** Reads `n` inputs of a target. Input `i` depends on the seed and on `i` alone: `first` begins with a later one. */
export async function fuzz<Input>(
  target: Target<Input>,
  seed: number,
  n: number,
  first = 0,
): Promise<FuzzReport> {
  const counts = { accepted: 0, refused: 0 };
  const crashes: FuzzCase[] = [];
  let slowest: FuzzCase | null = null;
  for (let index = first; index < first + n; index++) {
    const input = await target.make(rng(seed).fork(target.name).fork(String(index)));
    const begun = process.cpuUsage();
    const error = await thrownBy(() => target.read(input));
    const { user, system } = process.cpuUsage(begun);
    const ms = (user + system) / 1000;
    const isCrash = error !== null && !(error instanceof StudioError);
    if (!isCrash) counts[error === null ? "accepted" : "refused"]++;
    if (!isCrash && ms <= (slowest?.ms ?? 0)) continue;
    const found = { index, ms, input: short(target.show(input), 2000), error: textOf(error) };
    if (isCrash && crashes.length < KEPT_CRASHES) crashes.push(found);
    if (ms > (slowest?.ms ?? 0)) slowest = found;
  }
  return { target: target.name, seed, runs: n, ...counts, crashes, slowest };
}

async function thrownBy(work: () => void | Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error ?? new Error("nothing was thrown as an error");
  }
}

function textOf(error: unknown): string {
  if (error === null) return "";
  if (error instanceof StudioError) return short(`${error.name}: ${error.message}`, 500);
  return short(error instanceof Error ? (error.stack ?? error.message) : String(error), 2000);
}

/** Checks a promise that a reader keeps for every input. @throws Error if it is broken. */
export function promise(kept: boolean, what: string): void {
  if (!kept) throw new Error(`broken promise: ${what}`);
}
