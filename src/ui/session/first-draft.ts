// The draft that a visit begins with: the one of the last visit, or the first preset.
import type { Preset } from "../../config/presets.ts";
import { type DraftNotice, keepDraft, restoreDraft } from "../store/draft-keeper.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
import { useSession } from "../store/session-store.ts";

const loadPresets = async (): Promise<readonly Preset[]> =>
  (await import("../../config/presets.ts")).presets.all;

/**
 * Loads the draft once the presets are there or could not be loaded, and stores it from then on. Resolves to a function that stops that.
 */
export async function loadFirstDraft(load = loadPresets): Promise<() => void> {
  const presets = await load().catch(() => null);
  const notify = (ofDraft: DraftNotice) => useSession.setState({ ofDraft });
  // Nothing may be awaited from here on: the visitor could choose a preset meanwhile.
  const isRestored = restoreDraft(presets, notify);
  if (!isRestored && useDraft.getState().draft === null) loadFirst(presets ?? []);
  // Not earlier: what the visitor loads before would take the place of what is stored.
  return keepDraft();
}

/** Replaces the draft by the first preset. */
export async function resetDraft(): Promise<void> {
  loadFirst(await loadPresets());
}

function loadFirst([first]: readonly Preset[]): void {
  if (first) loadDraft(first.config, first.id);
}
