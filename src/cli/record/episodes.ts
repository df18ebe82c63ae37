// Plays a checkpoint and makes replays of some of its episodes.
import { entryConfig } from "../../config/entries.ts";
import { sftUpdates } from "../../config/run-length.ts";
import type { Trajectory } from "../../core/types.ts";
import type { Evaluation } from "../../eval/evaluate.ts";
import type { Replay, ReplayProvenance } from "../../replay/replay.ts";
import type { Consent } from "../../run/judge-consent.ts";
import type { Run } from "../../training/run.ts";
import { readCheckpoint, trainedConfig } from "../checkpoint.ts";
import { levelsOf, measure, taskNamed, withRun } from "../eval-run.ts";
import { inputsCommit } from "./commit.ts";
import { fillTokens } from "./fill.ts";
import type { ReadyPolicy } from "./policy.ts";

/** An episode to record. */
interface EpisodeRequest {
  id: string;
  seed: number;
  command: string;
}

/** How a policy is played. */
export interface PlaySettings {
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
  settings: PlaySettings,
  requests: readonly EpisodeRequest[],
  consent: Consent,
): Promise<Replay[]> {
  const { meta } = await readCheckpoint(checkpoint, "--checkpoint");
  const config = trainedConfig(meta);
  return withRun(checkpoint, { consent }, async (run) => {
    const validation = await playValidation(run, settings);
    const { temperature } = settings;
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
    for (const { id, seed, command } of requests) {
      const trajectory = await episodeOf(run, validation, settings, seed);
      await fillTokens(run, trajectory);
      replays.push({ id, trajectory, config, provenance: { ...provenance, command } });
    }
    return replays;
  });
}

/** A policy's episodes on the validation levels. @throws UsageError when the run has no such environment. */
export const playValidation = (run: Run, settings: PlaySettings): Promise<Evaluation> =>
  playLevels(run, settings, levelsOf(entryConfig(run.config, settings.entry)));

const playLevels = (
  run: Run,
  { temperature, entry }: PlaySettings,
  levels: readonly number[],
): Promise<Evaluation> =>
  measure(run, run.policy, levels, temperature, { task: taskNamed(run.evalTask, entry) });

/** A copy, because a level may be recorded twice. */
async function episodeOf(
  run: Run,
  validation: Evaluation,
  settings: PlaySettings,
  seed: number,
): Promise<Trajectory> {
  const { entry } = settings;
  const played = validation.trajectories.find((trajectory) => trajectory.seed === seed);
  const episode = played
    ? structuredClone(played)
    : (await playLevels(run, settings, [seed])).trajectories[0]!;
  return { ...episode, ...(entry !== undefined && { entry }) };
}
