// A run without a model: its "weights" are a running sum, so that a skipped or repeated update would show.

import { applyChanges } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { deferred } from "../../core/deferred.ts";
import { PolicyError } from "../../core/errors.ts";
import type { Trajectory } from "../../core/types.ts";
import type { Checkpoint } from "../../persistence/checkpoint.ts";
import type { TrainingFact } from "../../training/events.ts";
import type { SupervisedRun } from "../live-run.ts";

export const config: RunConfig = checkedRunConfig({
  name: "fake",
  sft: { total_updates: 2, one_turn_updates: 0 },
  trainer: { total_updates: 8, save_freq: 4 },
});
export const TOTAL = 10;

/** What a test wants to go wrong, by update. Each happens once. */
export interface Trouble {
  /** The device goes while this update is computed; the pull never answers. */
  lose?: number[];
  /** The device goes, and what is seen first is some other error. */
  breakBuffers?: number[];
  /** Something throws that has nothing to do with the device. */
  throwAt?: Map<number, Error>;
  /** Updates whose optimiser step is skipped for a non-finite gradient. */
  nonFinite?: number[];
  /** Updates that are followed by a validation. */
  validate?: number[];
  /** Those of them that show far less than is expected of the policy. */
  weak?: number[];
  /** How often a validation plays each level; once if absent. */
  samples?: number;
  /** The update with which SFT ends if it would go on, every time it is computed. */
  endSft?: number;
  /** Updates that move the policy much too far, every time they are computed. */
  leap?: number[];
  /** The losses of the first updates, which are then SFT. */
  sftLosses?: number[];
}

export class FakeRun implements SupervisedRun {
  readonly device = { vendor: "fake", architecture: "", description: "", software: true, features: [] };
  readonly memory = { total: 1, parts: {}, parameters: 1, largestBuffer: 1, limit: 1 };
  private readonly gone = deferred<string>();
  readonly lost = this.gone.promise;
  disposed = false;
  update: number;
  sum: number;
  validatedUpdate: number;

  constructor(
    readonly runId: string,
    public config: RunConfig,
    checkpoint: Checkpoint | undefined,
    readonly trouble: Trouble,
  ) {
    const own = checkpoint?.meta.runId === runId;
    this.update = own ? checkpoint.meta.update : 0;
    this.validatedUpdate = own ? (checkpoint.meta.counters.validatedUpdate ?? 0) : -1;
    this.sum = checkpoint?.tensors.get("param.sum")?.data[0] ?? 0;
  }

  applyChanges(changes: Readonly<Record<string, unknown>>): string[] {
    this.config = applyChanges(this.config, changes);
    return Object.keys(changes);
  }

  async save(): Promise<Checkpoint> {
    const { runId, update } = this;
    return {
      meta: {
        format: "vagen-studio-checkpoint",
        version: 1,
        runId,
        update,
        stage: "ppo",
        config: this.config,
        vocabulary: { version: 1, hash: "", surfaces: [] },
        counters: { validatedUpdate: this.validatedUpdate },
        architecture: {},
      },
      tensors: new Map([["param.sum", { shape: [1], data: Float32Array.of(this.sum) }]]),
    };
  }

  loseDevice(): void {
    this.gone.resolve("The fake device was lost");
  }

  dispose(): void {
    this.disposed = true;
  }
}

