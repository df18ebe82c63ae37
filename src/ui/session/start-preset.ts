// Starts a preset from anywhere on the page.
import { presets } from "../../config/presets.ts";
import { loadDraft } from "../store/draft-store.ts";
import { useSession } from "../store/session-store.ts";
import { startRun } from "./session.ts";

/**
 * Puts a preset into the form and starts it once the GPU is known. Where nothing can be trained, or a run is active, only the form
 * changes.
 */
export async function startPreset(id: string): Promise<void> {
  const preset = presets.all.find((known) => known.id === id);
  if (!preset) return;
  loadDraft(preset.config, preset.id);
  await gpuKnown();
  await startRun();
}

function gpuKnown(): Promise<void> {
  return new Promise((resolve) => {
    if (useSession.getState().probe.state === "ready") return resolve();
    const unsubscribe = useSession.subscribe(({ probe }) => {
      if (probe.state !== "ready") return;
      unsubscribe();
      resolve();
    });
  });
}
