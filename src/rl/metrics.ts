// Numbers that describe a batch of episodes, under the names that VAGEN and veRL log.
import { mean, populationVariance, variance } from "../core/statistics.ts";
import { replyPositions } from "../core/token-sequences.ts";
import type { Trajectory, Turn, Verdict } from "../core/types.ts";
import { askedVerdicts, hasJudgeFailed, NOT_THERE, wasJudged } from "../core/verdict.ts";
import { conversationMetrics } from "./conversations.ts";
import { diversityMetrics } from "./diversity.ts";
import { byGroup } from "./groups.ts";
import { ownMetrics, REWARD_VARIANCE_NAME } from "./metric/index.ts";
import { surroundingsMetrics } from "./surroundings.ts";

/** Metric name → value. A metric that nothing was measured for is absent. */
export type Metrics = Record<string, number>;

/** What the metrics need beside the episodes. */
interface MetricOptions {
  /** `train`, or `val`, which then precedes every name. Default `train`. */
  split?: "train" | "val";
  /** Longest reply in tokens: replies that reach it count as clipped. */
  maxReplyTokens: number;
  /** The environment offers tools: then calls are counted, also when there are none. Default false. */
  hasTools?: boolean;
  /** Of each environment's id, what replies claim by its place only, although it can lie beside the player. Default: nothing. */
  claimedByPlace?: ReadonlyMap<string, readonly string[]>;
  /** Conversations may be closed with a summary: then conversations are counted, also when none is closed. Default false. */
  hasSummaries?: boolean;
}

/**
 * Metrics of a batch. Turn metrics are averaged over each episode's turns and then over episodes, as VAGEN does;
 * verdicts, replies and reward terms are averaged over everything of the batch.
 */
export function episodeMetrics(
  trajectories: readonly Trajectory[],
  { split = "train", maxReplyTokens, hasTools = false, hasSummaries = false, claimedByPlace }: MetricOptions,
): Metrics {
  const metrics = {
    ...outcomes(trajectories),
    ...turnShares(trajectories),
    ...accuracies(trajectories, "grounding_accuracy", "observation"),
    ...accuracies(trajectories, "worldmodeling_accuracy", "prediction"),
    ...surroundingsMetrics(trajectories, claimedByPlace),
    ...judgeFailures(trajectories),
    ...replyLengths(trajectories, maxReplyTokens),
    ...(hasTools && toolCalls(trajectories)),
    ...(hasSummaries && conversationMetrics(trajectories)),
    ...rewardParts(trajectories),
    ...spread("critic/score", trajectories.map(score)),
    ...scoreSpread(trajectories),
    ...diversityMetrics(trajectories),
    ...ownMetrics(trajectories, split),
  };
  return split === "train" ? metrics : underVal(metrics);
}

/** Metrics under the names of a validation: `train/success/x` → `val/success/x`, `num_turns/mean` → `val/num_turns/mean`, `custom_metrics/train/x` → `custom_metrics/val/x`. */
export const underVal = (metrics: Metrics): Metrics =>
  Object.fromEntries(Object.entries(metrics).map(([name, value]) => [valName(name), value]));

const valName = (name: string): string =>
  name.startsWith("custom_metrics/")
    ? name.replace("/train/", "/val/")
    : `val/${name.replace(/^train\//, "")}`;

/** Sum of turn rewards. */
const score = ({ turns }: Trajectory) => turns.reduce((sum, { reward }) => sum + reward, 0);

function outcomes(trajectories: readonly Trajectory[]): Metrics {
  const metrics: Metrics = {};
  const nameOf = ({ entry, envId }: Trajectory) => entry ?? envId;
  // The first environment comes first, wherever its episodes are in the batch.
  const inOrder = trajectories.toSorted(
    (a, b) => Number(a.entry !== undefined) - Number(b.entry !== undefined),
  );
  for (const name of new Set(inOrder.map(nameOf))) {
    const own = trajectories.filter((trajectory) => nameOf(trajectory) === name);
    putMean(metrics, `train/success/${name}`, own, ({ success }) => Number(success));
    putMean(metrics, `train/score/${name}`, own, score);
  }
  putMean(metrics, "train/done", trajectories, ({ terminated }) => Number(terminated));
  putMean(metrics, "num_turns/mean", trajectories, ({ turns }) => turns.length);
  return metrics;
}

function turnShares(trajectories: readonly Trajectory[]): Metrics {
  const metrics: Metrics = {};
  const put = (name: string, test: (turn: Turn) => boolean) =>
    putMean(metrics, `train/${name}`, trajectories, ({ turns }) =>
      mean(turns.map((turn) => Number(test(turn)))),
    );
  put("format_correct", ({ parsed }) => parsed.formatOk);
  put("action_is_valid", ({ actionIsValid }) => actionIsValid);
  put("action_is_effective", ({ actionIsEffective }) => actionIsEffective);
  return metrics;
}

/** What a claim invents can have any name, of which there must not be a metric each. */
const isThere = ({ truth }: Verdict["fields"][number]): boolean => truth !== NOT_THERE;

