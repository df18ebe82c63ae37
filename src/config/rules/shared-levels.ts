// Whether training plays levels of a validation. It is allowed, because some comparisons want it, but success then no longer shows
// what the policy does on levels that it has never played.
import { counted } from "../../core/format.ts";
import { joined, listed, type Message, message, setting } from "../../core/message.ts";
import { eachAlone, furtherEntries, playedIn } from "../entries.ts";
import { trainingSeeds, validationSeeds, validationSets } from "../levels.ts";
import type { RunConfig } from "../run-config.ts";

interface LevelSet {
  /** What it is, after "the levels of". */
  what: Message;
  seeds: readonly number[];
  /** Levels that training plays in the same environment with the same options. */
  trained: ReadonlySet<number>;
}

/** What training and validations share, in any environment of the run, and what to do about it; null if they share no level. */
export function sharedLevels(config: RunConfig): { message: Message; hint: Message } | null {
  const sets = setsOf(config).flatMap(({ what, seeds, trained }) => {
    const shared = seeds.filter((seed) => trained.has(seed));
    return shared.length > 0
      ? [
          {
            shared,
            text: joined([`${shared.length} of the ${counted(seeds.length, "level")} of `, what], ""),
          },
        ]
      : [];
  });
  const [first] = sets;
  if (!first) return null;
  const where = furtherEntries(config).length > 0 ? message`, or in ${setting("envs")}` : "";
  return {
    message: message`Training also plays ${listed(sets.map(({ text }) => text))}, for example level ${first.shared[0]}. Success on them does not show what the policy does on levels that it has never played.`,
    hint: message`Take these levels out of ${setting("trainer.train_seeds")}, or use others for ${setting("trainer.val_seeds")} and ${setting("trainer.val_sets")}${where}.`,
  };
}

function setsOf(config: RunConfig): LevelSet[] {
  const entries = furtherEntries(config);
  const all = eachAlone(config);
  const gameOf = ({ env }: RunConfig) => JSON.stringify([env.name, env.config]);
  const trainedIn = (one: RunConfig) =>
    new Set(all.filter((other) => gameOf(other) === gameOf(one)).flatMap(trainingSeeds));
  const trained = trainedIn(config);
  return [
    { what: message`the validation`, seeds: validationSeeds(config), trained },
    ...validationSets(config).map((set) => ({
      what: message`the set ${set.name}`,
      seeds: set.seeds,
      trained: trainedIn(playedIn(set, config)),
    })),
    ...entries.map(({ name, config: own }) => ({
      what: message`the validation of ${name}`,
      seeds: validationSeeds(own),
      trained: trainedIn(own),
    })),
  ];
}
