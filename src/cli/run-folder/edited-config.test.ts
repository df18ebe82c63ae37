import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { getPreset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { toYaml } from "../source.ts";
import { editedSettings } from "./edited-config.ts";

const { config: stored } = getPreset("frozenlake-nano");
const longer = applyChanges(stored, { "trainer.total_updates": 999 });
const folder = mkdtempSync(join(tmpdir(), "edited-"));
const file = join(folder, "config.yaml");

/** What is said of a file when the run continues with `config`. */
function edited(written: RunConfig | string | null, config = stored, history: readonly TrainerEvent[] = []) {
  if (written !== null) writeFileSync(file, typeof written === "string" ? written : toYaml(written));
  return editedSettings(folder, { stored, config, history });
}

test("nothing is said of a file as the run has written it, or of none", () => {
  expect(edited(null)).toBeNull();
  expect(edited(stored)).toBeNull();
  // The command changes a setting, so that the file is older than the run.
  expect(edited(stored, longer)).toBeNull();
  // The run was killed with a setting that no checkpoint has, and that the command gives again.
  expect(edited(longer, longer)).toBeNull();
  expect(edited("no: configuration")).toBeNull();
});

test("a setting that the run itself changed after its checkpoint was not edited", () => {
  const change = {
    type: "config_changed",
    update: 3,
    path: "trainer.total_updates",
    from: 60,
    to: 999,
  } as const;
  expect(edited(longer, stored, [change])).toBeNull();
  expect(edited(longer, stored, [{ ...change, to: 998 }])).not.toBeNull();
});

test("names the settings that the run does not have, and how to change them", () => {
  const begins = `${file} differs from the run's settings in `;
  const keeps = "The run keeps its own values and overwrites the file.";
  const rate = applyChanges(stored, { "actor.lr": 0.05, description: "Mine" });
  expect(edited(rate, longer)).toBe(`${begins}actor.lr. ${keeps} To change actor.lr, resume with --set.`);
  const seeded = applyChanges(stored, { seed: 5 });
  expect(edited(seeded)).toBe(`${begins}seed. ${keeps} Only a new run can have another seed.`);
});
