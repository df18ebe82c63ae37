// Continues a run that was stopped before its end: from its summary, and from the run strip, which is on every route.
import { Play } from "lucide-react";
import { continueRun } from "../session/session.ts";
import { updateName } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { useGoingOnBlocked } from "../store/shown-judge.ts";

/** Why the run on screen cannot be trained further; empty when it can. */
export function useContinueBlocked(): string {
  const saved = useRun((view) => view.checkpoint !== null);
  const hindered = useGoingOnBlocked();
  return hindered || (saved ? "" : "The run was never saved.");
}

/** @param primary it is the first thing to do where it stands */
export function ContinueButton({ primary = false }: { primary?: boolean }) {
  const blocked = useContinueBlocked();
  const from = useRun((view) => updateName(view, view.update));
  const to = useRun((view) => updateName(view, view.totalUpdates));
  return (
    <button
      type="button"
      // The strip's takes the focus of a button that is gone.
      data-goes-on={!primary || undefined}
      className={`btn btn-small ${primary ? "btn-primary" : ""}`}
      disabled={blocked !== ""}
      title={blocked || `From ${from} to ${to}`}
      onClick={() => continueRun()}
    >
      <Play size={14} aria-hidden /> Continue
    </button>
  );
}
