// An update of the first stage: imitate fresh demonstrations.
import { decisionTokens } from "../agent/decision-tokens.ts";
import { misreadTokens } from "../agent/misread-tokens.ts";
import type { Task } from "../agent/task.ts";
import { separateSequences } from "../config/batch-size.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import { flopsOfPasses, TRAINING_PASSES } from "../policy/wgsl/flops.ts";
import { estimators } from "../rl/advantage/index.ts";
import { episodeMetrics } from "../rl/metrics.ts";
import { estimateAdvantages } from "./advantages.ts";
import { packBatch, sequencesOf, tokenCount } from "./batch.ts";
import { uploadBatch } from "./batch-upload.ts";
import type { Demonstrations } from "./demonstrations.ts";
import type { TrainingFact } from "./events.ts";
import { maskOptions, sftAdvantages, sftSettings, shapingWithoutNorm } from "./hyperparameters.ts";
import { weighMarked } from "./loss-weights.ts";
import type { Run } from "./run.ts";
import { samplesOf, setTrainRewards } from "./samples.ts";
import { testSft } from "./sft-test.ts";
import type { NonFiniteWatch } from "./skipped-steps.ts";
import { count, flopsOf, metricOptions, phase, stopwatch, type UpdateResult } from "./update.ts";
import { sftMetrics } from "./update-metrics.ts";
import { readUpdate } from "./update-readback.ts";
import { teachable, usableEpisodes } from "./usable.ts";

/** One supervised update on fresh demonstrations. While the GPU works, those of the next update are made. */
export async function* sftUpdate(
  run: Run,
  update: number,
  watch: NonFiniteWatch,
  demonstrations: Demonstrations,
): AsyncGenerator<TrainingFact, UpdateResult> {
  const { engine, config } = run;
  const settings = sftSettings(config, update);
  yield phase("warmup", update, "rollout");
  const clock = stopwatch();
  const trajectories = await demonstrations.take(update);
  const episodes = episodeMetrics(trajectories, metricOptions(run));
  checkSummaries(trajectories, run.demoTask);
  const taught = teachable(trajectories, config.rollout.response_length);
  const usable = usableEpisodes(taught);
  const samples = samplesOf(usable, separateSequences(config));
  setTrainRewards(samples, config, shapingWithoutNorm(config));
  const packed = packBatch(samples, {
    ...maskOptions(config),
    lossMask: true,
    averageSequences: false,
    ...(config.sft.misread_fraction > 0 && { untaught: misreadTokens }),
  });
  if (config.sft.decision_weight !== 1)
    weighMarked(packed, config.sft.decision_weight, (one) => decisionTokens(one, run.demoTask.vocabulary));
  const gen = clock();
  yield phase("warmup", update, "update");
  uploadBatch(engine, packed);
  const estimator = estimators.get(config.algorithm.adv_estimator);
  const unscored = { scored: false, everyToken: false, refPolicy: false };
  await estimateAdvantages(engine, estimator, packed, sftAdvantages(config), unscored);
  engine.clearTotals();
  await engine.step(sequencesOf(packed), settings);
  demonstrations.prepare(update + 1);
  const read = await readUpdate(engine, packed, { refPolicy: false, klInReward: false });
  count(
    run,
    packed,
    usable.length,
    1,
    watch(read, "sft.lr"),
    flopsOfPasses(TRAINING_PASSES, flopsOf(run, packed)),
  );
  const trained = clock();
  const metrics = {
    ...sftMetrics(packed, read),
    ...(yield* testSft(run, update)),
    ...episodes,
    "sft/too_long": 1 - taught.length / trajectories.length,
    "timing_s/gen": gen,
    "timing_s/update_actor": trained,
    "training/skipped_steps": run.counters.skippedSteps,
    "actor/lr": settings.actorLr,
  };
  return { metrics, trajectories: usable, tokens: tokenCount(packed) };
}

/** Demonstrated summaries must be whole: PPO would have to write what SFT never showed. @throws ConfigError */
function checkSummaries(trajectories: readonly Trajectory[], { layout, vocabulary }: Task): void {
  const isCut = ({ tokens }: Trajectory) =>
    (tokens.sequences ?? []).some(
      ({ summaryFrom, to }) => summaryFrom !== undefined && tokens.ids[to - 1] !== vocabulary.eos,
    );
  if (layout?.kind !== "compact" || !trajectories.some(isCut)) return;
  throw new ConfigError(
    "invalid_config",
    message`A demonstrated summary does not fit into ${layout.maxSummary} tokens.`,
    message`Raise ${setting("trainer.compact_summary_budget")}, or choose a shorter ${setting("rollout.state_format")}.`,
  );
}
