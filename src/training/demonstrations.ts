// The demonstrations of SFT. Those of the next update are made while the GPU trains on the present ones: the two need nothing of
// each other, because demonstrations follow from the configuration, the seed and the number of the update.
import { trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch } from "../agent/players.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import type { Trajectory } from "../core/types.ts";
import { type LevelPool, sftDraw } from "./draw.ts";
import type { Run } from "./run.ts";

/** A batch that was made before its update. */
interface Ahead {
  update: number;
  /** The configuration that it follows from. */
  config: RunConfig;
  batch: Promise<Trajectory[]>;
}

/** The demonstrations of a run's SFT updates. No update gets those of another. */
export class Demonstrations {
  private ahead: Ahead | null = null;

  constructor(private readonly run: LevelPool & Pick<Run, "demoTask">) {}

  /** Those of an update: made ahead, unless a setting has changed since, or else now. */
  take(update: number): Promise<Trajectory[]> {
    const { ahead } = this;
    this.ahead = null;
    const isValid = ahead?.update === update && ahead.config === this.run.config;
    return isValid ? ahead.batch : this.make(update);
  }

  /** Begins those of an update, if it is one of SFT. An error in them is thrown by `take`, in the update that needs them. */
  prepare(update: number): void {
    const { config } = this.run;
    if (update > sftUpdates(config)) return;
    const batch = this.make(update);
    batch.catch(() => undefined);
    this.ahead = { update, config, batch };
  }

  private make(update: number): Promise<Trajectory[]> {
    const { seed, sft } = this.run.config;
    return demonstrationBatch({
      task: this.run.demoTask,
      episodes: trainingEpisodes(sftDraw(this.run, update)),
      skill: {
        randomFraction: sft.random_fraction,
        expertFraction: sft.expert_fraction,
        misreadFraction: sft.misread_fraction,
      },
      oneTurn: update <= sft.one_turn_updates,
      seed,
    });
  }
}
