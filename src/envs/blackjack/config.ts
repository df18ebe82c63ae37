// What the page needs to know of Blackjack before the game is loaded: actions, size of the picture, and the options, with VAGEN's field names.
import { z } from "../../core/schema.ts";
import { formatPenalty, formatReward, renderMode, reward } from "../options.ts";

export const ACTIONS = ["Hit", "Stand"] as const;

/** Room for the most cards that can come: 12 of the dealer in the upper two rows, 22 of the agent below. */
export const TABLE = { rows: 6, cols: 6 } as const;

/** The first row of the agent's cards. */
export const PLAYER_ROW = 2;

export const config = z.object({
  natural: z
    .boolean()
    .default(false)
    .meta({ title: "Naturals pay more" })
    .describe(
      "Whether a natural, an ace and a ten as the first two cards, pays 1.5 times the success reward.",
    ),
  sab: z
    .boolean()
    .default(false)
    .meta({ title: "Rules of Sutton and Barto" })
    .describe(
      "Whether the agent's natural beats every other 21 of the dealer, and pays no more than other wins.",
    ),
  render_mode: renderMode,
  format_reward: formatReward(0.1),
  format_penalty: formatPenalty(),
  success_reward: reward(1, "Success reward", "Reward for winning the hand."),
});

export type BlackjackConfig = z.output<typeof config>;
