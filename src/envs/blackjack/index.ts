// The specification of Blackjack: the shortest complete environment, to learn from (docs/environments.md).
import { defineEnv } from "../env.ts";
import { lazily } from "../loading.ts";
import { ACTIONS, config, TABLE } from "./config.ts";
import { isTie } from "./tie.ts";

// The page starts without the game.
const game = lazily("Blackjack", () => import("./blackjack.ts"));

/**
 * Play a hand of Blackjack against a dealer: VAGEN's tutorial environment, with the rules of Gymnasium's Blackjack-v1. The agent wants a
 * sum nearer to 21 than the dealer's, but not above it. Jacks, queens and kings count 10, and
 * an ace counts 11 where that is not too much, else 1.
 *
 * **Actions.** One a turn; further ones of an answer are dropped.
 *
 * | action | effect |
 * |---|---|
 * | `Hit` | take another card |
 * | `Stand` | take no more: the dealer turns the second card and draws up to a sum of 17 or more; also written `Stick` |
 *
 * **Observation.** The table: the dealer's cards at the top, one of them face down, and the agent's cards below. Text symbols: `A`, `2` …
 * `10`, `J`, `Q`, `K` cards, `#` a card face down, `_` the cloth.
 *
 * **Start.** Two cards for the agent and two for the dealer.
 *
 * **Transitions.** Every card is drawn from a full deck, so the cards on the table say nothing about those to come.
 *
 * **Rewards.** `success_reward` for a win (with `natural`, 1.5 times as much for a natural), −1 for a loss, 0 for a tie.
 * Under `sab`, the rules in the book by Sutton and Barto, a natural beats every other 21 and pays no more than other wins.
 *
 * **End.** The episode terminates when the agent stands, or when its sum exceeds 21. Success is a win, and a tie is neither success nor loss; no way of playing wins every hand.
 *
 * **Seeds.** A seed gives the agent's cards and, apart from them, the dealer's, so taking a card does not change what the dealer draws.
 *
 * **Configuration.**
 */
export const blackjack = defineEnv({
  id: "blackjack",
  title: "Blackjack",
  description: "Beat the dealer's hand without going above 21.",
  actions: ACTIONS,
  playHelp: {
    actions:
      "Hit takes a card. Stand takes no more, and the dealer draws up to 17 or more. Pictures count 10, an ace 11 or 1.",
    losses: "A lost hand pays −1.",
  },
  readAction: (text) =>
    /^hit$/i.test(text.trim()) ? "Hit" : /^(stand|stick)$/i.test(text.trim()) ? "Stand" : null,
  claims: [],
  resultIn: (truth) => (isTie(truth) ? "Tie" : undefined),
  hasChance: () => true,
  config,
  presets: { legacy: { format_reward: 0.5, format_penalty: -0.1 } },
  load: game.load,
  check: () => undefined,
  create: (options) => new (game.get().Blackjack)(options),
  patches: () => TABLE,
});
