// The stored checkpoints of the run on screen, to each of which it can go back.
import { useRef, useState } from "react";
import { useRun } from "../store/run-store.ts";
import { GoBackButtons, useGoBack, useStoredUpdates } from "./go-back.tsx";

/** A list that opens; absent before the run is first saved. */
export function Checkpoints() {
  const isSaved = useRun((view) => view.checkpoint !== null);
  // They are read only while the list is open.
  const [open, setOpen] = useState(false);
  if (!isSaved) return null;
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="px-3 py-2 text-dense">
        <span className="font-semibold">Checkpoints</span>{" "}
        <span className="text-muted">go back to an earlier update</span>
      </summary>
      {open && <StoredCheckpoints />}
    </details>
  );
}

function StoredCheckpoints() {
  const stored = useStoredUpdates();
  return <CheckpointList stored={stored} />;
}

/** @param stored updates of the run's checkpoints, newest first */
export function CheckpointList({ stored }: { stored: readonly number[] }) {
  const done = useRun((view) => view.update);
  const earlier = stored.filter((update) => update < done);
  const list = useRef<HTMLDivElement>(null);
  const [question, ask] = useGoBack(stored, list);
  return (
    <div ref={list} className="border-t border-line px-3 py-2 text-dense">
      <p className="text-muted">
        {earlier.length > 0
          ? "The run can go back to these checkpoints. While it trains, it removes most of the older ones."
          : "No earlier checkpoint is stored to which the run could go back."}
      </p>
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        <GoBackButtons updates={earlier} onAsk={ask} />
      </div>
      {question}
    </div>
  );
}
