// Test aid only: a scripted episode as a recording, with values that a critic might have and advantages as a run stores them.
import { checkedRunConfig } from "../../config/check.ts";
import type { Trajectory } from "../../core/types.ts";
import type { Replay } from "../../replay/replay.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { advantageTokens, paramsOf } from "../method/episode-tokens.ts";
import { type FakeOptions, fakeTrajectory } from "./fake-trajectory.ts";

/** What whitening over an imagined batch did to the advantages of `fakeReplay`. */
export const WHITENED = { mean: 0.1, deviation: 0.5 };

/** One episode as a recording, deterministic in its options. `algorithm` changes the settings of its run. */
export function fakeReplay({
  algorithm = {},
  ...options
}: FakeOptions & { algorithm?: object } = {}): Replay {
  const config = checkedRunConfig({ name: "Lake", algorithm });
  const trajectory = fakeTrajectory(options);
  return {
    id: options.id ?? "fake",
    trajectory: withAdvantages(trajectory, config),
    config,
    provenance: {
      policy: "a script",
      command: "none",
      commit: "none",
      update: 0,
      temperature: 1,
      success: { rate: 0.5, episodes: 256 },
    },
  };
}

/** Whitened, as float32, like a record of a run. */
function withAdvantages(trajectory: Trajectory, config: Replay["config"]): Trajectory {
  const { tokens } = trajectory;
  const estimator = estimators.get(config.algorithm.adv_estimator);
  const { advantages, returns } = estimator.estimate(advantageTokens(tokens), paramsOf(config));
  const whitened = advantages.map((x, i) =>
    tokens.responseMask[i] ? (x - WHITENED.mean) / WHITENED.deviation : 0,
  );
  return {
    ...trajectory,
    tokens: { ...tokens, advantages: Float32Array.from(whitened), returns: Float32Array.from(returns) },
  };
}
