// The button that stops a run under way, and takes one at rest off the screen. It is one element, so that it keeps the focus while a run
// that was stopped by keyboard comes to rest.
import { Square, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Confirm } from "../components/controls.tsx";
import { closeRun } from "../session/session.ts";
import { controlsFor } from "../store/run-state.ts";
import { useRun } from "../store/run-store.ts";
import { isActive, type RunState, type RunView } from "../store/run-view.ts";

export function EndRun({ state, onStop }: { state: RunState; onStop: () => void }) {
  const [asks, setAsks] = useState(false);
  const loses = useRun(losesByClosing);
  const close = useClosing();
  const rests = !isActive(state);
  const canStop = controlsFor(state).stop;
  const end = () => {
    if (!rests) return canStop ? onStop() : undefined;
    return loses ? setAsks(true) : close();
  };
  return (
    <>
      <button
        type="button"
        className={`btn btn-small ${rests || canStop ? "" : "max-sm:hidden"}`}
        onClick={end}
        // Not disabled, which would take the focus away.
        aria-disabled={!rests && !canStop}
        aria-label={rests ? "Close this run" : "Stop"}
        title={rests ? "Close this run, and show levels and presets again" : "Stop (Shift+S)"}
      >
        {rests ? <X size={14} aria-hidden /> : <Square size={13} aria-hidden />}{" "}
        <span className="hidden sm:inline">{rests ? "Close" : "Stop"}</span>
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

/** Whether the run is not stored. One that another tab trains is stored there. */
const losesByClosing = ({ checkpoint, state, trajectories }: RunView): boolean =>
  checkpoint === null && state !== "elsewhere" && trajectories.length > 0;

/** Closes the run, and moves the focus once button and question are gone: what is behind a question takes none. */
function useClosing(): () => void {
  const closes = useRef(false);
  useEffect(
    () => () => {
      if (closes.current) document.getElementById("main")?.focus();
    },
    [],
  );
  return () => {
    closes.current = true;
    void closeRun();
  };
}
