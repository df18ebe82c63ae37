// The pictures of an observation: one in most environments.
import type { Frame } from "../core/types.ts";
import type { Env, EnvSpec, Picture } from "./env.ts";

/** The pictures that follow the first. */
export const furtherPictures = (env: Env): readonly Picture[] => env.furtherPictures?.() ?? [];

/** All pictures of the current state, in the order in which the agent is shown them. */
export const drawPictures = (env: Env, patchPx: number): readonly Frame[] => [
  env.render(patchPx),
  ...furtherPictures(env).map((draw) => draw(patchPx)),
];

/** The most pictures that an observation may have. */
export const mostPictures = (spec: Pick<EnvSpec, "mostPictures">, config: unknown): number =>
  spec.mostPictures?.(config) ?? 1;
