// A recorded episode that ships with the studio, and the case studies that show such episodes.
import type { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";

/** Where a recording comes from, so that it can be made again. */
export interface ReplayProvenance {
  /** The command that trained the policy, or the bundled checkpoint that it is. */
  policy: string;
  /** The policy's file in `public/checkpoints/`, without its ending; absent if it does not ship with the studio. */
  checkpoint?: string;
  /** The command that recorded the episode. */
  command: string;
  /** Commit of the studio that recorded it. */
  commit: string;
  /** Updates of PPO that the policy has behind it; 0 for the policy that SFT leaves. */
  update: number;
  /** Temperature that the replies were sampled at; 0 is greedy. */
  temperature: number;
  /** How often this policy succeeds on the validation levels at this temperature. */
  success: { rate: number; episodes: number };
}

/** An episode with every token's numbers. `observation.images` are empty: the pictures are drawn again from the states. */
export interface Replay {
  /** Unique, and the name of its file. */
  id: string;
  trajectory: Trajectory;
  /** The complete configuration of the run that trained the policy. */
  config: RunConfig;
  provenance: ReplayProvenance;
}

/** One replay to watch, or two on the same level to compare. */
export interface CaseStudy {
  /** Unique, and part of its address. */
  id: string;
  /** Id of the environment. */
  env: string;
  title: string;
  /** One sentence that says what to look at. */
  lookAt: string;
  /** The replays, each with the name under which it is shown ("Early policy", "Trained policy"). */
  replays: readonly { id: string; label: string }[];
  /** Preset that trains this policy, for "Train this policy yourself". */
  preset: string;
}
