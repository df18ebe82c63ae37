// A baseline that learns nothing: it answers a level with the solution of the training level whose picture is nearest.
import { type PlayerTask, scriptedPlayer } from "../agent/players.ts";
import type { Frame } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import type { Policy } from "../policy/policy.ts";

/** Pictures are compared by the means of this many squares across and down. */
const SQUARES = 16;

/** The levels that a policy was trained on. Their options may differ from those that are played. */
export interface TrainingLevels extends Pick<PlayerTask, "spec" | "envConfig"> {
  seeds: readonly number[];
}

interface Known {
  look: readonly number[];
  plan: readonly string[];
}

/**
 * A player that remembers every training level with its picture and its solution. It sees perfectly, so a policy that is better has learned
 * to build what no training level had. Where every training level is the one that is played, it answers nothing.
 * @param training the training levels. Their pictures are drawn when the first level is played.
 */
export function nearestPlayer(task: PlayerTask, { spec, envConfig, seeds }: TrainingLevels): Policy {
  let known: readonly Known[] | null = null;
  const plans = new WeakMap<Env, readonly string[]>();
  return scriptedPlayer(task, (env, { turn }) => {
    known ??= remember(spec.create(envConfig), seeds);
    // From the second turn on, the picture may be of what was done in the first.
    if (turn === 0) {
      // Another seed may give the very level that is played; training skips it.
      const others = known.filter(({ plan }) => !isEqual(plan, env.oracle()));
      plans.set(env, nearest(others, lookOf(env))?.plan ?? []);
    }
    return plans.get(env)!;
  });
}

const isEqual = (one: readonly string[], other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Pixels of a patch in the model's pictures. */
const PATCH = 8;

const remember = (env: Env, seeds: readonly number[]): Known[] =>
  seeds.map((seed) => {
    env.reset(seed);
    return { look: lookOf(env), plan: env.oracle() ?? [] };
  });

/** The one that looks most alike; undefined if none is known. */
function nearest(known: readonly Known[], look: readonly number[]): Known | undefined {
  let [best, least] = [known[0], Number.POSITIVE_INFINITY];
  for (const one of known) {
    const distance = one.look.reduce((sum, value, i) => sum + Math.abs(value - (look[i] ?? 0)), 0);
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

/** How all pictures of a state look. */
const lookOf = (env: Env): readonly number[] =>
  [env.render(PATCH), ...(env.furtherPictures?.() ?? []).map((draw) => draw(PATCH))].flatMap((picture) => [
    ...squaresOf(picture),
  ]);

/** Mean red, green and blue of each square. */
function squaresOf({ width, height, data }: Frame): Float32Array {
  const look = new Float32Array(SQUARES ** 2 * 3);
  const share = SQUARES ** 2 / (width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const square = Math.floor((y * SQUARES) / height) * SQUARES + Math.floor((x * SQUARES) / width);
      for (let channel = 0; channel < 3; channel++)
        look[3 * square + channel]! += share * data[4 * (y * width + x) + channel]!;
    }
  return look;
}
