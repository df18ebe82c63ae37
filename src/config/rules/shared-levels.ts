// Whether training plays levels of a validation. It is allowed, because some comparisons want it, but success then no longer shows
// what the policy does on levels that it has never played.
import { counted } from "../../core/format.ts";
import { joined, listed, type Message, message, setting } from "../../core/message.ts";
import { trainingSeeds, validationSeeds, validationSets } from "../levels.ts";
import type { RunConfig } from "../run-config.ts";

/** What training and validations share, and what to do about it; null if they share no level. */
export function sharedLevels(config: Pick<RunConfig, "trainer">): { message: Message; hint: Message } | null {
  const trained = new Set(trainingSeeds(config));
  const sets = [
    { name: "", seeds: validationSeeds(config) },
    ...validationSets(config).map(({ name, seeds }) => ({ name, seeds })),
  ].flatMap(({ name, seeds }) => {
    const shared = seeds.filter((seed) => trained.has(seed));
    const of = name ? message`the set ${name}` : "the validation";
    return shared.length > 0
      ? [{ shared, text: joined([`${shared.length} of the ${counted(seeds.length, "level")} of `, of], "") }]
      : [];
  });
  const [first] = sets;
  if (!first) return null;
  return {
    message: message`Training also plays ${listed(sets.map(({ text }) => text))}, for example level ${first.shared[0]}. Success on them does not show what the policy does on levels that it has never played.`,
    hint: message`Take these levels out of ${setting("trainer.train_seeds")}, or use others for ${setting("trainer.val_seeds")} and ${setting("trainer.val_sets")}.`,
  };
}
