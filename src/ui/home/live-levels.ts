// What can be played live: the environments with a trained policy that ships with the studio, and levels that it has never seen.
import { bundledForLevels } from "../../config/bundled.ts";
import { trainingSeeds } from "../../config/levels.ts";
import type { Preset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";

/** Sizes of the policies as ONNX models. */
const SIZES: Readonly<Record<string, string>> = {
  "frozenlake-small-trained": "0.6 MiB",
  "sokoban-small-trained": "0.6 MiB",
  "navigation-small-trained": "1.4 MiB",
  "primitive-skill-small-trained": "1.2 MiB",
  "svg-small-trained": "1.1 MiB",
  "svg-nano-trained": "0.6 MiB",
  "spatial-gym-small-trained": "1.3 MiB",
  "spatial-gym-map-small-trained": "1.3 MiB",
  "visual-math-nano-trained": "0.2 MiB",
  "blackjack-nano-trained": "0.2 MiB",
};

/** The first preset of each environment whose levels a trained policy sees and plays. */
export function playablePresets(presets: readonly Preset[]): Preset[] {
  const withPolicy = presets.filter(
    ({ config: { env } }) => env.config.render_mode === "vision" && bundledForLevels(env) !== null,
  );
  const isFirst = ({ config }: Preset, i: number) =>
    withPolicy.findIndex((other) => other.config.env.name === config.env.name) === i;
  return withPolicy.filter(isFirst);
}

/** How much the first level loads besides ONNX Runtime. */
export const policySize = (env: RunConfig["env"]): string => SIZES[bundledForLevels(env)?.id ?? ""] ?? "";

/** Navigation, which repeats its tasks, has levels up to this one. */
const LAST_LEVEL = 99_999;

/** The levels of a training, which are consecutive in every preset. */
export function trainedLevels(config: RunConfig): { first: number; last: number } {
  const seeds = trainingSeeds(config);
  return { first: seeds[0]!, last: seeds.at(-1)! };
}

/** The seed of a level that is in no training. */
export function unseenSeed(config: RunConfig): number {
  const { last } = trainedLevels(config);
  return last + 1 + Math.floor(Math.random() * (LAST_LEVEL - last));
}
