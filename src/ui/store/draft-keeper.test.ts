import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setPath } from "../../config/changes.ts";
import { fileChoice } from "../../config/init-checkpoint.ts";
import { getPreset } from "../../config/presets.ts";
import { type DraftNotice, keepDraft, restoreDraft } from "./draft-keeper.ts";
import { changedPaths, editField, loadDraft, redo, tieDraft, undo, useDraft } from "./draft-store.ts";
import { setKey, useJudgeStore } from "./judge-store.ts";

const KEY = "vagen-draft";
const presets = ["frozenlake-nano", "sokoban-nano"].map((id) => ({ id, config: getPreset(id).config }));
const { config: nano } = presets[0]!;

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
let stop = () => {};
const notices: string[] = [];
const drop = ({ title, body }: DraftNotice) => void notices.push(`${title}: ${body}`);

/** The page is loaded again, perhaps by a later version of the studio: its memory is gone, the storage is not. */
function reload(known: typeof presets | null = presets): boolean {
  stop();
  useDraft.setState({
    draft: null,
    base: null,
    presetId: null,
    source: "",
    runId: null,
    problems: [],
    past: [],
    future: [],
  });
  return restoreDraft(known, drop, storage);
}

/** The presets of a later version of the studio, which has another batch size. */
const laterPresets = presets.map(({ id, config }) => ({
  id,
  config: { ...config, rollout: { ...config.rollout, train_batch_size: 4 } },
}));

/** The settings that the form shows as changed. */
function shownChanges(): string[] {
  const { base, draft } = useDraft.getState();
  return changedPaths(base!, draft!);
}

/** Changes what is stored, as another version would have left it. */
function rewrite(change: (stored: Record<string, unknown>) => object): void {
  kept.set(KEY, JSON.stringify(change(JSON.parse(kept.get(KEY)!))));
}

beforeEach(() => {
  kept.clear();
  notices.length = 0;
  stop = keepDraft(storage);
  loadDraft(nano, "frozenlake-nano");
});
afterEach(() => stop());

describe("a draft", () => {
  it("comes back after a reload, with what it differs from", () => {
    editField("actor.lr", 1e-4);
    expect(reload()).toBe(true);
    const { draft, base, presetId, problems } = useDraft.getState();
    expect(changedPaths(base!, draft!)).toEqual(["actor.lr"]);
    expect([draft!.actor.lr, presetId, problems]).toEqual([1e-4, "frozenlake-nano", []]);
  });
  it("that was opened from a file says so again", () => {
    loadDraft({ ...nano, seed: 5 }, null, "the file tiny.yaml");
    reload();
    expect(useDraft.getState()).toMatchObject({ presetId: null, source: "the file tiny.yaml" });
    expect(useDraft.getState().draft?.seed).toBe(5);
  });
  it("that is a preset as it came follows the preset", () => {
    loadDraft(presets[1]!.config, "sokoban-nano");
    expect(kept.get(KEY)!.length).toBeLessThan(200);
    reload(laterPresets);
    expect(useDraft.getState()).toMatchObject({ presetId: "sokoban-nano", draft: laterPresets[1]!.config });
  });
  it("of a run keeps its values when a later version changes its preset, and shows no edit", () => {
    tieDraft("lake-1");
    expect(reload(laterPresets)).toBe(true);
    expect(changedPaths(nano, useDraft.getState().draft!)).toEqual([]);
    expect(shownChanges()).toEqual([]);
    const source = `another version of the preset ${nano.name}`;
    expect(useDraft.getState()).toMatchObject({ runId: "lake-1", presetId: null, source });
    stop = keepDraft(storage);
    reload(laterPresets);
    expect(useDraft.getState()).toMatchObject({ runId: "lake-1", source });
  });
  it("that was edited shows the user's edits only when a later version changes its preset, or no longer has it", () => {
    for (const known of [laterPresets, []]) {
      loadDraft(nano, "frozenlake-nano");
      editField("actor.lr", 1e-4);
      expect(reload(known)).toBe(true);
      expect(shownChanges()).toEqual(["actor.lr"]);
      expect(useDraft.getState().presetId).toBeNull();
      stop = keepDraft(storage);
    }
  });
  it("comes back as the draft of its run, also when it is a preset as it came", () => {
    for (const edit of [() => {}, () => editField("actor.lr", 1e-4)]) {
      tieDraft("lake-1");
      edit();
      reload();
      expect(useDraft.getState()).toMatchObject({ runId: "lake-1", presetId: "frozenlake-nano" });
      stop = keepDraft(storage);
    }
  });
  it("that was left unfinished comes back with its problem", () => {
    editField("actor.lr", 7);
    expect(reload()).toBe(true);
    expect(useDraft.getState().problems.map(({ path }) => path)).toEqual(["actor.lr"]);
  });
  it("that names an extension which is gone comes back with that problem", () => {
    editField("actor.lr", 1e-4);
    rewrite((stored) => ({
      ...stored,
      draft: setPath(stored.draft as object, "algorithm.adv_estimator", "mine"),
    }));
    expect(reload()).toBe(true);
    expect(useDraft.getState().problems.map(({ path }) => path)).toEqual(["algorithm.adv_estimator"]);
  });
  it("starts from nothing in place of a file that went with the page, and says so", () => {
    editField("trainer.init_checkpoint", fileChoice("blob:http://x/1", "mine.safetensors"));
    expect(reload()).toBe(true);
    expect(useDraft.getState().draft?.trainer.init_checkpoint).toBe("");
    expect(notices).toEqual([expect.stringMatching(/^Choose mine\.safetensors again/)]);
  });
  it("gets the settings that have come since", () => {
    editField("actor.lr", 1e-4);
    rewrite((stored) => ({
      ...stored,
      draft: setPath(stored.draft as object, "actor.clip_ratio", undefined),
    }));
    reload();
    expect(useDraft.getState().draft?.actor).toHaveProperty("clip_ratio");
  });
  it("gets the options of its task that have come since, and shows no edit of them", () => {
    editField("actor.lr", 1e-4);
    const older = (config: unknown) => setPath(config as object, "env.config.is_slippery", undefined);
    rewrite((stored) => ({ ...stored, draft: older(stored.draft), base: older(stored.base) }));
    reload();
    expect([shownChanges(), useDraft.getState().presetId]).toEqual([["actor.lr"], "frozenlake-nano"]);
  });
  it("gets them also where it was left unfinished", () => {
    editField("actor.lr", 7);
    const older = (config: unknown) => setPath(config as object, "env.config.is_slippery", undefined);
    rewrite((stored) => ({ ...stored, draft: older(stored.draft), base: older(stored.base) }));
    reload();
    expect(shownChanges()).toEqual(["actor.lr"]);
  });
  it("is what undo leads to if another was loaded before it could be restored", () => {
    editField("actor.lr", 1e-4);
    tieDraft("lake-1");
    stop();
    useDraft.setState(useDraft.getInitialState(), true);
    loadDraft(presets[1]!.config, "sokoban-nano");
    const { draft: chosen } = useDraft.getState();
    expect(restoreDraft(presets, drop, storage)).toBe(true);
    expect(useDraft.getState()).toMatchObject({ presetId: "sokoban-nano", runId: null });
    expect(useDraft.getState().draft).toBe(chosen);
    undo();
    expect([useDraft.getState().runId, shownChanges()]).toEqual(["lake-1", ["actor.lr"]]);
    redo();
    expect(useDraft.getState().draft).toBe(chosen);
  });
  it("comes back as it was where no preset could be loaded", () => {
    editField("actor.lr", 1e-4);
    tieDraft("lake-1");
    expect(reload(null)).toBe(true);
    expect(useDraft.getState()).toMatchObject({ presetId: "frozenlake-nano", source: "", runId: "lake-1" });
    expect(shownChanges()).toEqual(["actor.lr"]);
  });
  it("that is a preset as it came waits for a visit that can load the presets", () => {
    loadDraft(presets[1]!.config, "sokoban-nano");
    expect(reload(null)).toBe(false);
    expect([useDraft.getState().draft, notices]).toEqual([null, []]);
    stop = keepDraft(storage);
    expect(reload()).toBe(true);
    expect(useDraft.getState().presetId).toBe("sokoban-nano");
  });
  it("that cannot come back is not said to give way to a preset where there is none", () => {
    editField("actor.lr", 1e-4);
    rewrite((stored) => ({ ...stored, version: 0 }));
    expect(reload(null)).toBe(false);
    expect(notices).toEqual([expect.stringMatching(/another version of the studio\.$/)]);
  });
  it("is stored as it is when keeping begins", () => {
    stop();
    kept.clear();
    editField("actor.lr", 1e-4);
    stop = keepDraft(storage);
    reload();
    expect(shownChanges()).toEqual(["actor.lr"]);
  });
});

