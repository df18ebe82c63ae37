// The draft outlives a reload: it is kept in the storage of this tab. Keys of judges are not part of it, and what an address
// may carry of one is left out.
import { inspectRunConfig } from "../../config/check.ts";
import { chosenFile } from "../../config/init-checkpoint.ts";
import type { ConfigProblem } from "../../config/rules/problem.ts";
import { RunConfig } from "../../config/run-config.ts";
import { withoutSecrets } from "../../core/address.ts";
import { problemInForm } from "../settings/words.ts";
import { changedPaths, type DraftState, loadDraft, tieDraft, useDraft } from "./draft-store.ts";
import { attempt, type TabStorage, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-draft";
/** Rises when what is stored is read in another way. */
const VERSION = 1;

/** As stored. A draft that is a preset as it came is kept by name, so that it follows the preset. */
interface Kept {
  readonly version: number;
  readonly presetId: string | null;
  readonly source: string;
  /** The run that has this draft. */
  readonly runId?: string | null;
  readonly draft?: unknown;
  readonly base?: unknown;
  /** Paths of its problems when it was kept: what the user left unfinished is no reason to drop it. */
  readonly unfinished: readonly string[];
}

/** Reports a draft that was not restored unchanged. */
export interface DraftNotice {
  readonly title: string;
  readonly body: string;
}

/** A change of one of these is stored. */
const KEPT = ["draft", "base", "runId"] as const satisfies (keyof DraftState)[];

/** Stores every change of the draft from now on. Returns a function that stops it. */
export function keepDraft(storage: TabStorage | undefined = tabStorage()): () => void {
  return useDraft.subscribe((state, previous) => {
    if (state.draft === null || KEPT.every((part) => state[part] === previous[part])) return;
    attempt(() => storage?.setItem(KEY, JSON.stringify(keptOf(state, state.draft!))));
  });
}

function keptOf({ base, presetId, source, runId, problems }: DraftState, draft: RunConfig): Kept {
  const unfinished = problems.map(({ path }) => path);
  const named = { version: VERSION, presetId, source, runId, unfinished };
  const isPreset = presetId !== null && base !== null && changedPaths(base, draft).length === 0;
  return isPreset ? named : { ...named, draft: withoutSecrets(draft), base: withoutSecrets(base ?? draft) };
}

/**
 * Loads what the last visit of this tab left. False when there is nothing; if something was there, `notify` is called with the reason.
 * `presets` are those that a kept name may be of.
 */
export function restoreDraft(
  presets: readonly { id: string; config: RunConfig }[],
  notify: (notice: DraftNotice) => void,
  storage: TabStorage | undefined = tabStorage(),
): boolean {
  const text = attempt(() => storage?.getItem(KEY));
  if (!text) return false;
  const kept = attempt(() => JSON.parse(text) as Kept) ?? null;
  const problem =
    kept?.version === VERSION
      ? load(kept, presets, notify)
      : "It was saved by another version of the studio.";
  if (problem === "") {
    tieDraft(kept?.runId ?? null);
    return true;
  }
  attempt(() => storage?.removeItem(KEY));
  notify({
    title: "The configuration that you were editing could not be restored",
    body: `${problem} The form starts from the first preset.`,
  });
  return false;
}

/** Why the draft cannot be loaded; empty when it is. */
function load(
  kept: Kept,
  presets: readonly { id: string; config: RunConfig }[],
  notify: (notice: DraftNotice) => void,
): string {
  const preset = presets.find(({ id }) => id === kept.presetId);
  if (kept.draft === undefined) {
    if (!preset) return `It was based on the preset ${kept.presetId}, which no longer exists.`;
    loadDraft(preset.config, preset.id);
    return "";
  }
  const problem = refused(kept);
  if (problem) return problemInForm(problem);
  const draft = withoutFile(completed(kept.draft), notify);
  const base = preset?.config ?? withoutFile(completed(kept.base), () => undefined);
  loadDraft(draft, preset ? preset.id : null, kept.source);
  useDraft.setState({ base });
  return "";
}

/** A problem of the schema that the draft did not have when it was kept; what rules say of sound values is shown in the form. */
function refused({ draft, unfinished }: Kept): ConfigProblem | undefined {
  const issues = RunConfig.safeParse(draft).error?.issues.map(({ path }) => path.join(".")) ?? [];
  // Of an unknown setting the schema names the section. The task's own options are checked apart.
  const isOfSchema = (path: string) =>
    path.startsWith("env.") ||
    issues.includes(path) ||
    issues.includes(path.split(".").slice(0, -1).join("."));
  return inspectRunConfig(draft).problems.find(({ path }) => !unfinished.includes(path) && isOfSchema(path));
}

/** A chosen file lasts as long as the page. */
function withoutFile(draft: RunConfig, notify: (notice: DraftNotice) => void): RunConfig {
  const file = chosenFile(draft.trainer.init_checkpoint);
  if (!file) return draft;
  const title = `Choose ${file.name} again`;
  notify({
    title,
    body: "A checkpoint from a file has to be chosen again after a reload; the run would start from random weights.",
  });
  return { ...draft, trainer: { ...draft.trainer, init_checkpoint: "" } };
}

/** With the defaults of settings that have come since, where it can be read as a whole. */
const completed = (draft: unknown): RunConfig => RunConfig.safeParse(draft).data ?? (draft as RunConfig);
