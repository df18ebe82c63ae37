// How the draft differs from its run.
import { applyClassOf, type ConfigChange, getPath, setPath } from "../../config/changes.ts";
import { chosenFile, INIT_CHECKPOINT } from "../../config/init-checkpoint.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { changedPaths, editField, useDraft } from "../store/draft-store.ts";
import { flush, runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";

/** Values of a configuration by path. */
export type Changes = Readonly<Record<string, unknown>>;

/**
 * Paths whose values in the draft differ from those of its run, and were changed in the draft.
 * @param automatic what the run itself has changed, which is no edit of the draft where that has the value of before
 */
export function pendingPaths(
  config: RunConfig | null,
  draft: RunConfig | null,
  automatic: readonly ConfigChange[] = [],
): string[] {
  if (!config || !draft) return [];
  const isOfRun = (path: string) =>
    automatic.some(
      (change) =>
        change.path === path &&
        isSame(getPath(config, path), change.to) &&
        isSame(getPath(draft, path), change.from),
    );
  return changedPaths(config, draft).filter((path) => !isOfRun(path));
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The draft of a run with the file that the run started from. A reload drops the file from the draft, which is no edit of the user's. */
export function withFileOf(config: RunConfig, draft: RunConfig): RunConfig {
  const began = config.trainer.init_checkpoint;
  const isDropped = draft.trainer.init_checkpoint === "" && chosenFile(began) !== null;
  return isDropped ? setPath(draft, INIT_CHECKPOINT, began) : draft;
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

/**
 * Repeats in a draft the changes with which a run was asked to go on, unless it was stopped before it was built: such a run keeps its old
 * values.
 * @param before the run's configuration until then
 */
export function followInDraft(before: RunConfig, changes: Changes): void {
  flush();
  const { state, config } = runStore.getState();
  const isChanged = Object.entries(changes).every(
    ([path, to]) => config && isSame(getPath(config, path), to),
  );
  if (isActive(state) || isChanged) changeInDraft(before, changes);
}

/** The draft, if nothing is wrong with it. */
export function runnableDraft(): RunConfig | null {
  const { draft, problems } = useDraft.getState();
  return problems.length > 0 ? null : draft;
}
