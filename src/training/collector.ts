// Plays the next batch with a copy of the policy while the present batch is trained on. The schedule is fixed: the copy is renewed
// and playing begins at one point of every update, and every update waits at its end until the next batch is complete. Between two
// updates nothing runs, and no result depends on how long anything took.

import { EpisodeStream } from "../agent/episode-stream.ts";
import { trainingGroup } from "../agent/episodes.ts";
import { totalUpdates } from "../config/run-length.ts";
import type { Trajectory } from "../core/types.ts";
import { debug } from "../gpu/debug.ts";
import type { Generator } from "../policy/wgsl/generator.ts";
import type { Metrics } from "../rl/metrics.ts";
import { ppoDraw } from "./draw.ts";
import type { TrainingFact } from "./events.ts";
import { samplingOf } from "./hyperparameters.ts";
import { withProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { phase } from "./update.ts";

/** A batch that is being played, or has been. */
interface Ahead {
  update: number;
  result: Promise<Trajectory[]>;
  /** Called when an episode of it is over. */
  onEpisode: () => void;
}

/** The batches of a run's PPO updates, each played while the one before is trained on. */
export class Collector {
  private readonly stream: EpisodeStream;
  private readonly cancelled = new AbortController();
  private ahead: Ahead | null = null;

  private constructor(
    private readonly run: Run,
    policy: Generator,
  ) {
    const { rollout } = run.config;
    const groups = Math.ceil(rollout.train_batch_size / rollout.n_trajectory);
    const episodesOf = (batch: number, group: number, attempt: number) =>
      trainingGroup(ppoDraw(run, batch), group, attempt);
    this.stream = new EpisodeStream({ groups, episodesOf }, policy, policy.slots);
  }

  /** Null for a run that plays and trains in turn. */
  static of(run: Run): Collector | null {
    return run.rolloutPolicy && new Collector(run, run.rolloutPolicy);
  }

  /** Begins the batch of `update` with the policy as it is now. Training may go on meanwhile. */
  async begin(update: number): Promise<void> {
    const { engine, counters } = this.run;
    engine.refreshRolloutPolicy();
    counters.rolloutVersion = this.run.update;
    await this.play(update);
  }

  /**
   * The batch of `update`. If none has begun, it is played now: with the policy as it is, or, in a run that was resumed, with the
   * copy that played it before.
   * @throws what playing throws
   */
  async *take(update: number): AsyncGenerator<TrainingFact, Trajectory[]> {
    const { counters } = this.run;
    if (!this.ahead && counters.rolloutVersion === undefined) await this.begin(update);
    else if (!this.ahead) await this.play(update);
    const { result } = this.ahead!;
    yield* this.wait(update);
    this.ahead = null;
    delete counters.rolloutVersion;
    return result;
  }

  /** Waits until the batch that has begun is complete. An error in it is thrown by `take`, in the update that needs it. */
  async *wait(update: number): AsyncGenerator<TrainingFact, void> {
    const { ahead, run } = this;
    if (!ahead) return;
    const before = this.stream.done(ahead.update);
    const of = run.config.rollout.train_batch_size;
    yield* withProgress(
      (more) => phase("ppo", update, "rollout", Math.min(of, before + more), of),
      (step) => {
        ahead.onEpisode = step;
        return settled(ahead.result);
      },
    );
  }

  /** The groups that have been dropped since the last call; nothing where none can be. */
  dropped(): Metrics {
    if (this.run.config.rollout.max_head_offpolicyness < 2) return {};
    return { "rollout/rejected": this.stream.takeDropped() };
  }

  /** Ends what is being played. The collector cannot be used afterwards. */
  cancel(): void {
    this.cancelled.abort(new Error("The run has ended."));
  }

  private async play(update: number): Promise<void> {
    const { run, stream } = this;
    const { config, counters, task } = run;
    const { max_head_offpolicyness: limit, max_inflight_steps: mostCalls } = config.rollout;
    const ahead: Ahead = {
      update,
      onEpisode: () => undefined,
      result: stream.collect({
        task,
        batch: update,
        until: Math.min(update + limit - 1, Math.max(update, totalUpdates(config))),
        version: counters.rolloutVersion!,
        mostCalls,
        sampling: samplingOf(config, update),
        signal: this.cancelled.signal,
        onTrajectory: () => ahead.onEpisode(),
      }),
    };
    this.ahead = ahead;
    // Stepwise plans leave values in buffers that playing and training share.
    if (debug.finite) await settled(ahead.result);
    else void settled(ahead.result);
  }
}

/** Resolves when `work` has settled, either way. */
const settled = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  );
