// Rehearsal: SFT steps after a PPO update that keep up what the policy sees (`sft.rehearsal_steps`). A reward says little about single words
// of an observation, so they may decay while decisions are learned. PPO-ptx (Ouyang et al. 2022, section 3.5) mixes gradients of
// pretraining into PPO against the like. Here demonstrations are rehearsed, in steps of their own, and of them only the stated facts:
// decisions and predictions are left to PPO.
import { factTokens } from "../agent/decision-tokens.ts";
import { misreadTokens } from "../agent/misread-tokens.ts";
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import { countMarked } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { readNamed } from "../gpu/read.ts";
import { flopsOfPasses, TRAINING_PASSES } from "../policy/wgsl/flops.ts";
import type { Metrics } from "../rl/metrics.ts";
import { type PackedTrajectory, sequencesOf } from "./batch.ts";
import { uploadBatch } from "./batch-upload.ts";
import { demonstrate, packDemonstrations } from "./demonstrations.ts";
import { rehearsalDraw } from "./draw.ts";
import type { TrainingFact } from "./events.ts";
import { ppoNumber, rehearsalSettings } from "./hyperparameters.ts";
import { macrotask } from "./macrotask.ts";
import type { Run } from "./run.ts";
import { flopsOf, phase, stopwatch } from "./update.ts";
import { teachable, usableEpisodes } from "./usable.ts";

/**
 * Takes the rehearsal steps of PPO update `update`, if there are any, and returns their metrics. Demonstrations take the place of the
 * update's batch on the GPU, so that must have been read back.
 * @param config the configuration that the update began with.
 * @throws ConfigError("invalid_config") if the demonstrations state no facts, or are too long.
 */
export async function* rehearse(
  run: Run,
  config: RunConfig,
  update: number,
): AsyncGenerator<TrainingFact, Metrics> {
  const { rehearsal_steps: steps } = config.sft;
  const settings = rehearsalSettings(config, ppoNumber(config, update));
  // While the critic goes first, nothing moves the policy.
  if (steps === 0 || settings.actorLr === 0) return {};
  const { engine, demoTask, isHeldOut, isHeldOutIn } = run;
  const clock = stopwatch();
  let trained = 0;
  engine.clearTotals();
  for (let step = 0; step < steps; step++) {
    yield phase("ppo", update, "rehearse", step, steps);
    await macrotask();
    const draw = rehearsalDraw({ config, isHeldOut, isHeldOutIn }, update, step);
    const demonstrations = await demonstrate(
      { config, demoTask },
      { draw, oneTurn: false, seed: draw.runSeed },
    );
    const packed = packFacts(demonstrations, config, demoTask);
    uploadBatch(engine, packed);
    await engine.step(sequencesOf(packed), settings);
    trained += factCount(packed);
    run.counters.flops += flopsOfPasses(TRAINING_PASSES, flopsOf(run, packed));
  }
  return { ...(await lossMetrics(run, trained)), "timing_s/rehearsal": clock() };
}

/**
 * Packs demonstrations, of which only stated facts are trained on, and none of a misread turn.
 * @throws ConfigError("invalid_config") if they state none, or are too long.
 */
export function packFacts(
  demonstrations: readonly Trajectory[],
  config: RunConfig,
  { vocabulary }: Pick<Task, "vocabulary">,
): PackedTrajectory[] {
  const usable = usableEpisodes(teachable(demonstrations, config.rollout.response_length));
  const untaught = (one: Trajectory) => {
    const [facts, misread] = [factTokens(one, vocabulary), misreadTokens(one)];
    return facts.map((fact, t) => (fact && !misread[t] ? 0 : 1));
  };
  const packed = packDemonstrations(usable, config, untaught);
  if (factCount(packed) > 0) return packed;
  throw new ConfigError(
    "invalid_config",
    message`${setting("sft.rehearsal_steps")} is ${config.sft.rehearsal_steps}, but demonstrated replies state no facts that could be told from their decisions.`,
    message`Use 0, or a ${setting("rollout.prompt_format")} with an observation.`,
  );
}

const factCount = (packed: readonly PackedTrajectory[]): number =>
  packed.reduce((sum, { lossMask }) => sum + countMarked(lossMask), 0);

/** Waits for the steps. Means are over the tokens of all steps. */
async function lossMetrics({ engine }: Run, trained: number): Promise<Metrics> {
  const { totals: tensor } = engine.buffers;
  const { totals } = await readNamed(engine.gpu, { totals: { tensor, length: 2 } });
  return {
    "rehearsal/loss": (totals[0] as number) / trained,
    "rehearsal/token_accuracy": (totals[1] as number) / trained,
  };
}
