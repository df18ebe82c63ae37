// Files of the run on screen.
import { ConfigError } from "../../core/errors.ts";
import { saveFile } from "../lib/save-file.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { showRefusal, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";

export function createDownloads({ attempt }: Connection) {
  return {
    /** Downloads the run's state: at the end of this update, or as it was stored when the run ended. */
    async downloadCheckpoint(): Promise<void> {
      const { runId, state } = runStore.getState();
      if (!runId || useSession.getState().saving) return;
      useSession.setState({ saving: true });
      const saved = isActive(state)
        ? await attempt("saveCheckpoint", null)
        : await attempt("storedCheckpoint", { runId });
      useSession.setState({ saving: false });
      if (saved) saveFile(saved.name, new Blob([saved.bytes]));
    },

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
