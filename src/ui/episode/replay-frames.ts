// Handsome pictures of a recorded episode: the game is played again from its seed, or where it is simulated from the stored state of
// each turn, so nothing big has to be stored or sent. The recorded truth checks the replay; where they differ we say so and show what the model saw.
import { isBoard } from "../../core/scene.ts";
import type { Frame, SceneTruth, Trajectory } from "../../core/types.ts";
import type { Motion } from "../../envs/env.ts";
import { PEOPLE_PATCH_PX } from "../../envs/preview.ts";
import { envs, isLoaded, loadFailure } from "../../envs/registry.ts";

export interface TurnFrames {
  /** The state that the turn starts from. */
  before: Frame;
  /** After each executed action; empty when nothing was executed. */
  steps: readonly Frame[];
  /** The states of `steps`. */
  truths: readonly SceneTruth[];
  /** How each of `steps` came about, where its environment shows that. */
  motions: readonly (Motion | null)[];
}

type ReplayedEpisode =
  | { ok: true; turns: readonly TurnFrames[] }
  /** The recording does not fit this build's environment, or the environment is unknown. */
  | { ok: false; reason: string };

/** Plays the recorded actions again and draws every state. */
export function replayEpisode(
  trajectory: Pick<Trajectory, "envId" | "seed" | "turns">,
  envConfig: unknown,
  patchPx = PEOPLE_PATCH_PX,
): ReplayedEpisode {
  const spec = envs.all.find((known) => known.id === trajectory.envId);
  if (!spec) return { ok: false, reason: `This build has no environment "${trajectory.envId}".` };
  if (!isLoaded(spec.id))
    return { ok: false, reason: loadFailure(spec.id) || `${spec.title} is still loading.` };
  const config = spec.config.safeParse(envConfig ?? {});
  if (!config.success) return { ok: false, reason: "The recorded task options are not valid in this build." };
  try {
    const env = spec.create(config.data);
    env.reset(trajectory.seed);
    let isOver = false;
    const turns: TurnFrames[] = [];
    for (const turn of trajectory.turns) {
      // In AReaL's workflow a right answer in the wrong form ends the game, but not the episode.
      if (isOver) env.reset(trajectory.seed);
      isOver = false;
      if (turn.saved) env.restore?.(turn.saved);
      if (!sameState(env.groundTruth(), turn.before))
        return { ok: false, reason: `The replay differs from the recording at turn ${turn.index + 1}.` };
      const before = env.render(patchPx);
      const states = turn.executed
        .filter((action) => action.valid)
        .map((action) => {
          isOver = env.step(action.name).terminated;
          return { frame: env.render(patchPx), truth: env.groundTruth(), motion: env.motion?.() ?? null };
        });
      turns.push({
        before,
        steps: states.map((s) => s.frame),
        truths: states.map((s) => s.truth),
        motions: states.map((s) => s.motion),
      });
    }
    return { ok: true, turns };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether two states are the same in everything that is recorded about them. */
function sameState(a: SceneTruth, b: SceneTruth): boolean {
  const recorded = (truth: SceneTruth) =>
    isBoard(truth) ? [truth.player, truth.entities, truth.facts] : [truth.things, truth.facts];
  return JSON.stringify(recorded(a)) === JSON.stringify(recorded(b));
}

const KEPT = 24;
const cache = new Map<string, ReplayedEpisode>();

/** `replayEpisode`, remembered for the last few episodes under a key that is unique among runs. */
export function cachedReplay(key: string, trajectory: Trajectory, envConfig: unknown): ReplayedEpisode {
  const known = cache.get(key);
  if (known) {
    // Most recently used last.
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const fresh = replayEpisode(trajectory, envConfig);
  if (isLoaded(trajectory.envId)) cache.set(key, fresh);
  if (cache.size > KEPT) cache.delete(cache.keys().next().value!);
  return fresh;
}
