// The dialog that checks this machine's GPU: every kernel against the CPU, one table that can be copied into a bug report.

import { Dialog, ScrollRegion } from "../components/controls.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { detailsOf, plainMessage } from "../lib/plain-error.ts";
import { cancelCheck, startCheck } from "../session/gpu-check.ts";
import { pauseRun, stopRun } from "../session/session.ts";
import { type GpuCheck, useCheck, usesGpu } from "../store/check-store.ts";
import { controlsFor } from "../store/run-state.ts";
import { useRun } from "../store/run-store.ts";
import { Details } from "./details.tsx";

type Report = Extract<GpuCheck, { state: "done" }>["report"];

export default function GpuCheckDialog() {
  const { open, check } = useCheck();
  return (
    <Dialog title="Check this GPU" open={open} onClose={() => useCheck.setState({ open: false })} wide>
      <GpuCheckPanel check={check} />
    </Dialog>
  );
}

/** What the dialog shows; closing it does not end the check. */
export function GpuCheckPanel({ check }: { check: GpuCheck }) {
  const blocked = useRun((view) => usesGpu(view.state));
  return (
    <div className="flex flex-col gap-3 text-body">
      {check.state !== "done" && <What />}
      {check.state === "running" && <Progress {...check} />}
      {check.state === "done" && <Result report={check.report} />}
      {check.state === "failed" && <Failure {...check} />}
      {check.state === "interrupted" && <p>The check ended because a run needed the GPU.</p>}
      {check.state !== "running" && (blocked ? <Blocked /> : <Start again={check.state !== "idle"} />)}
    </div>
  );
}

function What() {
  return (
    <p>
      If losses look wrong from the first updates on, a kernel may be wrong on this GPU or with its driver.
      The check runs every variant of every kernel here and compares it with the CPU. A software GPU needs
      several minutes for it. Nothing is sent anywhere.
    </p>
  );
}

function Start({ again }: { again: boolean }) {
  return (
    <div>
      <button type="button" className="btn btn-primary" onClick={() => startCheck()}>
        {again ? "Check again" : "Start the check"}
      </button>
    </div>
  );
}

/** A run that trains would be slowed down, and both could run out of memory. */
function Blocked() {
  const state = useRun((view) => view.state);
  const can = controlsFor(state);
  return (
    <div className="flex flex-col gap-2">
      <p>A run is using the GPU. The check would slow it down and compete with it for memory.</p>
      <div className="flex gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={!can.pause}
          onClick={() => void pauseRun()}
        >
          {state === "pausing" ? "Pausing after this update…" : "Pause the run"}
        </button>
        <button type="button" className="btn" disabled={!can.stop} onClick={() => void stopRun()}>
          Stop the run
        </button>
      </div>
    </div>
  );
}

function Progress({ done, of, label }: Extract<GpuCheck, { state: "running" }>) {
  return (
    <div className="flex flex-col gap-2">
      <progress
        className="visually-hidden"
        value={done}
        max={Math.max(1, of)}
        aria-label="Progress of the check"
      />
      <div className="h-1 overflow-hidden rounded-full bg-line" aria-hidden>
        <div className="h-full bg-accent" style={{ width: `${of > 0 ? (100 * done) / of : 0}%` }} />
      </div>
      <p role="status" className="text-dense text-muted">
        {of === 0 ? "Opening the GPU…" : `${done + 1} of ${of}: ${label}`}
      </p>
      <div>
        <button type="button" className="btn" onClick={cancelCheck}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function Failure({ error }: Extract<GpuCheck, { state: "failed" }>) {
  return (
    <div role="alert">
      <p>
        {plainMessage(error)} {error.hint}
      </p>
      <Details text={detailsOf(error)} />
    </div>
  );
}

function Result({ report }: { report: Report }) {
  const { verdict, heads, rows, text } = report;
  return (
    <>
      <p role="status" className="font-semibold">
        {verdict}
      </p>
      <div>
        <CopyButton text={() => text}>Copy the report</CopyButton>
      </div>
      <ScrollRegion name="Results of the check" className="max-h-[50vh] rounded border border-line">
        <table className="w-full text-dense tabular-nums">
          <thead className="sticky top-0 bg-surface text-left">
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" className="px-2 py-1 font-semibold">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, ok, cells }) => (
              <tr key={label} className={ok ? "" : "bg-danger-wash text-danger"}>
                {cells.map((cell, i) => (
                  <td key={heads[i]} className="border-t border-line px-2 py-1">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
