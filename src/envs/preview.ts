// A level as people see it before training. Plain data, so that a worker can draw it: the search for a rare level takes
// seconds.
import type { Frame, SceneTruth } from "../core/types.ts";
import type { EnvSpec } from "./env.ts";

/** Pixels per tile for people. */
export const PEOPLE_PATCH_PX = 64;
/** Pixels of a tile in the picture that small policies see: one patch. */
const MODEL_PATCH_PX = 8;

export interface LevelPicture {
  /** Of the environment. */
  title: string;
  description: string;
  seed: number;
  frame: Frame;
  /** What the model receives. */
  seen: Frame;
  truth: SceneTruth;
  /** The question about the picture; empty if there is none. */
  question: string;
  /** Moves of a shortest solution; null when none is known. */
  moves: number | null;
}

/** The level of a seed. @throws EnvError when there is none. */
export function pictureLevel(spec: EnvSpec, options: unknown, seed: number): LevelPicture {
  const game = spec.create(spec.config.parse(options), { searchBudget: 1 });
  game.reset(seed);
  return {
    title: spec.title,
    description: spec.description,
    seed,
    frame: game.render(PEOPLE_PATCH_PX),
    seen: game.render(MODEL_PATCH_PX),
    truth: game.groundTruth(),
    question: game.question?.() ?? "",
    moves: game.oracle()?.length ?? null,
  };
}
