// How the draft differs from the run on screen.
import { applyClassOf, getPath } from "../../config/changes.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { changedPaths, editField, useDraft } from "../store/draft-store.ts";

/** Values of a configuration by path. */
export type Changes = Readonly<Record<string, unknown>>;

/** Paths whose values in the draft differ from the run on screen. */
export function pendingPaths(config: RunConfig | null, draft: RunConfig | null): string[] {
  return config && draft ? changedPaths(config, draft) : [];
}

/** Changed paths by how they can be applied to a run. */
export function splitPending(paths: readonly string[]): { live: string[]; restart: string[] } {
  const restart = paths.filter((path) => applyClassOf(path) === "restart");
  return { live: paths.filter((path) => !restart.includes(path)), restart };
}

/** Repeats changes of the run in a draft that has its old values, which would otherwise offer to change them back. */
export function changeInDraft(config: RunConfig, changes: Changes): void {
  for (const [path, value] of Object.entries(changes)) {
    const { draft } = useDraft.getState();
    if (draft && getPath(draft, path) === getPath(config, path)) editField(path, value);
  }
}

/** The draft, if nothing is wrong with it. */
export function runnableDraft(): RunConfig | null {
  const { draft, problems } = useDraft.getState();
  return problems.length > 0 ? null : draft;
}
