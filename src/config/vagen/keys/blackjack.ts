// Options of Blackjack in a dataset's entry. Only the legacy release has the environment.
import { type KeyMapping, legacyEntry } from "../key-mapping.ts";

export const blackjackKeys: readonly KeyMapping[] = [
  legacyEntry("config.natural", "env.config.natural", { default: false }),
  legacyEntry("config.sab", "env.config.sab", { default: false }),
].map((mapping) => ({ ...mapping, env: "blackjack" }));
