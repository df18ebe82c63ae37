// The run as a file: an icon in the run strip, a button with words where there is room.
import { Check, Download, LoaderCircle, Share } from "lucide-react";
import { useState } from "react";
import { downloadCheckpoint, downloadOnnx } from "../session/session.ts";
import { useRun } from "../store/run-store.ts";
import { isActive, type RunView } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";

/** There is a checkpoint to download: of a run that trains, or of one that was saved. */
const canDownload = ({ state, checkpoint }: RunView): boolean => isActive(state) || checkpoint !== null;

/** Downloads a checkpoint of the run on screen. */
export function DownloadButton({ words = false }: { words?: boolean }) {
  const possible = useRun(canDownload);
  const active = useRun((view) => isActive(view.state));
  const saving = useSession((session) => session.saving);
  const title = explain(possible, active, saving);
  const Icon = saving ? LoaderCircle : Download;
  return (
    <button
      type="button"
      className={`btn btn-small ${words ? "" : "btn-icon"}`}
      onClick={downloadCheckpoint}
      disabled={!possible || saving}
      title={title}
      {...(words ? {} : { "aria-label": "Download a checkpoint" })}
    >
      <Icon size={14} aria-hidden className={saving ? "animate-spin" : ""} />
      {words && "Download checkpoint"}
    </button>
  );
}

/** How far an export is. */
export type OnnxExport = "none" | "working" | "done";

/** Downloads the policy of the run on screen as an ONNX model. */
export function ExportOnnxButton() {
  const [state, setState] = useState<OnnxExport>("none");
  const start = async () => {
    setState("working");
    setState((await downloadOnnx()) ? "done" : "none");
  };
  return <ExportOnnx state={state} onStart={() => void start()} />;
}

/** The button, and in words what has come of it. */
export function ExportOnnx({ state, onStart }: { state: OnnxExport; onStart: () => void }) {
  const possible = useRun(canDownload);
  const saving = useSession((session) => session.saving);
  const working = state === "working";
  const Icon = working ? LoaderCircle : Share;
  return (
    <>
      <button
        type="button"
        className="btn btn-small"
        onClick={onStart}
        disabled={!possible || saving}
        title="Save the policy for ONNX Runtime, which runs it without this studio"
      >
        <Icon size={14} aria-hidden className={working ? "animate-spin" : ""} />
        {working ? "Exporting…" : "Export as ONNX"}
      </button>
      <span role="status" className="inline-flex items-center gap-1 text-dense text-muted empty:hidden">
        {state === "done" && (
          <>
            <Check size={14} aria-hidden className="text-ok" /> Exported to your downloads
          </>
        )}
      </span>
    </>
  );
}

function explain(possible: boolean, active: boolean, saving: boolean): string {
  if (saving) return active ? "Saving at the end of this update…" : "Reading the checkpoint…";
  if (!possible) return "This run was never saved, so there is nothing to download.";
  return active
    ? "Download a checkpoint as it is at the end of this update (K)"
    : "Download the run's last checkpoint (K)";
}
