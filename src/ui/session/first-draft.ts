// The draft that a visit begins with: the one of the last visit, or the first preset.
import type { Preset } from "../../config/presets.ts";
import { type DraftNotice, keepDraft, restoreDraft } from "../store/draft-keeper.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
import { useSession } from "../store/session-store.ts";

/** Loads the draft once the presets are there, and stores it from then on. Resolves to a function that stops that. */
export async function loadFirstDraft(): Promise<() => void> {
  const { presets } = await import("../../config/presets.ts");
  const notify = (ofDraft: DraftNotice) => useSession.setState({ ofDraft });
  // Nothing may be awaited from here on: the visitor could choose a preset meanwhile.
  const isRestored = restoreDraft(presets.all, notify);
  if (!isRestored && useDraft.getState().draft === null) loadFirst(presets.all);
  // Not earlier: what the visitor loads before would take the place of what is stored.
  return keepDraft();
}

/** Replaces the draft by the first preset. */
export async function resetDraft(): Promise<void> {
  const { presets } = await import("../../config/presets.ts");
  loadFirst(presets.all);
}

function loadFirst([first]: readonly Preset[]): void {
  if (first) loadDraft(first.config, first.id);
}
