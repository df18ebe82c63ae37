// Starts a visit: loads the draft that the form begins with, and connects the training worker.
import { useDraft } from "../store/draft-store.ts";
import { keepExtensionDraft, restoreExtensionDraft } from "../store/extension-draft.ts";
import { restoreExtensions } from "../store/extension-store.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { noteUnsaved } from "../store/unsaved-run.ts";
import { loadFirstDraft } from "./first-draft.ts";
import { estimateSize, openSession } from "./session.ts";

const SETTLE_MS = 350;

/** Loads the presets and connects the worker; both may take a moment, and the page is usable meanwhile. */
export async function bootSession(): Promise<void> {
  estimateWhenSettled();
  noteUnsaved();
  keepExtensionDraft();
  restoreExtensionDraft();
  // Before anything reads a configuration that may name what they add.
  await restoreExtensions();
  const drafted = loadFirstDraft();
  await Promise.all([drafted, connectWorker(drafted)]);
}

/** Replaces the draft by the first preset. */
export { resetDraft } from "./first-draft.ts";

/** @param drafted settles when the form has its draft */
async function connectWorker(drafted: Promise<unknown>): Promise<void> {
  await openSession(drafted);
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
