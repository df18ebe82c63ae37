import { expect, test } from "vitest";
import { bundledFile, noSuchCheckpoint } from "../config/init-checkpoint.ts";

test("a checkpoint that does not exist is told with the field, the nearest name and what else would do", () => {
  expect(noSuchCheckpoint("trainer.init_checkpoint", "frozenlake-nano-warmp", "Or a file.")).toMatchObject({
    code: "not_found",
    message: 'trainer.init_checkpoint is "frozenlake-nano-warmp"; there is no such checkpoint.',
    hint: 'Did you mean "frozenlake-nano-warmup"? Or a file.',
  });
  expect(noSuchCheckpoint("--checkpoint", "run/x.safetensors", "Or a file.").hint).toMatch(
    /^Known are: frozenlake-nano-warmup, .* Or a file\.$/,
  );
});

test("a bundled checkpoint may be named with its ending", () => {
  expect([bundledFile("a-b"), bundledFile("a-b.safetensors")]).toEqual([
    "a-b.safetensors",
    "a-b.safetensors",
  ]);
});
