import { afterEach, expect, it } from "vitest";
import { setPath } from "../../config/changes.ts";
import { getPreset } from "../../config/presets.ts";
import { loadEnv } from "../../envs/index.ts";
import { changedPaths, editField, loadDraft, useDraft } from "../store/draft-store.ts";
import { originFor } from "./origin.ts";

const lake = getPreset("frozenlake-nano");
const { base: none } = useDraft.getState();
afterEach(() => useDraft.setState({ base: none, draft: none }));

/** Paths that the form counts as changed. */
function counted(): string[] {
  const { base, draft } = useDraft.getState();
  return changedPaths(originFor(base!, draft!), draft!);
}

it("counts another task as one change, although it brings options of its own", async () => {
  await loadEnv("sokoban");
  loadDraft(lake.config, lake.id);
  editField("env.name", "sokoban");
  const { base, draft } = useDraft.getState();
  expect(changedPaths(base!, draft!).length).toBeGreaterThan(5);
  expect(counted()).toEqual(["env.name"]);
});

it("counts an option of the other task once the user changes it", () => {
  loadDraft(lake.config, lake.id);
  editField("env.name", "blackjack");
  editField("env.config.natural", true);
  expect(counted().sort()).toEqual(["env.config.natural", "env.name"]);
});

it("counts a preset of the task as one change", () => {
  loadDraft(lake.config, lake.id);
  editField("env.preset", "legacy");
  expect(counted()).toEqual(["env.preset"]);
});

it("leaves the origin alone where its options do not fit the environment any more", () => {
  const base = setPath(lake.config, "env.config", { size: "wide" });
  const draft = setPath(lake.config, "env.preset", "legacy");
  expect(originFor(base, draft)).toBe(base);
});

it("leaves the origin alone where the task is the same", () => {
  const draft = setPath(lake.config, "actor.lr", 1);
  expect(originFor(lake.config, draft)).toBe(lake.config);
});
