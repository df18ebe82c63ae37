// Starts a visit: loads the preset that the form begins with, and connects the training worker.
import type { Preset } from "../../config/presets.ts";
import { type DraftNotice, keepDraft, restoreDraft } from "../store/draft-keeper.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
import { keepExtensionDraft, restoreExtensionDraft } from "../store/extension-draft.ts";
import { restoreExtensions } from "../store/extension-store.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";
import { estimateSize, openSession } from "./session.ts";

const SETTLE_MS = 350;

/** Loads the presets and connects the worker; both may take a moment, and the page is usable meanwhile. */
export async function bootSession(): Promise<void> {
  estimateWhenSettled();
  keepDraft();
  keepExtensionDraft();
  restoreExtensionDraft();
  // Before anything reads a configuration that may name what they add.
  await restoreExtensions();
  await Promise.all([loadFirstDraft(), connectWorker()]);
}

async function loadFirstDraft(): Promise<void> {
  const { presets } = await import("../../config/presets.ts");
  const notify = (ofDraft: DraftNotice) => useSession.setState({ ofDraft });
  // A stored run that was resumed in the meantime has loaded its own configuration. Nothing may be awaited from here on: the visitor could
  // choose a preset meanwhile.
  if (useDraft.getState().draft === null && !restoreDraft(presets.all, notify)) loadFirst(presets.all);
}

/** Replaces the draft by the first preset. */
export async function resetDraft(): Promise<void> {
  const { presets } = await import("../../config/presets.ts");
  loadFirst(presets.all);
}

function loadFirst([first]: readonly Preset[]): void {
  if (first) loadDraft(first.config, first.id);
}

async function connectWorker(): Promise<void> {
  await openSession();
  const { draft, problems } = useDraft.getState();
  if (draft && problems.length === 0) await estimateSize(draft);
}

/**
 * Estimates the size of the draft when it has not changed for a moment, if it could run. While a run is active its own
 * size is shown, so the draft is estimated when the run has ended.
 */
function estimateWhenSettled(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { draft, problems } = useDraft.getState();
      if (draft && problems.length === 0 && !isActive(runStore.getState().state)) void estimateSize(draft);
    }, SETTLE_MS);
  };
  useDraft.subscribe((state, previous) => {
    if (state.draft !== previous.draft) settle();
  });
  runStore.subscribe((view, previous) => {
    if (isActive(previous.state) && !isActive(view.state)) settle();
  });
}
