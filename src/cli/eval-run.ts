// What `eval` plays: a checkpoint and the players that it is compared with, all on the same levels.
import { basename } from "node:path";
import type { Task } from "../agent/task.ts";
import { entryConfig, furtherEntries } from "../config/entries.ts";
import { setNames, trainingSeeds, validationSeeds } from "../config/levels.ts";
import { type RunConfig, VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { nearest } from "../config/suggest.ts";
import { baselines } from "../eval/baselines.ts";
import { controls } from "../eval/controls.ts";
import { type Evaluation, evaluate } from "../eval/evaluate.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import type { Policy } from "../policy/policy.ts";
import type { Explainable } from "../rl/explainable.ts";
import { sampleMetrics, turnCounts } from "../rl/samples-per-level.ts";
import { buildRun } from "../run/build-run.ts";
import { unseenLevels } from "../run/held-out.ts";
import type { Consent } from "../run/judge-consent.ts";
import type { SimilarityModels } from "../run/similarity-models.ts";
import type { Run } from "../training/run.ts";
import { playedMetrics } from "../training/update.ts";
import { UsageError } from "./args.ts";
import { criticOf, openCheckpoint, trainedConfig } from "./checkpoint.ts";
import type { EvalProgress } from "./eval-progress.ts";
import { explainableOf } from "./explainable.ts";
import { gpus, requestGpu } from "./gpu.ts";
import { nodeJudgeHost } from "./judge-host.ts";
import { openShown, similarityModels, withSimilarities } from "./similarity.ts";
import { type Changes, changed, inHouses } from "./source.ts";

/** The levels of a run whose configuration names none to validate on. */
export const DEFAULT_LEVELS: readonly number[] = consecutive(VALIDATION_FIRST_SEED, 256);

/** What is played, and how. */
export interface EvalRequest {
  /** What `readCheckpoint` reads. */
  checkpoint: string;
  /** Settings to change in the checkpoint's configuration. */
  changes: Changes;
  consent: Consent;
  /** The environment or the validation set to play, by its name; undefined for the first environment. */
  game: string | undefined;
  /** The levels; undefined for those of the game. */
  seeds: readonly number[] | undefined;
  /** Leave out the levels that training plays. */
  unseen: boolean;
  /** Of sampling; 0 is greedy. */
  temperature: number;
  /** Episodes of each level. */
  samples: number;
  /** Also play the scripted baselines. */
  baselines: boolean;
  /** Also play the checkpoint with something hidden. */
  controls: boolean;
  /** Also estimate the share of returns that the state explains. */
  explainable: boolean;
  /** Models that compare drawings, each as `<kind>=<file.onnx>`. */
  similarities: readonly string[];
}

/** How a player did. */
export interface PlayerResult {
  policy: string;
  /** What a baseline does, or what a control hides; absent for the checkpoint. */
  description?: string;
  /** A baseline that samples no tokens. */
  scripted: boolean;
  evaluation: Evaluation;
  task: Task;
  /** Of the checkpoint, where it is asked for. */
  explainable?: Explainable;
  /** Levels that --unseen left out, of how many; undefined without it. */
  seen?: number;
  asked?: number;
  /** A sentence about the critic that the checkpoint was trained with, if it read the simulator's state. */
  critic?: string;
}

/**
 * Plays the checkpoint and what it is compared with; the checkpoint's result is the first.
 * @throws UsageError for a request that the checkpoint cannot serve; CheckpointError, ConfigError, ExtensionError or GpuError
 * if its run cannot be built.
 */
export async function evaluatePlayers(request: EvalRequest, progress: EvalProgress): Promise<PlayerResult[]> {
  const models = similarityModels(request.similarities);
  return withRun(request.checkpoint, { ...request, models }, async (run, meta) => {
    const match = matchOf(run, request, progress);
    await openShown(models, run.config, match.task.spec);
    const results = [
      await playCheckpoint(match, request, meta),
      ...(request.baselines ? await playBaselines(match) : []),
      ...(request.controls ? await playControls(match) : []),
    ];
    for (const result of results)
      result.evaluation = await withSimilarities(result.evaluation, result.task, models);
    return results;
  }).finally(() => models.release());
}

/** What all players have in common. */
interface Match {
  run: Run;
  /** The run as if the environment that is played were its only one. */
  config: RunConfig;
  task: Task;
  /** The task as training plays it. */
  trained: Task;
  /** Levels that were asked for and are not played, because training plays them. */
  seen: number;
  /** Levels that were asked for. */
  asked: number;
  /** Plays a policy on the levels and reports its progress under a name; a control changes the task. */
  play(name: string, policy: Policy, task?: Task): Promise<Evaluation>;
}

function matchOf(
  run: Run,
  { game, seeds, unseen, temperature, samples }: EvalRequest,
  progress: EvalProgress,
): Match {
  const { task, config, trained, levels: own } = gameNamed(run, game);
  const wanted = seeds ?? own;
  const levels = unseen ? unseenOf({ task, config, trained, levels: wanted }) : wanted;
  const episodes = levels.length * (temperature > 0 ? samples : 1);
  const play = (name: string, policy: Policy, played = task) =>
    progress.during(name, episodes, (onTrajectory) =>
      measure(run, policy, levels, temperature, { samples, task: played, onTrajectory }),
    );
  return { run, config, task, trained, seen: wanted.length - levels.length, asked: wanted.length, play };
}

/** An environment of a run, or one of its validation sets. */
interface Game {
  task: Task;
  /** The task as training plays it. A validation set may change its options and turns. */
  trained: Task;
  /** The run as if the environment were its only one. */
  config: RunConfig;
  /** The levels to play where none are named. */
  levels: readonly number[];
}

/** The environment or validation set of that name, by default the first environment. @throws UsageError */
export function gameNamed(run: Pick<Run, "config" | "evalTask" | "evalSets">, name?: string): Game {
  const sets = setNames(run.config);
  const set = sets.includes(name!) ? run.evalSets.find((one) => one.name === name) : undefined;
  const entry = set ? run.config.trainer.val_sets[set.name]!.env : name;
  const trained = taskNamed(run.evalTask, entry, sets);
  const config = entryConfig(run.config, entry);
  return { task: set?.task ?? trained, trained, config, levels: set?.seeds ?? levelsOf(config) };
}

async function playCheckpoint(
  { run, task, seen, asked, play }: Match,
  { checkpoint, unseen, explainable }: EvalRequest,
  meta: CheckpointMeta,
): Promise<PlayerResult> {
  const name = basename(checkpoint);
  const evaluation = await play(name, run.policy);
  return {
    policy: name,
    scripted: false,
    evaluation,
    task,
    critic: criticOf(meta),
    ...(unseen && { seen, asked }),
    ...(explainable && { explainable: explainableOf(evaluation, task) }),
  };
}

async function playBaselines({ config, task, trained, play }: Match): Promise<PlayerResult[]> {
  const training = { ...trained, seeds: trainingSeeds(config) };
  const results: PlayerResult[] = [];
  for (const { title, describe, create, plays } of baselines.all) {
    if (plays?.(task) === false) continue;
    const evaluation = await play(title, create(task, training));
    results.push({ policy: title, description: describe(task), scripted: true, evaluation, task });
  }
  return results;
}

/** The checkpoint with something hidden. */
async function playControls({ run, task: own, play }: Match): Promise<PlayerResult[]> {
  const results: PlayerResult[] = [];
  for (const { title, description, apply } of controls.all) {
    const task = apply(own);
    if (!task) continue;
    const evaluation = await play(title, run.policy, task);
    results.push({ policy: title, description, scripted: false, evaluation, task });
  }
  return results;
}

/** The levels on which a checkpoint of that configuration is measured. */
export const levelsOf = (config: RunConfig): readonly number[] =>
  config.trainer.val_seeds === "" ? DEFAULT_LEVELS : validationSeeds(config);

function unseenOf({ task, config, trained, levels }: Game): number[] {
  const unseen = unseenLevels(trained, config, levels, task);
  if (unseen.length > 0) return unseen;
  throw new UsageError(
    `--unseen leaves no level: training plays all ${levels.length}.`,
    "Name other levels with --seeds.",
  );
}

/**
 * The task of a run in the environment of that name, by default the first.
 * @param sets what else may be named, for the message that there is none.
 * @throws UsageError
 */
export function taskNamed(task: Task, name: string | undefined, sets: readonly string[] = []): Task {
  if (name === undefined || name === task.spec.id) return task;
  const found = task.others?.get(name);
  if (found) return found;
  const names = [task.spec.id, ...(task.others?.keys() ?? []), ...sets];
  const near = nearest(name, names);
  throw new UsageError(
    `--env is "${name}"; the run has no environment${sets.length > 0 ? " or validation set" : ""} of that name.`,
    near ? `Did you mean "${near}"?` : `It has: ${names.join(", ")}.`,
  );
}

/** Evaluates a checkpoint on the validation levels of each of its environments; `further` has those after the first by name. */
export const evaluateCheckpoint = (file: string, temperature: number, opening: Opening) =>
  withRun(file, opening, async (run) => {
    const further: Record<string, Evaluation> = {};
    const first = await measure(run, run.policy, levelsOf(run.config), temperature);
    for (const { name, config } of furtherEntries(run.config))
      further[name] = await measure(run, run.policy, levelsOf(config), temperature, {
        task: taskNamed(run.evalTask, name),
      });
    return { ...first, further };
  });

/** How the run of a checkpoint is built. */
export interface Opening {
  consent: Consent;
  /** Settings to change; absent: none. */
  changes?: Changes;
  /** Models that compare drawings; absent: none are given. */
  models?: SimilarityModels;
}

/** Builds a checkpoint's run, and disposes of it after `use`, which also gets what the file says. */
export async function withRun<T>(
  name: string,
  { consent, changes = {}, models }: Opening,
  use: (run: Run, meta: CheckpointMeta) => Promise<T>,
): Promise<T> {
  const checkpoint = await openCheckpoint(name, { otherHouses: true });
  const stored = inHouses(changed(trainedConfig(checkpoint.meta), changes));
  // The checkpoint that its own run started from does not matter, and advice should not mention it.
  const config = { ...stored, trainer: { ...stored.trainer, init_checkpoint: "" } };
  const host = nodeJudgeHost({ consent });
  // Under another id than the run's own, so that only the weights are loaded.
  const run = await buildRun(`eval of ${name}`, config, await requestGpu(), checkpoint, {
    judgeHost: host,
    models,
    gpus,
    playsOnly: true,
  });
  try {
    return await use(run, checkpoint.meta);
  } finally {
    run.dispose();
  }
}

/** What may be left out of a measurement. */
interface MeasureOptions {
  /** Episodes of each level; default 1. */
  samples?: number;
  /** Default: the run's own. */
  task?: Task;
  /** Called after each episode. */
  onTrajectory?: () => void;
}

/** Plays a policy on levels, one episode each by default. */
export async function measure(
  run: Run,
  policy: Policy,
  seeds: readonly number[],
  temperature: number,
  { samples = 1, task = run.evalTask, onTrajectory }: MeasureOptions = {},
): Promise<Evaluation> {
  const { rollout, seed } = run.config;
  const [evaluation] = await evaluate(policy, {
    seeds,
    task,
    temperatures: [temperature],
    samples,
    parallel: run.policy.slots,
    ...(onTrajectory && { onTrajectory }),
    sampling: { temperature, topP: 1, topK: 0, maxTokens: rollout.response_length, seed: seed >>> 0 },
    measure: (trajectories) => ({
      ...playedMetrics(run, trajectories, "val", task),
      ...sampleMetrics(trajectories, task.spec.id),
      ...turnCounts(trajectories),
    }),
  });
  return evaluation!;
}