/** The fake's training: update u adds u to the sum, and its metrics show the sum. */
export async function* fakeTrain(run: FakeRun, signal: AbortSignal): AsyncGenerator<TrainingFact> {
  const { trainer } = run.config;
  let badInARow = 0;
  yield { type: "stage", stage: "ppo", firstUpdate: 1, lastUpdate: TOTAL };
  yield* fakeValidation(run, signal);
  while (run.update < run.config.sft.total_updates + trainer.total_updates && !signal.aborted) {
    const update = run.update + 1;
    yield { type: "phase", stage: "ppo", update, phase: "rollout", done: 0, of: 1 };
    yield { type: "trajectory", update, source: "train", trajectory: fakeTrajectory(`t${update}`) };
    await misfortune(run, update);
    run.sum += update;
    yield { type: "phase", stage: "ppo", update, phase: "update", done: 1, of: 1 };
    const isBad = strikes(run.trouble.nonFinite, update);
    badInARow = isBad ? badInARow + 1 : 0;
    if (badInARow === 3) throw new PolicyError("non_finite", "not finite three times", "Halve actor.lr.");
    run.update = update;
    if (run.trouble.endSft === update && run.config.sft.total_updates > update) {
      run.applyChanges({ "sft.total_updates": update });
      yield { type: "sft_ended", update, message: `SFT ended after ${update} updates.` };
    }
    const values = {
      sum: run.sum,
      lr: run.config.actor.lr,
      "actor/ppo_kl": isBad ? Number.NaN : run.trouble.leap?.includes(update) ? 1 : 0,
      "training/skipped_in_a_row": badInARow,
    };
    const loss = run.trouble.sftLosses?.[update - 1];
    const totals = { tokens: 10, episodes: 1, wallMs: 5 };
    yield loss === undefined
      ? { type: "metrics", stage: "ppo", update, values, ...totals }
      : { type: "metrics", stage: "warmup", update, values: { "sft/loss": loss }, ...totals };
    yield* fakeValidation(run, signal);
    if (signal.aborted) return;
    if (update % trainer.save_freq === 0) yield { type: "checkpoint_due", update };
  }
}

/** An episode in which nothing happened. */
export function fakeTrajectory(id: string): Trajectory {
  const floats = new Float32Array();
  return {
    ...{ id, envId: "frozenlake", seed: 1, groupId: id, turns: [] },
    ...{ terminated: false, truncated: true, success: false },
    tokens: {
      ids: new Int32Array(),
      responseMask: new Uint8Array(),
      turnEndMask: new Uint8Array(),
      turnIndex: new Int16Array(),
      imagePatch: new Int32Array(),
      ...{ rolloutLogprobs: floats, rewards: floats, values: floats, advantages: floats },
      ...{ returns: floats, entropy: floats, refLogprobs: floats },
    },
  };
}

/** A validation of two episodes at two temperatures, which a stop cuts. */
function* fakeValidation(run: FakeRun, signal: AbortSignal): Generator<TrainingFact> {
  const { update, trouble } = run;
  if (!trouble.validate?.includes(update) || run.validatedUpdate >= update) return;
  for (const done of [0, 1, 2]) {
    yield { type: "phase", stage: "ppo", update, phase: "validate", done, of: 2 };
    if (signal.aborted) return;
  }
  run.validatedUpdate = update;
  const isWeak = trouble.weak?.includes(update);
  const counts = { episodes: 64, successes: 0, interval: [0, 0.06] } as const;
  const metrics = { "val/format_correct": isWeak ? 0 : 1 };
  const reports = [1, 0].map((temperature) => ({
    ...({ update, stage: "ppo", temperature, ...counts, metrics } as const),
    ...(trouble.samples && temperature > 0 && { samples: trouble.samples }),
    ...(isWeak && temperature > 0 && { expected: { "expected/format_correct": 1 } }),
  }));
  yield { type: "validation", reports };
}

async function misfortune(run: FakeRun, update: number): Promise<void> {
  const { trouble } = run;
  const error = trouble.throwAt?.get(update);
  if (error) {
    trouble.throwAt!.delete(update);
    throw error;
  }
  if (strikes(trouble.lose, update)) {
    run.loseDevice();
    await new Promise(() => {});
  }
  if (strikes(trouble.breakBuffers, update)) {
    queueMicrotask(() => run.loseDevice());
    throw new Error("mapAsync: the buffer was destroyed");
  }
}

/** Whether this update is on the list; it is taken off, so that the second try goes well. */
function strikes(list: number[] | undefined, update: number): boolean {
  const at = list?.indexOf(update) ?? -1;
  if (at >= 0) list!.splice(at, 1);
  return at >= 0;
}
