// Blackjack in words: the dealer's card and what the agent's cards count.
import type { BoardTruth } from "../../core/types.ts";
import { LIMIT, RANKS } from "../../envs/blackjack/cards.ts";
import { ACTIONS } from "../../envs/blackjack/config.ts";
import type { Template } from "./template.ts";

interface Facts {
  sum: number;
  soft: boolean;
  /** The dealer's card. */
  dealer: string;
  ended: boolean;
}

const factsOf = (truth: BoardTruth) => truth.facts as unknown as Facts;

/** The largest sum of a hand: a ten on top of 21. */
const MOST = LIMIT + 10;

/** "dealer 10 ; soft 18": the sum is soft while an ace counts 11. */
function facts(truth: BoardTruth): string {
  const { sum, soft, dealer } = factsOf(truth);
  return `dealer ${dealer} ; ${soft ? "soft" : "hard"} ${sum}`;
}

/** What Thorp's basic strategy does, which wins most hands of those who do not count cards (Sutton and Barto, figure 5.2). */
function shouldHit(truth: BoardTruth): boolean {
  const { sum, soft, dealer } = factsOf(truth);
  const shown = dealer === "A" ? 11 : Math.min(10, RANKS.indexOf(dealer as (typeof RANKS)[number]) + 1);
  if (soft) return sum < 18 || (sum === 18 && shown > 8);
  if (sum === 12) return shown < 4 || shown > 6;
  return sum < 12 || (sum < 17 && shown > 6);
}

/** The language of Blackjack. */
export const blackjackTemplate: Template<BoardTruth> = {
  id: "blackjack",
  own: true,
  name: "Blackjack",
  actions: ACTIONS,
  predicts: [],
  words: () => [
    "Blackjack ",
    ...RANKS.map((rank) => `dealer ${rank}`),
    ...Array.from({ length: MOST - 3 }, (_, i) => ` ; hard ${i + 4}`),
    ...Array.from({ length: 10 }, (_, i) => ` ; soft ${i + 12}`),
    " ; so ",
    ...ACTIONS,
  ],
  symbols: [...RANKS, "#", "_"],
  describe: facts,
  facts,
  decision: " ; so ",
  /** The next card is unknown, so there are no claims to predict. */
  predict: () => "",
  advance: (truth) => truth,
  ended: (truth) => factsOf(truth).ended,
  players: {
    expert: "it plays basic strategy",
    heuristic: "Hits below 19, whatever the dealer shows.",
    oracle:
      "Knows the cards to come: takes the shortest way to win, and acts at random where there is none. No agent can know as much.",
  },
  /** Wants to come close to 21, whatever the risk. */
  heuristic: (truth) => (factsOf(truth).sum < 19 ? "Hit" : "Stand"),
  expert: (truth) => [shouldHit(truth) ? "Hit" : "Stand"],
  actionsPerTurn: () => 1,
};
