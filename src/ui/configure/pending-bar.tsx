// Changed values of an active run: what is pending, and the two ways to apply it.
import { RotateCw, Zap } from "lucide-react";
import { useState } from "react";
import { settingTitle } from "../../config/describe.ts";
import { Confirm } from "../components/controls.tsx";
import { splitPending } from "../session/draft-changes.ts";
import { applyPending, restartWithDraft } from "../session/session.ts";
import { misfitObstacle } from "../settings/misfit.ts";
import { useDraft } from "../store/draft-store.ts";
import { useRun } from "../store/run-store.ts";
import { takesChanges } from "../store/run-view.ts";
import { lengthWarning } from "./length-warning.ts";
import { pendingInForm } from "./origin.ts";
import { PolicyMisfit, SecondLook } from "./start-bar.tsx";

/** What differs from the active run, and the two ways to apply it. */
export function PendingBar() {
  const config = useRun((view) => view.config);
  const draft = useDraft((state) => state.draft);
  const blocked = useDraft((state) => state.problems.length > 0);
  const ending = useRun((view) => lengthWarning(view.config, draft, view.update));
  const automatic = useRun((view) => view.automatic);
  const { live, restart } = splitPending(pendingInForm(config, draft, automatic));
  if (live.length + restart.length === 0)
    return <p className="text-caption text-muted">The run uses these values. Change one to apply it here.</p>;
  return (
    <div className="flex flex-col gap-2" data-testid="pending">
      {ending && (
        <p className="text-caption text-warning" role="status">
          {ending}
        </p>
      )}
      {live.length > 0 && <Apply paths={live} blocked={blocked} />}
      {restart.length > 0 && <Restart paths={restart} blocked={blocked} />}
    </div>
  );
}

interface ButtonProps {
  /** The changed settings that it applies. */
  paths: readonly string[];
  /** Something is wrong with the draft. */
  blocked: boolean;
}

/** Which settings a button applies. */
function Pending({ title, paths }: { title: string; paths: readonly string[] }) {
  return (
    <p className="max-h-16 overflow-auto text-caption text-muted">
      {title}:{" "}
      {paths.map((path, i) => (
        <span key={path} className="text-text" title={path}>
          {i > 0 && ", "}
          {settingTitle(path)}
        </span>
      ))}
    </p>
  );
}

/** Sends the run what needs no restart, while the run can take it. */
function Apply({ paths, blocked }: ButtonProps) {
  const takes = useRun(takesChanges);
  const isLost = useRun((view) => view.deviceLost);
  const count = paths.length;
  return (
    <>
      <Pending title="Not applied yet" paths={paths} />
      {!takes && (
        <p className="text-caption text-muted" role="status">
          {isLost ? "The run has lost its graphics device." : "The run is still being prepared."} You can
          apply {count === 1 ? "the change" : "the changes"} once it trains{isLost && " again"}.
        </p>
      )}
      <button type="button" className="btn btn-primary" disabled={blocked || !takes} onClick={applyPending}>
        <Zap size={14} aria-hidden /> Apply {count} {count === 1 ? "change" : "changes"} to the run
      </button>
    </>
  );
}

function Restart({ paths, blocked }: ButtonProps) {
  const misfit = useDraft((state) => (state.draft ? misfitObstacle(state.draft) : ""));
  const [asking, setAsking] = useState(false);
  const count = paths.length;
  return (
    <>
      <Pending title="Needs a restart" paths={paths} />
      {!blocked && <SecondLook />}
      {misfit && !blocked && <PolicyMisfit what={misfit} />}
      <button
        type="button"
        className="btn"
        disabled={blocked || misfit !== ""}
        onClick={() => setAsking(true)}
      >
        <RotateCw size={14} aria-hidden /> Restart to apply {count} {count === 1 ? "change" : "changes"}
      </button>
      <RestartDialog open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

function RestartDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Confirm
      title="Restart with these values?"
      open={open}
      onClose={onClose}
      yes="Restart"
      no="Keep going"
      onYes={() => void restartWithDraft()}
    >
      The run is stopped and kept: its charts, traces and checkpoint can be opened again from the list of
      stored runs. A new one starts in its place.
    </Confirm>
  );
}
