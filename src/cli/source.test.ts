import { expect, test } from "vitest";
import { getPreset } from "../config/presets.ts";
import { changed, warnOfIdle } from "./source.ts";
import { testIo } from "./testing/io.ts";

test("a setting that waits for another one is named with the reason", () => {
  const changes = { "critic.trunk_grad_scale": 0.1, "actor.lr": 5e-4, "sft.lr": 1e-3 };
  const io = testIo();
  warnOfIdle(io, changed(getPreset("frozenlake-small").config, changes), changes);
  expect(io.written.err).toMatch(
    /^warning: --set critic.trunk_grad_scale has no effect. critic.detach_trunk is on/,
  );
  expect(io.written.err).toContain("--set sft.lr has no effect.");
  expect(io.written.err).not.toContain("actor.lr has");
});

test("nothing is said where the setting counts", () => {
  const changes = { "critic.trunk_grad_scale": 0.1, "critic.detach_trunk": false };
  const io = testIo();
  warnOfIdle(io, changed(getPreset("frozenlake-small").config, changes), changes);
  expect(io.written.err).toBe("");
});

test("an environment with validation seeds of its own is named where another number of levels is given", () => {
  const changes = { "trainer.val_size": 8 };
  const warned = (preset: string) => {
    const io = testIo();
    warnOfIdle(io, changed(getPreset(preset).config, changes), changes);
    return io.written.err;
  };
  expect(warned("three-tasks-small")).toBe(
    "warning: --set trainer.val_size has no effect in navigation. The validation seeds say which levels there are.\n",
  );
  expect(warned("frozenlake-small")).toBe("");
});
