import { expect, test } from "vitest";
import { bundledFile, noSuchCheckpoint } from "../config/init-checkpoint.ts";

test("a missing checkpoint is reported with the field, the nearest name and the alternatives", () => {
  expect(noSuchCheckpoint("trainer.init_checkpoint", "frozenlake-nano-warmp", "Or a file.")).toMatchObject({
    code: "not_found",
    message: 'trainer.init_checkpoint is "frozenlake-nano-warmp"; there is no such checkpoint.',
    hint: 'Did you mean "frozenlake-nano-warmup"? Or a file.',
  });
  expect(noSuchCheckpoint("--checkpoint", "nav-small", "Or a file.").hint).toBe(
    "Did you mean one of navigation-small-warmup, navigation-small-trained? Or a file.",
  );
  expect(noSuchCheckpoint("--checkpoint", "mine", "Or a file.").hint).toMatch(
    /^Known are: frozenlake-nano-warmup, .* Or a file\.$/,
  );
  expect(noSuchCheckpoint("--from", "runs/x", "Or a file.", "Check the path.").hint).toBe("Check the path.");
});

test("a bundled checkpoint may be named with its ending", () => {
  expect([bundledFile("a-b"), bundledFile("a-b.safetensors")]).toEqual([
    "a-b.safetensors",
    "a-b.safetensors",
  ]);
});
