// What a run asks about the levels of its environments: which ones training must not play, and which ones it may have played.
import type { Task } from "../agent/task.ts";
import { entryConfig } from "../config/entries.ts";
import { trainingSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import { macrotask } from "../training/macrotask.ts";
import type { LevelTests, SeedTest } from "../training/run.ts";
import { heldOutSeeds, type LevelText, levelTexts } from "./held-out.ts";

/** The tests of the levels of a run. Both tests of an environment compute a level once. */
export function levelTests(task: Task, configNow: () => RunConfig): LevelTests {
  const testsOf = (one: Task, config: () => RunConfig) => {
    const level = levelTexts(one);
    return { isHeldOut: heldOutSeeds(one, config, level), trained: trainedSeeds(config, level) };
  };
  const first = testsOf(task, configNow);
  const others = [...(task.others ?? [])].map(
    ([name, other]) => [name, testsOf(other, () => entryConfig(configNow(), name))] as const,
  );
  return {
    isHeldOut: first.isHeldOut,
    isHeldOutIn: new Map(others.map(([name, { isHeldOut }]) => [name, isHeldOut])),
    trained: first.trained,
    trainedIn: new Map(others.map(([name, { trained }]) => [name, trained])),
  };
}

/** How long levels are computed before messages that have arrived are handled. */
const WORK_MS = 50;

/**
 * A test of seeds that resolves to true if training may play the level, under this seed or another. The levels of all training seeds
 * are computed with the first question, which takes seconds; most are known by then, because training has drawn them. With
 * `trainer.skip_validation_levels` off, only seeds are compared, because such levels are slow to compute or are meant to be shared.
 */
export function trainedSeeds(configNow: () => RunConfig, level: LevelText): () => Promise<SeedTest> {
  let known: Promise<SeedTest> | undefined;
  // Neither setting changes during a run.
  return () => (known ??= testOf(configNow(), level));
}

async function testOf(config: RunConfig, level: LevelText): Promise<SeedTest> {
  const named = new Set(trainingSeeds(config));
  if (!config.trainer.skip_validation_levels) return (seed) => named.has(seed);
  const levels = new Set<string>();
  let pausedAt = performance.now();
  for (const seed of named) {
    levels.add(level(seed));
    if (performance.now() - pausedAt < WORK_MS) continue;
    await macrotask();
    pausedAt = performance.now();
  }
  return (seed) => named.has(seed) || levels.has(level(seed));
}
