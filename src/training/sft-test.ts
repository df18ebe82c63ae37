// When SFT ends: the policy plays levels that neither training nor a validation plays, and its facts have to be right.
import { type Episode, validationEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { isSftTestDue, sftUpdates } from "../config/run-length.ts";
import { counted, formatShare } from "../core/format.ts";
import { message, said, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import type { Policy } from "../policy/policy.ts";
import { factsRight } from "../rl/facts.ts";
import type { Metrics } from "../rl/metrics.ts";
import { sftTestLevels } from "./draw.ts";
import type { TrainingFact } from "./events.ts";
import { withProgress } from "./progress.ts";
import type { LevelTests, Run } from "./run.ts";
import { phase } from "./update.ts";

/** The metric of a test. */
const FACTS_RIGHT = "sft/facts_right";

/** What a test needs of a run. */
type Tested = Pick<Run, "config" | "demoTask" | keyof LevelTests> & {
  readonly policy: Policy & Pick<Run["policy"], "slots">;
};

/** Runs whose facts cannot be judged. Further tests would show no more, so they are not played. */
const unjudged = new WeakSet<Tested>();

/**
 * Plays the levels of a test if one is due after `update`; the share of right facts (`rl/facts.ts`). No metric, and a warning once for each time
 * that the run is built, where nothing that the policy says of the present state can be judged.
 */
export async function* testSft(run: Tested, update: number): AsyncGenerator<TrainingFact, Metrics> {
  if (!isSftTestDue(run.config, update) || unjudged.has(run)) return {};
  const right = factsRight(yield* playTest(run, update));
  if (right !== null) return { [FACTS_RIGHT]: right };
  unjudged.add(run);
  yield cannotJudge(update, sftUpdates(run.config));
  return {};
}

const cannotJudge = (update: number, all: number): TrainingFact => ({
  type: "warning",
  update,
  code: "sft_target_unjudged",
  ...said(
    message`Nothing that the policy says of the present state can be judged, so ${setting("sft.target_accuracy")} cannot end SFT. It does all ${counted(all, "update")}.`,
    message`Set ${setting("rollout.prompt_format")} to a format with an observation, or ${setting("sft.target_accuracy")} to 0.`,
  ),
});

/** The episodes of a test, sampled at temperature 1 and judged by rule, whatever judges the training. */
async function* playTest(run: Tested, update: number): AsyncGenerator<TrainingFact, Trajectory[]> {
  const { config, demoTask: task, policy } = run;
  const episodes = (await sftTestLevels(run)).flatMap(({ seeds, entry }) =>
    validationEpisodes(seeds, 1, config.seed).map((episode) => (entry ? inEntry(episode, entry) : episode)),
  );
  const maxTokens = config.rollout.response_length;
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens, seed: config.seed >>> 0 };
  return yield* withProgress(
    (done) => phase("warmup", update, "test", done, episodes.length),
    (onTrajectory) =>
      play({ task, policy, episodes, parallel: policy.slots, sampling, version: update, onTrajectory }),
  );
}

const inEntry = (episode: Episode, entry: string): Episode => ({
  ...episode,
  entry,
  id: `${entry}:${episode.id}`,
  groupId: `${entry}:${episode.groupId}`,
});

/** Ends SFT with the update that is done if its facts are right; warns when SFT has done all its updates and they are not. */
export function* endSftWhenRight(run: Run, metrics: Metrics): Generator<TrainingFact, void> {
  const right = metrics[FACTS_RIGHT];
  if (right === undefined) return;
  const { config, update } = run;
  const { target_accuracy: target } = config.sft;
  const isLast = update === sftUpdates(config);
  if (right < target) {
    if (isLast) yield missed(update, right, target);
    return;
  }
  if (!isLast) run.endSft();
  const updates = counted(update, "update");
  yield { type: "sft_ended", update, message: `SFT ended after ${updates}: ${shares(right, target)}.` };
}

const shares = (right: number, target: number): string =>
  `${formatShare(right)} of the facts are right (target ${formatShare(target)})`;

const missed = (update: number, right: number, target: number): TrainingFact => ({
  type: "warning",
  update,
  code: "sft_target_missed",
  ...said(
    `SFT ended at its ceiling of ${counted(update, "update")}: ${shares(right, target)}.`,
    message`Raise ${setting("sft.total_updates")}, or expect PPO to train a policy that misreads some states.`,
  ),
});
