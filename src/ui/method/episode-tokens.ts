// A recorded episode as the advantage estimators take it, and the words of its tokens.
import type { RunConfig } from "../../config/run-config.ts";
import type { TrajectoryTokens } from "../../core/types.ts";
import type { Replay } from "../../replay/replay.ts";
import type { AdvantageParams, AdvantageTokens } from "../../rl/advantage/estimator.ts";
import { type GroupKind, surfaceOf, turnTokens } from "../episode/token-model.ts";
import { vocabularyOf } from "../trace/vocabulary.ts";

/** What the panels compute on: the arrays of one episode, with the text and the part of every token. */
export interface MethodEpisode {
  readonly replay: Replay;
  /** The record as one trajectory of a batch; the GAE mask is the response mask. */
  readonly tokens: AdvantageTokens;
  /** T. */
  readonly count: number;
  /** Positions of the tokens that the policy wrote, in order. */
  readonly kept: readonly number[];
  /** T entries: the text of a token. */
  readonly texts: readonly string[];
  /** T entries: the part of a reply that a token belongs to, or `environment`. */
  readonly kinds: readonly GroupKind[];
  /** T entries: 1 = fills a patch of a picture. */
  readonly isPicture: readonly boolean[];
}

/** Rewards that the run trained on, at their tokens. */
const trainedRewards = ({ rewards, trainRewards }: TrajectoryTokens): Float32Array => trainRewards ?? rewards;

/** A record as the estimators take it: one trajectory of T tokens, without a bootstrap value. */
export function advantageTokens(tokens: TrajectoryTokens): AdvantageTokens {
  return {
    starts: [0, tokens.ids.length],
    rewards: trainedRewards(tokens),
    values: tokens.values,
    gaeMask: tokens.responseMask,
    turnEndMask: tokens.turnEndMask,
  };
}

/** Reads a replay once for all panels. */
export function methodEpisode(replay: Replay): MethodEpisode {
  const { trajectory, config } = replay;
  const { tokens } = trajectory;
  const vocabulary = vocabularyOf(config);
  const kinds: GroupKind[] = Array.from(tokens.ids, () => "environment");
  for (const { groups } of turnTokens(trajectory, vocabulary))
    for (const group of groups) for (const { index } of group.tokens) kinds[index] = group.kind;
  const positions = Array.from(tokens.ids, (_, i) => i);
  return {
    replay,
    tokens: advantageTokens(tokens),
    count: tokens.ids.length,
    kept: positions.filter((i) => tokens.responseMask[i] === 1),
    texts: Array.from(tokens.ids, (id) => surfaceOf(vocabulary, id).trim() || "␣"),
    kinds,
    isPicture: Array.from(tokens.imagePatch, (patch) => patch >= 0),
  };
}

/** The discounts of a run, as its estimator used them. */
export function paramsOf({ algorithm }: Pick<RunConfig, "algorithm">): AdvantageParams {
  return {
    gamma: algorithm.gamma,
    lambda: algorithm.lam,
    turnGamma: algorithm.high_level_gamma,
    turnLambda: algorithm.use_high_level_lam ? algorithm.high_level_lam : algorithm.lam,
    turnAnchor: algorithm.turn_value_anchor,
    carry: algorithm.carry_across_turns,
    clock: {
      gammaTurn: algorithm.gamma_turn,
      lambdaTurn: algorithm.lambda_turn,
      lambdaToken: algorithm.lambda_token,
      mix: algorithm.bi_level_mix,
    },
    ...lambdaByLength(algorithm),
  };
}

/** Records that are older than this setting do not have it. */
function lambdaByLength(algorithm: Partial<RunConfig["algorithm"]>): Pick<AdvantageParams, "lambdaByLength"> {
  const { lam_by_length: kind = "off", vapo_alpha: alpha, relative_position_q: q } = algorithm;
  const value = kind === "vapo" ? alpha : q;
  return kind === "off" || value === undefined ? {} : { lambdaByLength: { kind, value } };
}

/** Whether the critic's values are part of the recording. */
export const hasValues = ({ tokens, kept }: MethodEpisode): boolean =>
  kept.some((i) => tokens.values[i] !== 0);
