import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
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
