// Starts a preset from anywhere on the page.
import { presets } from "../../config/presets.ts";
import { ProtocolError } from "../../core/errors.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { showRefusal, useSession } from "../store/session-store.ts";
import { startRun } from "./session.ts";

/**
 * Puts a preset into the form and starts it once the GPU is known, unless the form has changed by then. Where nothing can be
 * trained, only the form changes; an active run is left alone, and the page says so.
 */
export async function startPreset(id: string): Promise<void> {
  const preset = presets.all.find((known) => known.id === id);
  if (!preset) return;
  if (isActive(runStore.getState().state)) {
    showRefusal(
      new ProtocolError("busy", `A run is active, so ${preset.name} was not started.`, "Stop the run first."),
    );
    return;
  }
  loadDraft(preset.config, preset.id);
  const { draft } = useDraft.getState();
  await gpuKnown();
  if (useDraft.getState().draft === draft) await startRun();
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
