import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getPreset, presets } from "../../config/presets.ts";
import { keepDraft } from "../store/draft-keeper.ts";
import { editField, loadDraft, undo, useDraft } from "../store/draft-store.ts";
import { loadFirstDraft } from "./first-draft.ts";

const { config } = getPreset("frozenlake-nano");
let stop = () => {};

function forget(): void {
  stop();
  useDraft.setState(useDraft.getInitialState(), true);
}

beforeEach(() => {
  forget();
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => {
  forget();
  vi.unstubAllGlobals();
});

/** The visit before left a draft with one edit. */
function visitBefore(): void {
  stop = keepDraft();
  loadDraft(config, "frozenlake-nano");
  editField("actor.lr", 1e-4);
  forget();
}

it("is the one of the last visit, or else the first preset", async () => {
  stop = await loadFirstDraft();
  expect(useDraft.getState().presetId).toBe(presets.all[0]!.id);
  forget();
  visitBefore();
  stop = await loadFirstDraft();
  expect(useDraft.getState().draft?.actor.lr).toBe(1e-4);
});

it("is not lost to what is loaded before the presets are", async () => {
  visitBefore();
  const loading = loadFirstDraft();
  loadDraft(config, null, "the run old");
  stop = await loading;
  expect(useDraft.getState()).toMatchObject({ draft: config, source: "the run old" });
  undo();
  expect(useDraft.getState().draft?.actor.lr).toBe(1e-4);
});

it("is the one of the last visit, and stored from then on, also where the presets cannot be loaded", async () => {
  const failing = () => Promise.reject(new Error("offline"));
  visitBefore();
  stop = await loadFirstDraft(failing);
  expect(useDraft.getState()).toMatchObject({ presetId: "frozenlake-nano", draft: { actor: { lr: 1e-4 } } });
  editField("actor.clip_ratio", 0.3);
  forget();
  stop = await loadFirstDraft(failing);
  expect(useDraft.getState().draft?.actor).toMatchObject({ lr: 1e-4, clip_ratio: 0.3 });
  loadDraft(config, null, "the run old");
  forget();
  stop = await loadFirstDraft();
  expect(useDraft.getState()).toMatchObject({ draft: config, source: "the run old" });
});
