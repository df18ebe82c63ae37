import { beforeEach, expect, it } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import { editField, loadDraft, undo, useDraft } from "../store/draft-store.ts";
import { namedAfterTask, nameOfDraft } from "./run-name.ts";

const preset = RunConfig.parse({ name: "FrozenLake nano", env: { name: "frozenlake" } });
const name = () => useDraft.getState().draft!.name;

beforeEach(() => loadDraft(preset, "frozenlake-nano"));

it("is the preset's in its own task, whatever else is changed", () => {
  editField("actor.lr", 1e-4);
  expect(name()).toBe("FrozenLake nano");
});

it("says the task and the preset in another task, until the preset's task is chosen again", () => {
  editField("env.name", "sokoban");
  expect(name()).toBe("Sokoban (from FrozenLake nano)");
  undo();
  expect(name()).toBe("FrozenLake nano");
  editField("env.name", "sokoban");
  editField("env.name", "frozenlake");
  expect(name()).toBe("FrozenLake nano");
});

it("says every task of a run in several", () => {
  editField("envs", { sokoban: { name: "", preset: "default", config: {}, weight: 1 } });
  expect(name()).toBe("FrozenLake, Sokoban (from FrozenLake nano)");
});

it("says an unknown task by its id", () => {
  editField("env.name", "lantern");
  expect(name()).toBe("lantern (from FrozenLake nano)");
});

it("names one origin only, also of a draft that began as such a run", () => {
  const run = { ...preset, name: "Lantern (from FrozenLake nano)", env: { ...preset.env, name: "lantern" } };
  expect(nameOfDraft(run, run)).toBe(run.name);
  expect(nameOfDraft({ ...run, env: { ...run.env, name: "sokoban" } }, run)).toBe(
    "Sokoban (from FrozenLake nano)",
  );
});

it("has no origin to name where the configuration had no name", () => {
  const file = RunConfig.parse({});
  expect(nameOfDraft({ ...file, env: { ...file.env, name: "sokoban" } }, file)).toBe("Sokoban");
});

it("is that of the tasks of a file without a name", () => {
  const file = namedAfterTask(RunConfig.parse({ envs: { boxes: { name: "sokoban" } } }));
  expect(file.name).toBe("FrozenLake, Sokoban");
  expect(nameOfDraft({ ...file, env: { ...file.env, name: "visual-math" } }, file)).toBe(
    "Visual math, Sokoban",
  );
  expect(namedAfterTask(preset)).toBe(preset);
});
