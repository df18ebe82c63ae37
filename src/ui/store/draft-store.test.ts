import { beforeEach, describe, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import { presets } from "../../config/presets.ts";
import { besideField } from "../settings/words.ts";
import {
  changedPaths,
  editField,
  editFields,
  loadDraft,
  recheckDraft,
  redo,
  rejectText,
  resetField,
  tieDraft,
  undo,
  useDraft,
} from "./draft-store.ts";

const base = inspectRunConfig({}).config!;
const paths = () => useDraft.getState().problems.map((problem) => problem.path);

describe("the draft of a configuration", () => {
  beforeEach(() => {
    useDraft.setState({ past: [], future: [] });
    loadDraft(base, "test");
    useDraft.setState({ past: [] });
  });

  it("lists what differs from where it started", () => {
    editField("actor.lr", 1e-4);
    expect(changedPaths(base, useDraft.getState().draft!)).toEqual(["actor.lr"]);
    resetField("actor.lr");
    expect(changedPaths(base, useDraft.getState().draft!)).toEqual([]);
  });

  it("keeps a value that is out of range, with its problem (T6)", () => {
    editField("actor.lr", -1);
    expect(useDraft.getState().draft?.actor.lr).toBe(-1);
    expect(paths()).toEqual(["actor.lr"]);
    editField("actor.lr", 1e-4);
    expect(paths()).toEqual([]);
  });

  it("keeps text that is no number, with its problem (T6)", () => {
    editField("algorithm.gamma", 7);
    rejectText("algorithm.gamma", "two");
    expect(paths()).toEqual(["algorithm.gamma"]);
    expect(useDraft.getState().problems[0]?.expected).toMatch(/^it must be a number/);
    undo();
    rejectText("algorithm.gamma", "two");
    expect(useDraft.getState().draft?.algorithm.gamma).toBe(base.algorithm.gamma);
    editField("algorithm.gamma", base.algorithm.gamma);
    expect(paths()).toEqual([]);
  });

  it("forgets the text of an option with the environment that it was an option of", () => {
    const set = { seeds: "1-4", config: {} };
    editField("trainer.val_sets", { one: set, other: set });
    const [own, turns, beside] = ["one.config.size", "one.max_turns", "other.config.size"].map(
      (name) => `trainer.val_sets.${name}`,
    ) as [string, string, string];
    for (const path of [own, turns, beside]) rejectText(path, "two");
    editField("trainer.val_sets.one.config.num_holes", 2);
    editField("trainer.val_sets", { ...useDraft.getState().draft!.trainer.val_sets, third: set });
    expect(Object.keys(useDraft.getState().unreadable)).toEqual([own, turns, beside]);
    editField("trainer.val_sets.one", { ...set, config: {}, env: "lake" });
    expect(Object.keys(useDraft.getState().unreadable)).toEqual([turns, beside]);
    editField("trainer.val_sets", { other: useDraft.getState().draft!.trainer.val_sets.other });
    expect(Object.keys(useDraft.getState().unreadable)).toEqual([beside]);
  });

  it("has every level drawn again after the extensions have changed", () => {
    editField("envs", { lake: { name: "frozenlake", weight: 1 } });
    const before = useDraft.getState().draft!;
    recheckDraft();
    const { env, envs } = useDraft.getState().draft!;
    // The preview draws a level for each new object.
    expect(env).not.toBe(before.env);
    expect(envs.lake).not.toBe(before.envs.lake);
    expect({ env, envs }).toEqual({ env: before.env, envs: before.envs });
  });

  it("says how to write a number", () => {
    const said = (path: string, text: string) => {
      rejectText(path, text);
      return besideField(useDraft.getState().problems.find((problem) => problem.path === path)!);
    };
    expect(said("trainer.total_updates", "1,000")).toMatch(
      /^It must be a whole number from 0 to \d+\. Write digits without thousands separators, for example 1000\.$/,
    );
    expect(said("actor.lr", "fast")).toMatch(/^It must be a number .* for example 1000, 0\.0003 or 3e-4\.$/);
    expect(said("rollout.max_turns", " ")).toBe("It must be a whole number from 1 to 20.");
  });

  it("sets several values in one step, which one undo takes back", () => {
    rejectText("actor.lr", "fast");
    editFields({ "actor.lr": 1e-4, "critic.lr": 2e-4 });
    expect(changedPaths(base, useDraft.getState().draft!)).toEqual(["actor.lr", "critic.lr"]);
    expect(useDraft.getState().unreadable).toEqual({});
    undo();
    expect(changedPaths(base, useDraft.getState().draft!)).toEqual([]);
    editFields({ "actor.lr": base.actor.lr });
    expect(useDraft.getState().past).toHaveLength(0);
  });

  it("undoes and redoes", () => {
    editField("actor.lr", 1e-4);
    editField("actor.lr", 2e-4);
    undo();
    expect(useDraft.getState().draft?.actor.lr).toBe(1e-4);
    undo();
    expect(useDraft.getState().draft?.actor.lr).toBe(base.actor.lr);
    redo();
    expect(useDraft.getState().draft?.actor.lr).toBe(1e-4);
    editField("actor.lr", 3e-4);
    expect(useDraft.getState().future).toEqual([]);
  });

  it("goes back to where the draft before had started", () => {
    loadDraft(base, null, "the file tiny.yaml");
    expect(useDraft.getState()).toMatchObject({ presetId: null, source: "the file tiny.yaml" });
    undo();
    expect(useDraft.getState()).toMatchObject({ presetId: "test", source: "" });
    redo();
    expect(useDraft.getState()).toMatchObject({ presetId: null, source: "the file tiny.yaml" });
  });

  it("is the draft of its run until another one is loaded, and again when that is undone", () => {
    tieDraft("lake-1");
    editField("actor.lr", 1e-4);
    const runs = [useDraft.getState().runId];
    loadDraft(base, null, "the file tiny.yaml");
    runs.push(useDraft.getState().runId);
    undo();
    runs.push(useDraft.getState().runId);
    expect(runs).toEqual(["lake-1", null, "lake-1"]);
  });

  it("gives another task its own options", () => {
    editField("env.name", "sokoban");
    const { draft } = useDraft.getState();
    expect(draft?.env.config).toHaveProperty("num_boxes");
    expect(draft?.env.config).not.toHaveProperty("is_slippery");
  });

  it("gives the task that it began with its options and its start back", () => {
    const walk = presets.get("navigation-text-nano").config;
    loadDraft(walk, "navigation-text-nano");
    useDraft.setState({ past: [] });
    const start = () => useDraft.getState().draft?.trainer.init_checkpoint;
    editField("env.name", "frozenlake");
    editField("trainer.init_checkpoint", "frozenlake-nano-warmup");
    editField("env.name", "navigation");
    expect(changedPaths(walk, useDraft.getState().draft!)).toEqual([]);
    undo();
    expect([useDraft.getState().draft?.env.name, start()]).toEqual(["frozenlake", "frozenlake-nano-warmup"]);
  });

  it("forgets the text of a field with the validation set that it belongs to", () => {
    const sets = { more: { seeds: "7-9", config: {} }, other: { seeds: "7-9", config: {} } };
    editField("trainer.val_sets", sets);
    rejectText("trainer.val_sets.more.max_turns", "x");
    rejectText("trainer.val_sets.other.max_turns", "y");
    rejectText("seed", "z");
    expect(paths()).toContain("trainer.val_sets.more.max_turns");
    editField("trainer.val_sets", { other: sets.other });
    expect(paths().sort()).toEqual(["seed", "trainer.val_sets.other.max_turns"]);
  });

  it("drops validation sets with options of another task, and keeps those that are levels alone", () => {
    const walk = presets.get("navigation-text-nano").config;
    loadDraft(walk, "navigation-text-nano");
    const sets = () => useDraft.getState().draft!.trainer.val_sets;
    editField("trainer.val_sets.more", { seeds: "7-9", config: {} });
    editField("trainer.val_sets.named", { seeds: "7-9", config: {}, env: "navigation" });
    editField("env.name", "frozenlake");
    expect(sets()).toEqual({ more: { seeds: "7-9", config: {} } });
    expect(paths()).toEqual([]);
    editField("env.name", "navigation");
    expect(sets()).toEqual({ ...walk.trainer.val_sets, more: { seeds: "7-9", config: {} } });
  });

  it("gives a further environment another name where the task takes its own, also in what plays it", () => {
    editFields({
      envs: { sokoban: { name: "", weight: 2 } },
      "trainer.val_sets": { walks: { seeds: "7", config: {}, env: "sokoban" } },
    });
    editField("env.name", "sokoban");
    const { envs, trainer } = useDraft.getState().draft!;
    expect(envs).toEqual({ sokoban_2: { name: "sokoban", weight: 2 } });
    expect(trainer.val_sets.walks!.env).toBe("sokoban_2");
    expect(paths().filter((path) => /^envs|val_sets/.test(path))).toEqual([]);
  });

  it("keeps a start that fits the task that it began with, and one for a third task", () => {
    loadDraft(presets.get("frozenlake-nano").config, "frozenlake-nano");
    const startOn = (path: string, value: string) => {
      editField(path, value);
      return useDraft.getState().draft?.trainer.init_checkpoint;
    };
    startOn("env.name", "sokoban");
    expect(startOn("trainer.init_checkpoint", "")).toBe("");
    expect(startOn("env.name", "frozenlake")).toBe("");
    startOn("env.name", "sokoban");
    startOn("trainer.init_checkpoint", "sokoban-nano-warmup");
    expect(startOn("env.name", "blackjack")).toBe("sokoban-nano-warmup");
  });

  it("shows the values of the reward constants that were chosen, in every task that has them", () => {
    const options = () => useDraft.getState().draft?.env.config;
    editField("env.config.size", 5);
    editField("env.preset", "legacy");
    expect(options()).toMatchObject({
      size: 5,
      success_reward: 10,
      format_reward: 0.5,
      max_actions_per_step: 3,
    });
    editField("env.config.success_reward", 4);
    expect(options()).toMatchObject({ success_reward: 4, format_reward: 0.5 });
    editField("env.name", "sokoban");
    expect(options()).toMatchObject({ penalty_for_step: -0.1, reward_box_on_target: 1 });
    editField("env.preset", "none");
    expect(options()).toMatchObject({ penalty_for_step: 0, success_reward: 1 });
    expect(paths()).toEqual([]);
  });
});
