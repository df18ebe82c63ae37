import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
import { checkedRunConfig } from "../check.ts";
import { presets } from "../presets.ts";
import { RunConfig } from "../run-config.ts";
import { sharedLevels } from "./shared-levels.ts";

const found = (trainer: object) => {
  const shared = sharedLevels(RunConfig.parse({ trainer }));
  return shared && plainText(shared.message);
};

test("the defaults and the presets share no level", () => {
  expect(found({})).toBe(null);
  for (const { config } of presets.all) expect(sharedLevels(config)).toBe(null);
});

test("every way to name levels is compared, the default validation included", () => {
  expect(found({ train_seeds: "1-10100" })).toMatch(
    /^Training also plays 100 of the 256 levels of the validation, for example level 10001\./,
  );
  expect(found({ train_seeds: "5", val_seeds: "3, 5" })).toContain("1 of the 2 levels of the validation");
  expect(found({ train_seeds: "5", val_seeds: "6" })).toBe(null);
  const sets = { near: { seeds: "1-4" }, far: { seeds: "90-99" } };
  expect(found({ train_seeds: "3-8", val_sets: sets })).toContain(
    "plays 2 of the 4 levels of the set near, for example level 3.",
  );
  expect(found({ train_seeds: "3-8", val_seeds: "8", val_sets: sets })).toContain(
    "1 of the 1 level of the validation and 2 of the 4 levels of the set near, for example level 8.",
  );
});

test("so are those of further environments, with all that play the same game", () => {
  const several = (envs: object, trainer: object = {}) => {
    const shared = sharedLevels(checkedRunConfig({ envs, trainer }));
    return shared && plainText(shared.message);
  };
  expect(several({ sokoban: {} })).toBe(null);
  expect(several({ sokoban: { train_seeds: "1-20", val_seeds: "15-24" } })).toContain(
    "plays 6 of the 10 levels of the validation of sokoban, for example level 15.",
  );
  const sets = (env?: string, config: object = {}) => ({ val_sets: { near: { seeds: "4-5", env, config } } });
  expect(several({ sokoban: { train_seeds: "5" } }, { ...sets("sokoban"), train_seeds: "1" })).toContain(
    "plays 1 of the 2 levels of the set near, for example level 5.",
  );
  expect(several({ sokoban: { train_seeds: "5" } }, { ...sets(), train_seeds: "1" })).toBe(null);
  expect(several({}, { ...sets(undefined, { p: 0.6 }), train_seeds: "1-5" })).toBe(null);
  // The same seed is another level in another game, or with other options.
  expect(several({ sokoban: { train_seeds: "10001", val_seeds: "1" } })).toBe(null);
  expect(
    several({ wide: { name: "frozenlake", config: { size: 6 }, train_seeds: "10001", val_seeds: "1" } }),
  ).toBe(null);
  expect(several({ more: { name: "frozenlake", train_seeds: "10001" } })).toContain(
    "1 of the 256 levels of the validation and 1 of the 256 levels of the validation of more",
  );
});

test("says which setting names a shared seed", () => {
  const pathOf = (run: object) => sharedLevels(checkedRunConfig(run))?.path;
  expect(pathOf({ trainer: { train_seeds: "1-20", val_seeds: "20-23" } })).toBe("trainer.train_seeds");
  const own = { sokoban: { train_seeds: "1-20", val_seeds: "15-24" } };
  expect(pathOf({ envs: own })).toBe("envs.sokoban.train_seeds");
  expect(pathOf({ envs: { sokoban: { val_seeds: "3" } }, trainer: { train_seeds: "1-20" } })).toBe(
    "trainer.train_seeds",
  );
});
