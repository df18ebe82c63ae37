// Chance in a user's own environment. The random numbers of an action follow from the level and from how many actions came before it, so the
// same seed and actions still give the same episode, and a game can go on from every recorded state.
import { rng } from "../../core/rng.ts";
import type { OwnRandom } from "./own.ts";

/** The seed of the level, and how many actions it has had. */
export type Luck = readonly [seed: number, actions: number];

/** What the next action draws from. */
export const drawsOf = ([seed, actions]: Luck): OwnRandom => rng(seed).fork("chance").fork(`${actions}`);

export const afterAction = ([seed, actions]: Luck): Luck => [seed, actions + 1];

/** In the place of random numbers where an environment has no chance. */
export const NO_LUCK: OwnRandom = {
  float: refused,
  int: refused,
  pick: refused,
  shuffle: refused,
};

function refused(): never {
  throw new Error("add chance: true to the environment, so that step may use random");
}
