// The runs that this browser stores, offered while none is active: how far each got, and to resume, open or discard it.
import { type ComponentType, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { StoredRun } from "../../worker/protocol.ts";
import { Confirm, Dialog } from "../components/controls.tsx";
import { formatAgo } from "../lib/format.ts";
import { halvedRateAfter } from "../session/continuing.ts";
import { discardStored, openStored, resumeStored } from "../session/session.ts";
import { type StageUpdate, updateInStage } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { useSupplyObstacle } from "../store/run-supplies.ts";
import { trainingBlocked, useSession } from "../store/session-store.ts";
import { AskedByJudge } from "../train/asked-by-judge.tsx";
import { AskedForModels } from "../train/asked-for-models.tsx";
import { storedSuccess } from "../train/success.ts";
import { Notice } from "./notice.tsx";

/** The stored runs besides `shown`, the run on screen, if there is one. */
export function StoredOffers({ stored, shown }: { stored: readonly StoredRun[]; shown: string | null }) {
  const elsewhere = stored.find((run) => run.elsewhere);
  // The run on screen is reached there.
  const others = stored.filter((run) => run !== elsewhere && run.runId !== shown);
  return (
    <>
      {elsewhere && <RunElsewhere run={elsewhere} shown={elsewhere.runId === shown} />}
      {others.length > 0 && <StoredRuns runs={others} folded={shown !== null} />}
    </>
  );
}

/** Newest first. While a run is on screen the list is folded, so that it takes little room. */
export function StoredRuns({ runs, folded }: { runs: readonly StoredRun[]; folded: boolean }) {
  const [first] = runs;
  if (!first) return null;
  if (runs.length === 1 && !folded) return <OneRun run={first} />;
  const list = <RunList runs={runs} actions={StoredRunActions} />;
  if (!folded)
    return (
      <Notice tone="info" title={`${runs.length} runs are stored`} wide>
        <p>{ABOUT}</p>
        {list}
      </Notice>
    );
  const [title, them] =
    runs.length === 1 ? ["Another run is stored", "it"] : [`${runs.length} other runs are stored`, "them"];
  return (
    <Notice tone="info" title={title!} wide>
      <details>
        <summary className="cursor-pointer">Show {them}</summary>
        {list}
      </details>
    </Notice>
  );
}

const ABOUT = "Opening or resuming a run restores its charts and newest traces.";

function OneRun({ run }: { run: StoredRun }) {
  return (
    <Notice tone="info" title={TITLES[endOf(run)]} wide actions={<StoredRunActions run={run} />}>
      <RunFacts run={run} /> {ABOUT}
    </Notice>
  );
}

/** @param actions what can be done with a run, as buttons beside it. */
function RunList({
  runs,
  actions: Actions,
}: {
  runs: readonly StoredRun[];
  actions: ComponentType<{ run: StoredRun }>;
}) {
  return (
    <ul aria-label="Stored runs" className="mt-2 flex max-h-[40dvh] flex-col gap-2 overflow-auto">
      {runs.map((run) => (
        <li
          key={run.runId}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line pt-2"
        >
          <p className="min-w-0 flex-1 basis-72">
            <RunFacts run={run} />
          </p>
          <div className="notice-actions flex flex-wrap gap-2">
            <Actions run={run} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** An update of a stored run as the strip will count it when the run is resumed. */
function updateOf({ events, totalUpdates }: StoredRun, update: number): StageUpdate {
  const stages = events.filter((event) => event.type === "stage");
  return updateInStage(stages, totalUpdates, update);
}

/** "PPO update 30 of 60": how far a stored run got. */
function placeOf(run: StoredRun): string {
  const { name, of } = updateOf(run, run.update);
  return `${name} of ${of}`;
}

/** "Lake was interrupted at PPO update 30 of 60, …; saved 4 min ago." */
function RunFacts({ run }: { run: StoredRun }) {
  const nameOf = (update: number) => updateOf(run, update).name;
  const success = storedSuccess(run.events, run.update, nameOf);
  const ago = formatAgo(Math.max(0, Date.now() - run.savedAt));
  const end = endOf(run);
  // A finished run may have done more updates than its total, which can be lowered while it runs.
  const place = end === "finished" ? nameOf(run.update) : placeOf(run);
  return (
    <span className="nums">
      <strong>{run.name}</strong> {WORDS[end]} at {place}
      {success && `, ${success}`}; saved {ago}.
    </span>
  );
}

type End = "finished" | "stopped" | "diverged" | "failed" | "interrupted";

const TITLES: Readonly<Record<End, string>> = {
  finished: "A finished run is stored",
  stopped: "A stopped run is stored",
  diverged: "A run diverged",
  failed: "A run failed",
  interrupted: "A run was interrupted",
};
const WORDS: Readonly<Record<End, string>> = {
  finished: "finished",
  stopped: "was stopped",
  diverged: "diverged and is stored",
  failed: "failed and is stored",
  interrupted: "was interrupted and is stored",
};

/** How the last session of a run ended; one without an end was interrupted with its page. */
function endOf({ events, update, totalUpdates }: StoredRun): End {
  if (update >= totalUpdates) return "finished";
  const last = events.findLast(({ type }) => type === "run_started" || type === "run_finished");
  if (last?.type !== "run_finished" || last.reason === "completed") return "interrupted";
  return last.reason;
}

/** It is being trained, so here it can only be opened to read. */
function RunElsewhere({ run, shown }: { run: StoredRun; shown: boolean }) {
  const seen = useRun((view) => view.update);
  const newer = !shown || run.update > seen;
  return (
    <Notice
      tone="warning"
      title={shown ? "Shown as it was last saved; another tab trains it" : "A run is open in another tab"}
      actions={
        newer && (
          <button type="button" className="btn btn-small" onClick={() => openStored(run)}>
            {shown ? `Show ${updateOf(run, run.update).name}, saved since` : "Show it as it was last saved"}
          </button>
        )
      }
    >
      <strong>{run.name}</strong> was saved there at {placeOf(run)}. Only one tab trains at a time: stop the
      run there or close that tab to train here.
    </Notice>
  );
}

/** Stored runs that can be discarded for space while another one trains. */
export function FreeSpaceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const stored = useSession((session) => session.stored);
  const shown = useRun((view) => view.runId);
  const others = stored.filter((run) => run.runId !== shown && !run.elsewhere);
  return (
    <Dialog title="Stored runs" open={open} onClose={onClose} wide>
      {others.length === 0 ? (
        <p>No other run is stored in this browser. Free space on this disk, or download the checkpoint.</p>
      ) : (
        <RunList runs={others} actions={DiscardButton} />
      )}
    </Dialog>
  );
}

function DiscardButton({ run }: { run: StoredRun }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn btn-small"
        title="Delete its checkpoints, charts and traces"
        onClick={() => setAsking(true)}
      >
        Discard
      </button>
      <DiscardDialog run={run} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

/** From the front page a run opens in Train; the other rooms show it themselves. */
function useLeaveHome(): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => void (pathname === "/" && navigate("/train"));
}

function StoredRunActions({ run }: { run: StoredRun }) {
  const leaveHome = useLeaveHome();
  const open = () => {
    leaveHome();
    void openStored(run);
  };
  const finished = endOf(run) === "finished";
  return (
    <>
      {!finished && <AskedByJudge config={run.config} kept={run.recordingKept} />}
      {!finished && <AskedForModels config={run.config} />}
      {!finished && <Resume run={run} />}
      <button
        type="button"
        className={`btn btn-small ${finished ? "btn-primary" : ""}`}
        title="Show its charts and traces without training; it can continue from there"
        onClick={open}
      >
        Open
      </button>
      <DiscardButton run={run} />
    </>
  );
}

/** A run that diverged resumes with half the learning rate: with the same settings it would diverge again. */
function Resume({ run }: { run: StoredRun }) {
  const leaveHome = useLeaveHome();
  const missing = useSupplyObstacle(run.config, run.recordingKept);
  const blocked = useSession(trainingBlocked) || missing;
  const diverged = endOf(run) === "diverged";
  const reached = run.events.findLast((event) => event.type === "run_finished")?.update ?? run.update;
  return (
    <button
      type="button"
      className="btn btn-primary btn-small"
      disabled={blocked !== ""}
      title={blocked}
      onClick={() => {
        leaveHome();
        void resumeStored(run, diverged ? halvedRateAfter(run.config, reached) : {});
      }}
    >
      Resume from {updateOf(run, run.update).name}
      {diverged && " with half the learning rate"}
    </button>
  );
}

/** Deleting cannot be undone, so it needs a confirmation. */
function DiscardDialog({ run, open, onClose }: { run: StoredRun; open: boolean; onClose: () => void }) {
  return (
    <Confirm
      title="Discard the run?"
      open={open}
      onClose={onClose}
      yes="Discard the run"
      no="Keep it"
      onYes={() => void discardStored(run.runId)}
    >
      The checkpoints, charts and traces of <strong>{run.name}</strong> ({placeOf(run)}) are deleted from this
      browser. This cannot be undone.
    </Confirm>
  );
}
