// What only the worker can say about a draft: its size, whether a checkpoint fits, how a level looks.
import type { RunConfig } from "../../config/run-config.ts";
import { type SerializedError, serializeError } from "../../core/errors.ts";
import { type SizeEstimate, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";

/** How long the size of the draft before stays on screen, so that it does not flicker with every edit. */
const SOON_MS = 300;

export function createDraftChecks({ call }: Connection) {
  let newest = 0;

  /** Estimates the size of a draft; an older answer that comes later is dropped. */
  async function estimateSize(config: RunConfig): Promise<void> {
    if (useSession.getState().connection === 0) return;
    const question = ++newest;
    const show = (size: SizeEstimate) => question === newest && useSession.setState({ size });
    const late = setTimeout(() => show({ state: "measuring" }), SOON_MS);
    const size = await call("plan", { config }).then(
      (plan): SizeEstimate => ({ state: "known", plan }),
      (error): SizeEstimate => ({ state: "refused", error: serializeError(error) }),
    );
    clearTimeout(late);
    show(size);
  }

  /** Why a run cannot start from this checkpoint; null when it can, and when the worker cannot answer. */
  async function checkpointProblem(choice: string): Promise<SerializedError | null> {
    try {
      await call("checkCheckpoint", { choice });
      return null;
    } catch (error) {
      const problem = serializeError(error);
      return problem.name === "ProtocolError" ? null : problem;
    }
  }

  return {
    estimateSize,
    checkpointProblem,
    /** A level of a task. @throws why the worker cannot draw it. */
    previewLevel: (env: RunConfig["env"], seed: number) => call("preview", { env, seed }),
  };
}