/** Mean score of the judged claims, and for each entity the share that was right. Claims without a verdict do not count. */
function accuracies(trajectories: readonly Trajectory[], name: string, claim: string): Metrics {
  const verdicts = allTurns(trajectories).map((turn) => turn.verdicts[claim]);
  const judged = verdicts.filter(
    (verdict): verdict is Verdict => verdict !== undefined && wasJudged(verdict),
  );
  const metrics: Metrics = {};
  putMean(metrics, name, judged, (verdict) => verdict.score);
  // A claim that could not be read has no fields, and is wrong about every entity.
  for (const entity of new Set(
    judged.flatMap(({ fields }) => fields.filter(isThere).map(({ name }) => name)),
  )) {
    // In a world other things are in view each time.
    const about = judged.filter(
      ({ fields }) => fields.length === 0 || fields.some((field) => field.name === entity),
    );
    const isRight = ({ fields }: Verdict) => fields.some((field) => field.name === entity && field.ok);
    putMean(metrics, `${name}/${entity}`, about, (verdict) => Number(isRight(verdict)));
  }
  return metrics;
}

/** Claims that a judge was asked about and could not decide. Absent when none was asked about. */
function judgeFailures(trajectories: readonly Trajectory[]): Metrics {
  const verdicts = allTurns(trajectories).flatMap(askedVerdicts);
  const asked = verdicts.filter((verdict) => wasJudged(verdict) || hasJudgeFailed(verdict));
  return asked.length > 0 ? { "judge/not_judged": asked.filter(hasJudgeFailed).length } : {};
}

function replyLengths(trajectories: readonly Trajectory[], maxReplyTokens: number): Metrics {
  const lengths = trajectories.flatMap(tokensPerReply);
  const metrics = spread("response_length", lengths);
  putMean(metrics, "response_length/clip_ratio", lengths, (length) => Number(length >= maxReplyTokens));
  return metrics;
}

/** Calls of an episode, and the share of all calls that a tool answered rather than refused. */
function toolCalls(trajectories: readonly Trajectory[]): Metrics {
  const calls = trajectories.map(({ turns }) => turns.flatMap(({ tool }) => tool ?? []));
  const metrics: Metrics = {};
  putMean(metrics, "tool_calls/mean", calls, ({ length }) => length);
  putMean(metrics, "tool_calls/answered", calls.flat(), ({ ok }) => Number(ok));
  return metrics;
}

/** Tokens of each turn's reply. */
export const tokensPerReply = ({ turns, tokens }: Trajectory): number[] =>
  replyPositions(tokens, turns.length).map(({ length }) => length);

/** What each reward term contributes to an episode's score. */
function rewardParts(trajectories: readonly Trajectory[]): Metrics {
  const metrics: Metrics = {};
  const terms = new Set(allTurns(trajectories).flatMap((turn) => Object.keys(turn.rewards)));
  for (const term of terms)
    putMean(metrics, `reward/${term}`, trajectories, ({ turns }) =>
      turns.reduce((sum, turn) => sum + (turn.rewards[term] ?? 0), 0),
    );
  return metrics;
}

/**
 * How far scores lie apart: over the batch, and as the mean variance within the groups that share a start. Groups of one
 * have no variance to speak of and do not count.
 */
function scoreSpread(trajectories: readonly Trajectory[]): Metrics {
  const metrics: Metrics = {};
  if (trajectories.length > 1)
    metrics["critic/score/std"] = Math.sqrt(populationVariance(trajectories.map(score)));
  const compared = [...byGroup(trajectories, score).values()].filter((scores) => scores.length > 1);
  putMean(metrics, REWARD_VARIANCE_NAME, compared, populationVariance);
  return metrics;
}

const allTurns = (trajectories: readonly Trajectory[]) => trajectories.flatMap(({ turns }) => turns);

/** The mean of `of` over `items`; absent without any. */
function putMean<T>(metrics: Metrics, name: string, items: readonly T[], of: (item: T) => number): void {
  if (items.length > 0) metrics[name] = mean(items.map(of));
}

/** `name/mean`, `name/max`, `name/min`. */
export function spread(name: string, values: readonly number[]): Metrics {
  if (values.length === 0) return {};
  const max = values.reduce((a, b) => Math.max(a, b));
  const min = values.reduce((a, b) => Math.min(a, b));
  return { [`${name}/mean`]: mean(values), [`${name}/max`]: max, [`${name}/min`]: min };
}

/**
 * Share of the returns' variance that the critic explains, 1 − var(returns − values) / (var(returns) + 1e-5). 1 is perfect, 0 no
 * better than a constant, negative worse. 0 for fewer than two. Formula of VAGEN (`critic/vf_explained_var`).
 */
export function explainedVariance(values: readonly number[], returns: readonly number[]): number {
  if (returns.length < 2) return 0;
  const errors = values.map((value, i) => returns[i] - value);
  return 1 - variance(errors) / (variance(returns) + 1e-5);
}
