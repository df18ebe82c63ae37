// The demonstrations of SFT and of rehearsal. Those of SFT's next update are made while the GPU trains on the present ones: the two need
// nothing of each other, because demonstrations follow from the configuration, the seed and the number of the update.
import { type TrainingDraw, trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch } from "../agent/players.ts";
import { separateSequences } from "../config/batch-size.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import type { Trajectory } from "../core/types.ts";
import { type MaskOptions, type PackedTrajectory, packBatch } from "./batch.ts";
import { type LevelPool, sftDraw } from "./draw.ts";
import { maskOptions, shapingWithoutNorm } from "./hyperparameters.ts";
import type { Run } from "./run.ts";
import { samplesOf, setTrainRewards } from "./samples.ts";

/** What demonstrations are made from. */
type Teaching = Pick<Run, "config" | "demoTask">;

interface Drawn {
  draw: TrainingDraw;
  /** Cuts every demonstration after its first turn. */
  oneTurn: boolean;
  /** Seeds the decisions of the demonstrator. */
  seed: number;
}

/** Plays demonstrations with the skill that the configuration gives their demonstrator. */
export function demonstrate({ config, demoTask }: Teaching, { draw, ...how }: Drawn): Promise<Trajectory[]> {
  const { random_fraction, expert_fraction, misread_fraction } = config.sft;
  return demonstrationBatch({
    task: demoTask,
    episodes: trainingEpisodes(draw),
    skill: {
      randomFraction: random_fraction,
      expertFraction: expert_fraction,
      misreadFraction: misread_fraction,
    },
    ...how,
  });
}

/** Packs demonstrations with their rewards. All tokens of their replies are trained on except those that `untaught` marks. */
export function packDemonstrations(
  demonstrations: readonly Trajectory[],
  config: RunConfig,
  untaught?: MaskOptions["untaught"],
): PackedTrajectory[] {
  const samples = samplesOf(demonstrations, separateSequences(config));
  setTrainRewards(samples, config, shapingWithoutNorm(config));
  return packBatch(samples, {
    ...maskOptions(config),
    lossMask: true,
    averageSequences: false,
    ...(untaught && { untaught }),
  });
}

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

  constructor(private readonly run: LevelPool & Teaching) {}

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
    const draw = sftDraw(this.run, update);
    return demonstrate(this.run, { draw, oneTurn: update <= sft.one_turn_updates, seed });
  }
}
