// A level as people see it before training. Plain data, so that a worker can draw it: the search for a rare level takes
// seconds.
import type { Frame, SceneTruth } from "../core/types.ts";
import type { Env, EnvSpec, FloorPlan } from "./env.ts";
import { drawPictures } from "./pictures.ts";

/** Pixels of a patch in pictures for people; of a tile on every board. */
const PEOPLE_PATCH_PX = 64;
/** Longest side of a world's picture for people, in pixels: where the model sees many patches, each is drawn smaller. */
const WORLD_PX = 768;
/** Pixels of a patch in the picture that small policies see. */
const MODEL_PATCH_PX = 8;

/** Pixels of a patch in pictures for people, from a checked configuration. */
export function peoplePatchPx(spec: Pick<EnvSpec, "isWorld" | "patches">, config: unknown): number {
  if (!spec.isWorld) return PEOPLE_PATCH_PX;
  const { rows, cols } = spec.patches(config);
  const largest = Math.floor(WORLD_PX / Math.max(rows, cols));
  return Math.max(MODEL_PATCH_PX, Math.min(PEOPLE_PATCH_PX, largest));
}

export interface LevelPicture {
  /** Of the environment. */
  title: string;
  description: string;
  seed: number;
  frame: Frame;
  /** The pictures that the agent is shown beside it; none in most environments. */
  further: readonly Frame[];
  /** What the model receives: every picture of the observation. */
  seen: readonly Frame[];
  /** The observation as text; empty if no reader was given or the policy sees pictures. */
  text: string;
  truth: SceneTruth;
  /** The floor that it lies on, for a map; null without one. */
  floor: FloorPlan | null;
  /** The question about the picture; empty if there is none. */
  question: string;
  /** Moves of a shortest solution; null when none is known. */
  moves: number | null;
}

/** The level of a seed. @param read writes `text` in the agent's words @throws EnvError when there is none. */
export function pictureLevel(
  spec: EnvSpec,
  options: unknown,
  seed: number,
  read: (game: Env) => string = () => "",
): LevelPicture {
  const config = spec.config.parse(options);
  const game = spec.create(config, { searchBudget: 1 });
  game.reset(seed);
  const [frame, ...further] = drawPictures(game, peoplePatchPx(spec, config)) as [Frame, ...Frame[]];
  return {
    title: spec.title,
    description: spec.description,
    seed,
    frame,
    further,
    seen: drawPictures(game, MODEL_PATCH_PX),
    text: read(game),
    truth: game.groundTruth(),
    floor: game.floorPlan?.() ?? null,
    question: game.question?.() ?? "",
    moves: game.oracle()?.length ?? null,
  };
}
