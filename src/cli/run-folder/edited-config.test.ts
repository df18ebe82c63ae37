import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { getPreset } from "../../config/presets.ts";
import { toYaml } from "../source.ts";
import { editedSettings } from "./edited-config.ts";

const { config: stored } = getPreset("frozenlake-nano");
const folder = mkdtempSync(join(tmpdir(), "edited-"));
const write = (text: string) => writeFileSync(join(folder, "config.yaml"), text);

test("names the settings of a resumed run's file that the run does not have", () => {
  expect(editedSettings(folder, stored, stored)).toBeNull();
  write(toYaml(stored));
  expect(editedSettings(folder, stored, stored)).toBeNull();
  // Given to the command, so that the file is older than the run.
  const longer = applyChanges(stored, { "trainer.total_updates": 999 });
  expect(editedSettings(folder, stored, longer)).toBeNull();
  // The file of a run that was killed with a setting that no checkpoint had, and that is given again.
  write(toYaml(longer));
  expect(editedSettings(folder, stored, longer)).toBeNull();
  write(toYaml(applyChanges(stored, { "actor.lr": 0.05, description: "Mine" })));
  expect(editedSettings(folder, stored, longer)).toBe(
    `${join(folder, "config.yaml")} has other settings than the run: actor.lr. The run keeps its own and writes the file again; to change a setting, resume with --set.`,
  );
  write("no: configuration");
  expect(editedSettings(folder, stored, stored)).toBeNull();
});
