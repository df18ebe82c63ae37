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
  /** Those of `seeds` that training plays in the same environment with the same options, each with the setting that names its seed. */
  trained: ReadonlyMap<number, string>;
}

/** The setting of the seeds that training plays. */
const TRAIN_SEEDS = "trainer.train_seeds";

/**
 * What training and validations share, in any environment of the run, what to do about it, and the setting that names the first
 * seed that they share; null if they share no level.
 */
export function sharedLevels(config: RunConfig): { message: Message; hint: Message; path: string } | null {
  const sets = setsOf(config).flatMap(({ what, seeds, trained }) => {
    const shared = seeds.filter((seed) => trained.has(seed));
    return shared.length > 0
      ? [
          {
            shared,
            trained,
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
    hint: message`Take these levels out of ${setting(TRAIN_SEEDS)}, or use others for ${setting("trainer.val_seeds")} and ${setting("trainer.val_sets")}${where}.`,
    path: first.trained.get(first.shared[0]!)!,
  };
}

function setsOf(config: RunConfig): LevelSet[] {
  const entries = furtherEntries(config);
  const paths = [TRAIN_SEEDS, ...entries.map(({ name }) => trainSeedsPath(config, name))];
  const all = eachAlone(config).map((one, i) => ({ one, path: paths[i]! }));
  const gameOf = ({ env }: RunConfig) => JSON.stringify([env.name, env.config]);
  const levelSet = (what: Message, seeds: readonly number[], played: RunConfig): LevelSet => {
    // The form runs this check after every change, so only the few validation seeds are kept, not the thousands of training.
    const validated = new Set(seeds);
    const trained = all
      .filter(({ one }) => gameOf(one) === gameOf(played))
      .flatMap(({ one, path }) => {
        const shared = trainingSeeds(one).filter((seed) => validated.has(seed));
        return shared.map((seed) => [seed, path] as const);
      });
    return { what, seeds, trained: new Map(trained) };
  };
  return [
    levelSet(message`the validation`, validationSeeds(config), config),
    ...validationSets(config).map((set) =>
      levelSet(message`the set ${set.name}`, set.seeds, playedIn(set, config)),
    ),
    ...entries.map(({ name, config: own }) =>
      levelSet(message`the validation of ${name}`, validationSeeds(own), own),
    ),
  ];
}

/** A further environment without seeds of its own is trained on those of the run. */
const trainSeedsPath = ({ envs }: RunConfig, name: string): string =>
  envs[name]?.train_seeds ? `envs.${name}.train_seeds` : TRAIN_SEEDS;
