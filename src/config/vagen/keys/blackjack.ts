// Options of Blackjack in a dataset's entry. Only the legacy release has the environment.
import { type KeyMapping, legacyEntry } from "../key-mapping.ts";

export const blackjackKeys: readonly KeyMapping[] = [
  // VAGEN has no key for it, so the name of the task says it.
  legacyEntry("env_name", "env.config.format_penalty", {
    read: () => ({ value: -0.1 }),
    note: "VAGEN takes 0.1 from the reward of a turn without a valid action.",
  }),
  legacyEntry("config.natural", "env.config.natural", { default: false }),
  legacyEntry("config.sab", "env.config.sab", { default: false }),
].map((mapping) => ({ ...mapping, env: "blackjack" }));
