// Names of the parts of a reward. Apart from the dictionary, which is long, so that a replay can be shown without it.
import { EPISODE_FORMAT as EPISODE_FORMAT_ID, rewardTerms } from "../../rl/reward/index.ts";

/** What AReaL's workflow deducts, which is a part of the reward but no term of it. */
export const BEST_SO_FAR = { id: "best_so_far", title: "Earned before" };

/** What the form of a whole episode earns, which no turn does alone. */
export const EPISODE_FORMAT = { id: EPISODE_FORMAT_ID, title: "Format of the episode" };

/** What a part of the reward is called among others: its title, or its id where it is unknown. */
export const rewardTitle = (id: string): string =>
  [...rewardTerms.all, BEST_SO_FAR, EPISODE_FORMAT]
    .find((part) => part.id === id)
    ?.title.replace(/ reward$/, "") ?? id;
