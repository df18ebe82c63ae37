// The preset that a configuration comes from, and what it is for.
import { expectedTime, isDescribedBy } from "../../config/expected-time.ts";
import type { Preset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { listed } from "../../core/format.ts";
import { onDemand } from "../lib/on-demand.ts";
import { hasOtherTasks, taskTitles } from "../settings/run-name.ts";
import { changedPaths, loadDraft, useDraft } from "../store/draft-store.ts";
import { OpenFileButton } from "./open-file.tsx";
import { SaveConfigButtons } from "./save-config.tsx";

/** The presets; null until they are loaded. */
export const usePresets = onDemand(async () => (await import("../../config/presets.ts")).presets.all);

/** Where a draft comes from, and how far it has gone from there. */
interface Origin {
  presetId: string | null;
  source: string;
  base: RunConfig | null;
  draft: RunConfig | null;
}

/** The origin of a draft that is not an unchanged preset; empty for one that is, or that has none. */
export function originText({ presetId, source, base, draft }: Origin): string {
  if (!base || !draft) return "";
  const from = presetId ? `the preset “${base.name}”` : source;
  if (from && hasOtherTasks(draft, base))
    return `The settings come from ${from}, which is for ${tasksText(base)}. ${draftTasks(draft)}`;
  const isChanged = changedPaths(base, draft).length > 0;
  if (presetId) return isChanged ? "Changed from the preset." : "";
  return from && `From ${from}${isChanged ? ", changed" : ""}.`;
}

const tasksText = (config: RunConfig): string => listed(taskTitles(config));

const draftTasks = (draft: RunConfig): string =>
  `The ${taskTitles(draft).length > 1 ? "tasks are" : "task is"} now ${tasksText(draft)}.`;

/** The preset that a draft still is, whatever else is changed: one with its tasks. */
export const presetOf = ({ presetId, base, draft }: Origin): string | null =>
  base && draft && hasOtherTasks(draft, base) ? null : presetId;

export function PresetPicker() {
  const presets = usePresets();
  const origin = useDraft(originText);
  const presetId = useDraft(presetOf);
  const draft = useDraft((state) => state.draft);
  const began = useDraft((state) => presets?.find((known) => known.id === state.presetId));
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-baseline gap-x-3">
        <label className="mr-auto text-caption text-muted" htmlFor="preset">
          Preset
        </label>
        <OpenFileButton />
      </div>
      <select
        id="preset"
        className="field-input w-full font-semibold"
        value={presetId ?? ""}
        onChange={(event) => {
          const chosen = presets?.find((known) => known.id === event.target.value);
          if (chosen) loadDraft(chosen.config, chosen.id);
        }}
      >
        {/* A closed list shows some twenty letters; the rest is below it. */}
        {!presetId && <option value="">Own configuration</option>}
        {presets?.map((known) => (
          <option key={known.id} value={known.id}>
            {known.name}
          </option>
        ))}
      </select>
      <div className="mt-1.5 flex flex-wrap justify-end gap-x-3">
        <SaveConfigButtons />
      </div>
      {origin && <p className="mt-1.5 text-caption text-text">{origin}</p>}
      {began && draft && <About preset={began} draft={draft} />}
    </div>
  );
}

/** What the preset is for, unless the draft has another task or another start, and how long the draft takes. */
export function About({ preset, draft }: { preset: Preset; draft: RunConfig }) {
  const time = expectedTime(draft, preset.config);
  return (
    <div className="mt-1.5 text-caption text-muted">
      {isDescribedBy(draft, preset.config) && <p>{preset.description}</p>}
      {time && <p className="mt-1 text-text">{time}</p>}
    </div>
  );
}