describe("is dropped with a word", () => {
  it.each<[string, (stored: Record<string, unknown>) => object, RegExp]>([
    [
      "a value out of range",
      (s) => ({ ...s, draft: setPath(s.draft as object, "actor.lr", 7) }),
      /“Actor learning rate” is 7/,
    ],
    [
      "a setting that is gone",
      (s) => ({ ...s, draft: setPath(s.draft as object, "actor.old", 1) }),
      /actor\.old/,
    ],
    [
      "an option of the task that is gone",
      (s) => ({ ...s, draft: setPath(s.draft as object, "env.config.old", 1) }),
      /env\.config\.old/,
    ],
    ["another version", (s) => ({ ...s, version: 0 }), /another version/],
    [
      "a preset that is gone",
      () => ({ version: 1, presetId: "gone", source: "", unfinished: [] }),
      /preset gone/,
    ],
  ])("%s", (_, change, why) => {
    editField("actor.lr", 1e-4);
    rewrite(change);
    expect(reload()).toBe(false);
    expect(notices).toEqual([expect.stringMatching(why)]);
    expect(useDraft.getState().draft).toBeNull();
    expect(kept.has(KEY)).toBe(false);
  });
  it("text that is no JSON", () => {
    kept.set(KEY, "{");
    expect(reload()).toBe(false);
    expect(notices).toHaveLength(1);
  });
});

it("nothing was stored: nothing is said", () => {
  kept.clear();
  expect(reload()).toBe(false);
  expect(notices).toEqual([]);
});

it("never holds a judge's key, not even one in the address", () => {
  editField("judge.name", "llm");
  editField("judge.base_url", "https://me:secret-1@example.org/v1?key=secret-2#secret-3");
  setKey(useDraft.getState().draft!, "secret-4");
  expect(JSON.stringify(useJudgeStore.getState())).toContain("secret-4");
  editField("judge.model", "small");
  expect(kept.get(KEY)).toContain("https://example.org/v1");
  expect(kept.get(KEY)).not.toContain("secret");
});

it("does without a storage that is blocked", () => {
  stop();
  const blocked = () => {
    throw new DOMException("blocked", "SecurityError");
  };
  stop = keepDraft({ getItem: blocked, setItem: blocked, removeItem: blocked });
  editField("actor.lr", 1e-4);
  expect(restoreDraft(presets, drop, { getItem: blocked, setItem: blocked, removeItem: blocked })).toBe(
    false,
  );
  expect(useDraft.getState().draft?.actor.lr).toBe(1e-4);
});
