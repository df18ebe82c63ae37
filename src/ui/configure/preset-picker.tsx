// The preset that a configuration comes from, and what it is for.
import { beginsAlike, expectedTime } from "../../config/expected-time.ts";
import type { Preset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { onDemand } from "../lib/on-demand.ts";
import { changedPaths, loadDraft, useDraft } from "../store/draft-store.ts";
import { OpenFileButton } from "./open-file.tsx";
import { SaveConfigButton } from "./save-config.tsx";

/** The presets; null until they are loaded. */
export const usePresets = onDemand(async () => (await import("../../config/presets.ts")).presets.all);

/** The origin of a draft that is not an unchanged preset; empty for one that is, or that has none. */
export function originText(presetId: string | null, source: string, changed: boolean): string {
  if (presetId) return changed ? "Changed from the preset." : "";
  if (!source) return "";
  return changed ? `From ${source}, changed.` : `From ${source}.`;
}

export function PresetPicker() {
  const presets = usePresets();
  const presetId = useDraft((state) => state.presetId);
  const source = useDraft((state) => state.source);
  const changed = useDraft(
    ({ base, draft }) => base !== null && draft !== null && changedPaths(base, draft).length > 0,
  );
  const draft = useDraft((state) => state.draft);
  const preset = presets?.find((known) => known.id === presetId);
  const origin = originText(presetId, source, changed);
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-baseline gap-x-3">
        <label className="mr-auto text-caption text-muted" htmlFor="preset">
          Preset
        </label>
        <SaveConfigButton />
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
      {origin && <p className="mt-1.5 text-caption text-text">{origin}</p>}
      {preset && draft && <About preset={preset} draft={draft} />}
    </div>
  );
}

/** What the preset is for, unless the draft has another task or another start, and how long the draft takes. */
export function About({ preset, draft }: { preset: Preset; draft: RunConfig }) {
  const time = expectedTime(draft, preset.config);
  return (
    <div className="mt-1.5 text-caption text-muted">
      {beginsAlike(draft, preset.config) && <p>{preset.description}</p>}
      {time && <p className="mt-1 text-text">{time}</p>}
    </div>
  );
}
