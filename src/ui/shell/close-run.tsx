// The button that takes a run at rest off the screen.
import { X } from "lucide-react";
import { useState } from "react";
import { Confirm } from "../components/controls.tsx";
import { closeRun } from "../session/session.ts";
import { useRun } from "../store/run-store.ts";

export function CloseRun() {
  const [asks, setAsks] = useState(false);
  // A run that another tab trains is stored there.
  const loses = useRun(
    ({ checkpoint, state, trajectories }) =>
      checkpoint === null && state !== "elsewhere" && trajectories.length > 0,
  );
  const close = () => {
    void closeRun();
    // The button is gone.
    document.getElementById("main")?.focus();
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-small"
        onClick={() => (loses ? setAsks(true) : close())}
        aria-label="Close this run"
        title="Close this run, and show levels and presets again"
      >
        <X size={14} aria-hidden /> <span className="hidden sm:inline">Close</span>
      </button>
      <Confirm
        title="Close this run?"
        open={asks}
        onClose={() => setAsks(false)}
        yes="Close it"
        no="Keep it on screen"
        onYes={close}
      >
        It was never saved, so its charts and episodes will be lost.
      </Confirm>
    </>
  );
}
