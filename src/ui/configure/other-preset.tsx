// Offers the preset of a newly chosen task whose policy needs other settings than the draft has.
import { useMemo } from "react";
import { type PresetOffer, presetOffer } from "../../config/preset-offer.ts";
import { needText } from "../settings/misfit.ts";
import { hasOtherTasks } from "../settings/run-name.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
import { usePresets } from "./preset-picker.tsx";

export function OtherPreset() {
  const presets = usePresets();
  const draft = useDraft((state) => state.draft);
  const base = useDraft((state) => state.base);
  const offer = useMemo(
    // A person who keeps the tasks of a preset without a policy chose that preset.
    () => (presets && draft && base && hasOtherTasks(draft, base) ? presetOffer(draft, presets) : null),
    [presets, draft, base],
  );
  return offer && <OfferLine {...offer} />;
}

export function OfferLine({ preset, checkpoint, misfit }: PresetOffer) {
  return (
    <div className="mt-1 text-caption text-text" data-testid="other-preset">
      <p>
        The policy “{checkpoint.title}” needs other settings, such as {needText(misfit)}. Its preset replaces
        all settings here; Undo brings them back.
      </p>
      <button
        type="button"
        className="btn btn-small mt-1 py-1 text-left whitespace-normal"
        onClick={() => loadDraft(preset.config, preset.id)}
      >
        Use the preset “{preset.name}”
      </button>
    </div>
  );
}
