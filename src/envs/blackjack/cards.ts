// Cards and what they count.
import type { Rng } from "../../core/rng.ts";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] as const;
export type Rank = (typeof RANKS)[number];

/** The sum above which a hand is lost. */
export const LIMIT = 21;

/** A card of an endless deck. */
export const drawCard = (random: Rng): Rank => random.pick(RANKS);

/** What a hand counts. It is `soft` while an ace counts 11. */
export function count(hand: readonly Rank[]): { sum: number; soft: boolean } {
  const low = hand.reduce((sum, rank) => sum + Math.min(10, RANKS.indexOf(rank) + 1), 0);
  const soft = hand.includes("A") && low + 10 <= LIMIT;
  return { sum: soft ? low + 10 : low, soft };
}

/** An ace and a card that counts 10. */
export const isNatural = (hand: readonly Rank[]): boolean => hand.length === 2 && count(hand).sum === LIMIT;
