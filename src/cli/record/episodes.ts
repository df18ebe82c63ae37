// Plays a checkpoint and makes replays of some of its episodes.
import { checkedRunConfig } from "../../config/check.ts";
import { entryConfig } from "../../config/entries.ts";
import { sftUpdates } from "../../config/run-length.ts";
import type { Trajectory } from "../../core/types.ts";
import type { Evaluation } from "../../eval/evaluate.ts";
import type { Replay, ReplayProvenance } from "../../replay/replay.ts";
import type { Consent } from "../../run/judge-consent.ts";
import type { Run } from "../../training/run.ts";
import { levelsOf, measure, taskNamed, withRun } from "../eval.ts";
import { readCheckpoint } from "../source.ts";
import { inputsCommit } from "./commit.ts";
import { fillTokens } from "./fill.ts";
import type { ReadyPolicy } from "./policy.ts";

/** An episode to record. */
interface Wanted {
  id: string;
  seed: number;
  command: string;
}

/** How a policy is played. */
export interface Playing {
  temperature: number;
  /** Of a run in several environments the one to play; absent for the first. */
  entry?: string;
}

/**
 * Replays of a policy's episodes in one environment, at one temperature. The episode of a validation level is the one that `eval` plays there; any
 * other level is played as `eval --seeds <seed>` plays it.
 */
export async function recordEpisodes(
  { checkpoint, origin, bundled }: ReadyPolicy,
  playing: Playing,
  wanted: readonly Wanted[],
  consent: Consent,
): Promise<Replay[]> {
  const { meta } = await readCheckpoint(checkpoint, "--checkpoint");
  const config = checkedRunConfig(meta.config, "The checkpoint's configuration");
  return withRun(checkpoint, {}, consent, async (run) => {
    const validation = await validate(run, playing);
    const { temperature } = playing;
    const { successes, episodes } = validation;
    const provenance: Omit<ReplayProvenance, "command"> = {
      policy: origin,
      ...(bundled !== undefined && { checkpoint: bundled }),
      commit: inputsCommit(),
      update: Math.max(0, meta.update - sftUpdates(config)),
      temperature,
      success: { rate: successes / episodes, episodes },
    };
    const replays: Replay[] = [];
    for (const { id, seed, command } of wanted) {
      const trajectory = await episodeOf(run, validation, playing, seed);
      await fillTokens(run, trajectory);
      replays.push({ id, trajectory, config, provenance: { ...provenance, command } });
    }
    return replays;
  });
}

/** A policy's episodes on the validation levels. @throws UsageError when the run has no such environment. */
export const validate = (run: Run, playing: Playing): Promise<Evaluation> =>
  play(run, playing, levelsOf(entryConfig(run.config, playing.entry)));

const play = (run: Run, { temperature, entry }: Playing, levels: readonly number[]): Promise<Evaluation> =>
  measure(run, run.policy, levels, temperature, 1, taskNamed(run.evalTask, entry));

/** A copy, because a level may be recorded twice. */
async function episodeOf(
  run: Run,
  validation: Evaluation,
  playing: Playing,
  seed: number,
): Promise<Trajectory> {
  const { entry } = playing;
  const played = validation.trajectories.find((trajectory) => trajectory.seed === seed);
  const episode = played ? structuredClone(played) : (await play(run, playing, [seed])).trajectories[0]!;
  return { ...episode, ...(entry !== undefined && { entry }) };
}
