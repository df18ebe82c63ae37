// What a suite of the torture command is: many seeded trials, and a few figures that say how they went.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Rng, rng } from "../../src/core/rng.ts";

/** One line of the report. */
export interface Figure {
  readonly figure: string;
  readonly value: string;
  readonly passed: boolean;
}

/** How a suite is run. */
export interface SuiteOptions {
  /** Trials; the suite's own number where it is not given. */
  readonly count?: number | undefined;
  readonly seed: number;
  /** The number of the first trial. */
  readonly first: number;
  /** Run this trial only. */
  readonly trial?: string | undefined;
  /** A folder of the suite's own. What is left in it at the end belongs to a failure. */
  readonly folder: string;
  /** Shows what the suite is doing. */
  progress(text: string): void;
  /** Reports a problem at once, with the command that repeats its trial. */
  fail(trial: number | string, problems: readonly string[], folder?: string): void;
}

export interface Suite {
  readonly name: string;
  readonly summary: string;
  run(options: SuiteOptions): Promise<Figure[]>;
}

/** The random numbers of one trial; those of the others do not change them. */
export const trialRng = (seed: number, suite: string, trial: number): Rng =>
  rng(seed).fork(suite).fork(`${trial}`);

/** The numbers of the trials to run: all of `count`, or the chosen one. */
export const trialNumbers = ({ count, first, trial }: SuiteOptions, usual: number): number[] =>
  trial === undefined ? Array.from({ length: count ?? usual - first }, (_, i) => first + i) : [Number(trial)];

/** A folder for one trial, which is removed unless the trial has problems. */
export async function inFolder(
  options: SuiteOptions,
  trial: number | string,
  work: (folder: string) => Promise<string[]>,
): Promise<boolean> {
  const folder = join(options.folder, `${trial}`);
  await rm(folder, { recursive: true, force: true });
  const problems = await work(folder).catch((error: unknown) => [String((error as Error)?.stack ?? error)]);
  if (problems.length > 0) options.fail(trial, problems, folder);
  else await rm(folder, { recursive: true, force: true });
  return problems.length === 0;
}
