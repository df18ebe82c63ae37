// The first steps of a visit: the preset that the form starts from, and the worker that trains.
import { type DraftNotice, keepDraft, restoreDraft } from "../store/draft-keeper.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
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
  // Before anything reads a configuration that may name what they add.
  await restoreExtensions();
  await Promise.all([loadFirstPreset(), connectWorker()]);
}

async function loadFirstPreset(): Promise<void> {
  const { presets } = await import("../../config/presets.ts");
  const first = presets.all[0];
  // A stored run that was taken up in the meantime has brought its own configuration.
  const hasDraft = useDraft.getState().draft !== null || restoreDraft(presets.all, tellOfDraft);
  if (first && !hasDraft) loadDraft(first.config, first.id);
}

/** Replaces the draft by the first preset. */
export async function resetDraft(): Promise<void> {
  const { presets } = await import("../../config/presets.ts");
  const first = presets.all[0];
  if (first) loadDraft(first.config, first.id);
}

const tellOfDraft = (ofDraft: DraftNotice): void => useSession.setState({ ofDraft });

async function connectWorker(): Promise<void> {
  await openSession();
  const { draft, problems } = useDraft.getState();
  if (draft && problems.length === 0) await estimateSize(draft);
}

/**
 * The size of the draft is asked when it has not changed for a moment, and only for one that could run. While a run is
 * on, its own size is shown, so the draft's is asked when the run has ended.
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
