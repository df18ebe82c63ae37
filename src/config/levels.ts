// The levels of a configuration.
import { type RunConfig, VALIDATION_FIRST_SEED } from "./run-config.ts";
import { consecutive, seedsOf } from "./seeds.ts";

type Trainer = Pick<RunConfig, "trainer">;

/** The first seed of the levels on which SFT is tested. */
export const SFT_TEST_FIRST_SEED = 800_001;

/** The seeds that training draws its levels from. */
export const trainingSeeds = ({ trainer }: Trainer): readonly number[] => seedsOf(trainer.train_seeds);

/** The seeds of a validation, in the order in which they are played. */
export const validationSeeds = ({ trainer }: Trainer): readonly number[] =>
  trainer.val_seeds === ""
    ? consecutive(VALIDATION_FIRST_SEED, trainer.val_size)
    : seedsOf(trainer.val_seeds);

/** Further sets of validation levels of all environments of a run, with what each changes of its task. */
export const validationSets = ({ trainer }: Trainer) =>
  Object.entries(trainer.val_sets).map(([name, set]) => ({ ...set, name, seeds: seedsOf(set.seeds) }));

/** The names of the further validation sets of a run. Recordings and runs from before there were any do not have the setting. */
export const setNames = ({ trainer }: Trainer): string[] =>
  Object.keys((trainer as Partial<RunConfig["trainer"]>).val_sets ?? {});

/** The sets that play the first environment of a run. */
export const ownValidationSets = (config: Pick<RunConfig, "env" | "trainer">) =>
  validationSets(config).filter(({ env }) => env === undefined || env === config.env.name);
