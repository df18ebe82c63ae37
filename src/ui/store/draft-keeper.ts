// The draft outlives a reload: it is kept in the storage of this tab. Keys of judges are not part of it, and what an address
// may carry of one is left out.
import { getPath, setPath } from "../../config/changes.ts";
import { inspectRunConfig } from "../../config/check.ts";
import { chosenFile } from "../../config/init-checkpoint.ts";
import type { ConfigProblem } from "../../config/rules/problem.ts";
import { RunConfig } from "../../config/run-config.ts";
import { withoutSecrets } from "../../core/address.ts";
import { problemInForm } from "../settings/words.ts";
import { changedPaths, type DraftState, loadDraft, putOver, tieDraft, useDraft } from "./draft-store.ts";
import { attempt, type TabStorage, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-draft";
/** Rises when what is stored is read in another way. */
const VERSION = 1;

/**
 * As stored. The values are the truth of a draft that was edited or belongs to a run: the user and the run chose them, and another version of the
 * studio may give the preset others. They are kept with what they were derived from (`base`), so that only the user's edits count as edits.
 * A preset as it came, without a run, is no more than a choice of that preset: its name is the truth, so that it follows the preset.
 */
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

type Presets = readonly { id: string; config: RunConfig }[];

/** Reports a draft that was not restored unchanged. */
export interface DraftNotice {
  readonly title: string;
  readonly body: string;
}

/** A change of one of these is stored. */
const KEPT = ["draft", "base", "runId"] as const satisfies (keyof DraftState)[];

/** Stores the draft, and every change of it from now on. Call `restoreDraft` first. Returns a function that stops it. */
export function keepDraft(storage: TabStorage | undefined = tabStorage()): () => void {
  store(useDraft.getState(), storage);
  return useDraft.subscribe((state, previous) => {
    if (KEPT.some((part) => state[part] !== previous[part])) store(state, storage);
  });
}

function store(state: DraftState, storage: TabStorage | undefined): void {
  const { draft } = state;
  if (draft) attempt(() => storage?.setItem(KEY, JSON.stringify(keptOf(state, draft))));
}

function keptOf({ base, presetId, source, runId, problems }: DraftState, draft: RunConfig): Kept {
  const unfinished = problems.map(({ path }) => path);
  const named = { version: VERSION, presetId, source, runId, unfinished };
  const isPreset = presetId !== null && base !== null && changedPaths(base, draft).length === 0;
  return isPreset && runId === null
    ? named
    : { ...named, draft: withoutSecrets(draft), base: withoutSecrets(base ?? draft) };
}

/**
 * Loads what the last visit of this tab left. False when there is nothing; if something was there, `notify` is called with the reason.
 * A draft that was loaded meanwhile stays in the form, and undo leads from it to the one of the last visit.
 * @param presets those that a kept name may be of; null where they could not be loaded
 */
export function restoreDraft(
  presets: Presets | null,
  notify: (notice: DraftNotice) => void,
  storage: TabStorage | undefined = tabStorage(),
): boolean {
  const text = attempt(() => storage?.getItem(KEY));
  const loaded = useDraft.getState();
  if (!text) return false;
  const kept = attempt(() => JSON.parse(text) as Kept) ?? null;
  // The choice of a preset waits for a visit that can load the presets.
  if (!presets && kept && kept.draft === undefined) return false;
  // What is missing from a draft that is not on screen would be read as missing from the one that is.
  const notifyOfLoss = loaded.draft ? () => undefined : notify;
  const problem =
    kept?.version === VERSION
      ? load(kept, presets, notifyOfLoss)
      : "It was saved by another version of the studio.";
  if (problem === "") {
    tieDraft(kept?.runId ?? null);
    if (loaded.draft) putOver(loaded);
    return true;
  }
  attempt(() => storage?.removeItem(KEY));
  notify({
    title: "The configuration that you were editing could not be restored",
    body: loaded.draft || !presets ? problem : `${problem} The form starts from the first preset.`,
  });
  return false;
}

/** Why the draft cannot be loaded; empty when it is. */
function load(kept: Kept, presets: Presets | null, notify: (notice: DraftNotice) => void): string {
  const preset = presets?.find(({ id }) => id === kept.presetId);
  if (kept.draft === undefined) {
    if (!preset) return `It was based on the preset ${kept.presetId}, which no longer exists.`;
    loadDraft(preset.config, preset.id);
    return "";
  }
  const problem = refused(kept);
  if (problem) return problemInForm(problem);
  const base = withoutFile(completed(kept.base), () => undefined);
  const draft = withoutFile(withNewOptions(completed(kept.draft), kept, base), notify);
  // The same values are the same preset.
  const isSame = !presets || (preset && changedPaths(preset.config, base).length === 0);
  loadDraft(draft, isSame ? kept.presetId : null, isSame ? kept.source : sourceOf(kept, base));
  useDraft.setState({ base: (isSame && preset?.config) || base });
  return "";
}

/** Where a draft came from that is of no preset of this version. */
const sourceOf = ({ presetId, source }: Kept, base: RunConfig): string =>
  presetId === null ? source : `another version of the preset ${base.name}`;

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

/** With the options that its base was completed with: those of a draft that cannot run are not completed. */
const withNewOptions = (draft: RunConfig, kept: Kept, base: RunConfig): RunConfig =>
  changedPaths(kept.base as RunConfig, base)
    .filter((path) => getPath(draft, path) === undefined)
    .reduce((config, path) => setPath(config, path, getPath(base, path)), draft);

/** With the defaults of settings that have come since, where it can be read as a whole; with those of its task's options, where it can run. */
const completed = (draft: unknown): RunConfig =>
  inspectRunConfig(draft).config ?? RunConfig.safeParse(draft).data ?? (draft as RunConfig);
