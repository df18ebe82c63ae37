// Files of the run on screen.
import { ConfigError } from "../../core/errors.ts";
import { saveFile } from "../lib/save-file.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { showRefusal, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";

interface SavedFile {
  name: string;
  bytes: ArrayBuffer;
}

export function createDownloads({ attempt }: Connection) {
  /**
   * Passes on the run's state: at the end of this update, or as it was stored when the run ended. Resolves to whether that succeeded;
   * the page shows why it did not.
   */
  async function withCheckpoint(use: (saved: SavedFile) => void | Promise<void>): Promise<boolean> {
    const { runId, state } = runStore.getState();
    if (!runId || useSession.getState().saving) return false;
    useSession.setState({ saving: true });
    try {
      const saved = isActive(state)
        ? await attempt("saveCheckpoint", null)
        : await attempt("storedCheckpoint", { runId });
      if (saved) await use(saved);
      return Boolean(saved);
    } catch (error) {
      showRefusal(error);
      return false;
    } finally {
      useSession.setState({ saving: false });
    }
  }

  return {
    /** Downloads the run's state. */
    downloadCheckpoint: () => withCheckpoint(({ name, bytes }) => saveFile(name, new Blob([bytes]))),

    /** Downloads the run's policy as an ONNX model. */
    downloadOnnx: () => withCheckpoint(async (saved) => (await import("./onnx-player.ts")).saveAsOnnx(saved)),

    /** Downloads the judging model's verdicts: a recording, from which judging again costs nothing. */
    async downloadVerdicts(): Promise<void> {
      const { runId } = runStore.getState();
      if (!runId) return;
      const found = await attempt("verdicts", { runId });
      if (found) saveFile(found.name, new Blob([found.bytes], { type: "application/jsonl" }));
      else if (found === null)
        showRefusal(new ConfigError("invalid_config", "The judge has given no verdict in this run yet."));
    },
  };
}
