// The options of Blackjack, with VAGEN's field names.
import { z } from "../../core/schema.ts";
import { formatReward, renderMode, reward } from "../options.ts";

export const config = z.object({
  natural: z
    .boolean()
    .default(false)
    .meta({ title: "Naturals pay more" })
    .describe(
      "Whether winning with an ace and a ten as the first two cards pays 1.5 times the success reward.",
    ),
  sab: z
    .boolean()
    .default(false)
    .meta({ title: "Rules of Sutton and Barto" })
    .describe(
      "Whether the agent's natural also beats every other 21 of the dealer, as in the book by Sutton and Barto; naturals then pay no more than other wins.",
    ),
  render_mode: renderMode,
  format_reward: formatReward(0.1),
  success_reward: reward(1, "Success reward", "Reward for winning the hand."),
  loss_reward: reward(-1, "Loss reward", "Reward for losing the hand; a draw pays nothing."),
});

export type BlackjackConfig = z.output<typeof config>;
