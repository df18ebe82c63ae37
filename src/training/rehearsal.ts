// Rehearsal: SFT steps after a PPO update that maintain the policy's perception (`sft.rehearsal_steps`). A reward says little about the single
// words of an observation, so they may decay while decisions are learned. PPO-ptx (Ouyang et al. 2022, section 3.5) mixes gradients of
// pretraining into PPO for a similar reason. Rehearsal takes separate steps, and trains only the facts that demonstrations state.
import { factTokens } from "../agent/decision-tokens.ts";
import { misreadTokens } from "../agent/misread-tokens.ts";
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import { countMarked } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { readNamed } from "../gpu/read.ts";
import { flopsOfPasses, TRAINING_PASSES } from "../policy/wgsl/flops.ts";
import type { Metrics } from "../rl/metrics.ts";
import { type PackedTrajectory, sequencesOf, tokenCount } from "./batch.ts";
import { uploadBatch } from "./batch-upload.ts";
import { demonstrate, packDemonstrations } from "./demonstrations.ts";
import { rehearsalDraw } from "./draw.ts";
import type { TrainingFact } from "./events.ts";
import { ppoNumber, rehearsalSettings } from "./hyperparameters.ts";
import { macrotask } from "./macrotask.ts";
import type { Run } from "./run.ts";
import type { NonFiniteWatch } from "./skipped-steps.ts";
import { count, flopsOf, phase, stopwatch } from "./update.ts";
import { teachable, usableEpisodes } from "./usable.ts";

/** What the rehearsal after an update reports. */
interface Rehearsed {
  metrics: Metrics;
  /** Tokens of its demonstrations. */
  tokens: number;
}

/**
 * Takes the rehearsal steps after an update of PPO, if there are any. Demonstrations take the place of the update's batch on the GPU, so that
 * must have been read back.
 * @param config the configuration that the update began with; numbers of a step follow its changes.
 * @param update the update's number in the run.
 * @throws ConfigError as `packFacts` does; PolicyError("non_finite").
 */
export async function* rehearse(
  run: Run,
  config: RunConfig,
  update: number,
  watch: NonFiniteWatch,
): AsyncGenerator<TrainingFact, Rehearsed> {
  const { rehearsal_steps: steps } = config.sft;
  const settings = () => rehearsalSettings(run.config, ppoNumber(config, update));
  // While the critic goes first, nothing moves the policy.
  if (steps === 0 || settings().actorLr === 0) return { metrics: {}, tokens: 0 };
  const clock = stopwatch();
  let [trained, tokens] = [0, 0];
  run.engine.clearTotals();
  for (let step = 0; step < steps; step++) {
    yield phase("ppo", update, "rehearse", step, steps);
    await macrotask();
    const packed = await lessonOf(run, config, update, step);
    uploadBatch(run.engine, packed);
    if (factCount(packed) > 0) await run.engine.step(sequencesOf(packed), settings());
    trained += factCount(packed);
    tokens += tokenCount(packed);
    const flops = flopsOfPasses({ ...TRAINING_PASSES, critic: 0 }, flopsOf(run, packed, factCount(packed)));
    count(run, packed, packed.length, 1, 0, flops);
  }
  const metrics = await readBack(run, trained, watch);
  return { metrics: { ...metrics, "timing_s/rehearsal": clock() }, tokens };
}

/**
 * Checks, before a run begins, that its demonstrations can be rehearsed.
 * @throws ConfigError as `packFacts` does.
 */
export async function checkRehearsal(run: Run): Promise<void> {
  const { config } = run;
  if (config.sft.rehearsal_steps > 0 && config.trainer.total_updates > 0)
    await lessonOf(run, config, sftUpdates(config) + 1, 0);
}

async function lessonOf(
  { demoTask, isHeldOut, isHeldOutIn }: Run,
  config: RunConfig,
  update: number,
  step: number,
): Promise<PackedTrajectory[]> {
  const draw = rehearsalDraw({ config, isHeldOut, isHeldOutIn }, update, step);
  const how = { draw, oneTurn: false, seed: draw.runSeed };
  return packFacts(await demonstrate({ config, demoTask }, how), config, demoTask);
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
  const packed = packDemonstrations(usable, config, (one) => {
    const [facts, misread] = [factTokens(one, vocabulary), misreadTokens(one)];
    return facts.map((fact, t) => (fact && !misread[t] ? 0 : 1));
  });
  const statesFacts = (one: Trajectory) => countMarked(factTokens(one, vocabulary)) > 0;
  if (factCount(packed) > 0 || usable.some(statesFacts)) return packed;
  throw new ConfigError(
    "invalid_config",
    message`${setting("sft.rehearsal_steps")} is ${config.sft.rehearsal_steps}, but the demonstrated replies state no facts that could be rehearsed.`,
    message`Use 0, or a ${setting("rollout.prompt_format")} with an observation.`,
  );
}

/** Number of trained tokens. */
const factCount = (packed: readonly PackedTrajectory[]): number =>
  packed.reduce((sum, { lossMask }) => sum + countMarked(lossMask), 0);

/** Waits for the steps, and counts those that were skipped. Means are over the `trained` tokens of all steps. */
async function readBack(run: Run, trained: number, watch: NonFiniteWatch): Promise<Metrics> {
  const { engine, counters } = run;
  const { totals, optimizerState, criticState } = engine.buffers;
  const read = await readNamed(engine.gpu, {
    totals: { tensor: totals, length: 2 },
    optimizer: { tensor: optimizerState, length: optimizerState.length },
    criticOptimizer: { tensor: criticState, length: criticState.length },
  });
  counters.skippedSteps += watch(read, "actor.lr");
  return {
    ...(trained > 0 && {
      "rehearsal/loss": (read.totals[0] as number) / trained,
      "rehearsal/token_accuracy": (read.totals[1] as number) / trained,
    }),
    "training/skipped_steps": counters.skippedSteps,
  };
}
