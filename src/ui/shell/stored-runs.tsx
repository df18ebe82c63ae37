// The runs that this browser stores: the newest on one line of Train, and all in a dialog, to resume, open or discard.
import { FolderClock, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { StoredRun } from "../../worker/protocol.ts";
import { Confirm, Dialog, IconButton } from "../components/controls.tsx";
import { useNow } from "../components/use-now.ts";
import { formatAgo } from "../lib/format.ts";
import { halvedRateAfter } from "../session/continuing.ts";
import { discardStored, openStored, resumeStored } from "../session/session.ts";
import { dismissRuns, savedKey, useDismissed } from "../store/dismissed-runs.ts";
import { useDraft } from "../store/draft-store.ts";
import { updateOfStored } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { useSupplyObstacle } from "../store/run-supplies.ts";
import { isActive } from "../store/run-view.ts";
import { trainingBlocked, useSession } from "../store/session-store.ts";
import { closeStoredList, openStoredList, useStoredList } from "../store/stored-list.ts";
import { storedSuccess } from "../store/success.ts";
import { dismissLoss, isLost, type UnsavedRun, useUnsaved } from "../store/unsaved-run.ts";
import { AskedByJudge } from "../train/asked-by-judge.tsx";
import { AskedForModels } from "../train/asked-for-models.tsx";
import { Notice } from "./notice.tsx";

/** While no run is on screen: the newest stored run, and a note about a run that was lost. Beside a run, the list has the others. */
export function Offers() {
  const shown = useRun((view) => view.runId);
  const stored = useSession((session) => session.stored);
  const left = useUnsaved((unsaved) => unsaved.left);
  const lost = useSession((session) => left !== null && isLost(left, session));
  if (shown !== null) return null;
  return (
    <>
      {lost && left && <LostRun name={left.name} runId={left.runId} />}
      <NewestRun runs={othersOf(stored, null)} />
    </>
  );
}

/** A run that the last visit left before it was first saved. */
export function LostRun({ name, runId }: UnsavedRun) {
  const isInForm = useDraft((state) => state.runId === runId);
  return (
    <OfferLine label="Lost run" dismiss="Dismiss" onDismiss={dismissLoss}>
      <p>
        <strong>{name}</strong> was lost, because the page was closed or reloaded before the run was first
        saved.{" "}
        {isInForm
          ? "Its settings, with any later changes, are in the form. Press “Start training” to begin again."
          : "The form has other settings now."}
      </p>
    </OfferLine>
  );
}

/** The stored runs that can be chosen here: neither the one on screen nor one that another tab trains. */
const othersOf = (stored: readonly StoredRun[], shown: string | null): StoredRun[] =>
  stored.filter((run) => run.runId !== shown && !run.elsewhere);

/** Whether to offer stored runs: until dismissed, and again once one was interrupted since. */
export const isOffered = (runs: readonly StoredRun[], dismissed: readonly string[] | null): boolean =>
  runs.length > 0 &&
  (dismissed === null ||
    runs.some((run) => endOf(run) === "interrupted" && !dismissed.includes(savedKey(run))));

/** The newest run that has learned something, on one line while it is offered. */
function NewestRun({ runs }: { runs: readonly StoredRun[] }) {
  const dismissed = useDismissed(({ keys }) => keys);
  const run = runs.find(hasBegun);
  return run && isOffered(runs.filter(hasBegun), dismissed) && <NewestLine run={run} runs={runs} />;
}

/** Whether a run has done an update or a validation. Without one, starting again is as good as resuming it. */
const hasBegun = ({ update, events }: StoredRun): boolean =>
  update > 0 || events.some(({ type }) => type === "validation");

interface NewestLineProps {
  run: StoredRun;
  /** All that are stored. */
  runs: readonly StoredRun[];
}

/** A run, with the way to the others. */
function NewestLine({ run, runs }: NewestLineProps) {
  return (
    <OfferLine label="Stored run" dismiss="Dismiss for this session" onDismiss={() => dismissRuns(runs)}>
      <p>
        <RunPlace run={run} brief />
      </p>
      <div className="notice-actions flex flex-wrap gap-2">
        <GoingOn run={run} brief />
        <button
          type="button"
          className="btn btn-small"
          title={LIST}
          aria-haspopup="dialog"
          onClick={openStoredList}
        >
          {runs.length === 1 ? "More…" : `All ${runs.length} runs…`}
        </button>
      </div>
    </OfferLine>
  );
}

interface OfferLineProps {
  label: string;
  /** What the button says that dismisses it. */
  dismiss: string;
  onDismiss: () => void;
  children: ReactNode;
}

/** Words and buttons on one line, where there is room. */
function OfferLine({ label, dismiss, onDismiss, children }: OfferLineProps) {
  return (
    <section
      aria-label={label}
      className="flex items-start gap-2 rounded-lg border-l-4 border-accent bg-accent-wash py-1 pr-1 pl-3"
    >
      <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 text-dense">
        {children}
      </div>
      <IconButton icon={X} name={dismiss} small onClick={onDismiss} />
    </section>
  );
}

/** Opens the list of stored runs; absent where there are none. */
export function StoredRunsButton() {
  const shown = useRun((view) => view.runId);
  const any = useSession(({ stored }) => othersOf(stored, shown).length > 0);
  return (
    any && <IconButton icon={FolderClock} name={LIST} small aria-haspopup="dialog" onClick={openStoredList} />
  );
}

/** The list that the offer and the button open. It belongs to no panel, and stays open when its last run is discarded. */
export function StoredRunsList() {
  const isOpen = useStoredList((list) => list.isOpen);
  // Leaving the room closes its dialog.
  useEffect(() => closeStoredList, []);
  return <StoredRunsDialog open={isOpen} onClose={closeStoredList} />;
}

const LIST = "Stored runs: resume, open or discard them";
const ABOUT = "Opening or resuming a run restores its charts and newest traces.";
const BUSY =
  "While a run is active, other runs can only be discarded. Stop the active run to open or resume another.";

interface StoredRunsDialogProps {
  open: boolean;
  onClose: () => void;
  /** Whether it was opened to free space. */
  forSpace?: boolean;
}

/** All stored runs besides the one on screen. While that is active, they can only be discarded. */
export function StoredRunsDialog({ open, onClose, forSpace = false }: StoredRunsDialogProps) {
  const stored = useSession((session) => session.stored);
  const shown = useRun((view) => view.runId);
  const busy = useRun((view) => isActive(view.state));
  const others = othersOf(stored, shown);
  const actionsOf = (run: StoredRun) => (
    <>
      {!busy && <GoingOn run={run} onDone={onClose} />}
      <DiscardButton run={run} />
    </>
  );
  return (
    <Dialog title="Stored runs" open={open} onClose={onClose} wide>
      {others.length === 0 ? (
        <p>
          No other stored run can be opened or discarded here.
          {forSpace && " To free space, delete files from this disk or download the checkpoint."}
        </p>
      ) : (
        <>
          <p className="text-dense text-muted">{busy ? BUSY : ABOUT}</p>
          <RunList runs={others} actionsOf={actionsOf} />
        </>
      )}
    </Dialog>
  );
}

/** Newest first. @param actionsOf what can be done with a run, as buttons beside it. */
function RunList({
  runs,
  actionsOf,
}: {
  runs: readonly StoredRun[];
  actionsOf: (run: StoredRun) => ReactNode;
}) {
  return (
    <ul aria-label="Stored runs" className="mt-2 flex max-h-[60dvh] flex-col gap-2 overflow-auto">
      {runs.map((run) => (
        <li
          key={run.runId}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line pt-2"
        >
          <p className="min-w-0 flex-1 basis-72">
            <RunFacts run={run} />
          </p>
          <div className="notice-actions flex flex-wrap gap-2">{actionsOf(run)}</div>
        </li>
      ))}
    </ul>
  );
}

/** "PPO update 30 of 60": how far a stored run got. */
function placeOf(run: StoredRun): string {
  const { name, of } = updateOfStored(run, run.update);
  return `${name} of ${of}`;
}

/** How often the age of a run is written again, in milliseconds. */
const AGING_MS = 10_000;

interface RunPlaceProps {
  run: StoredRun;
  success?: string;
  /** On small screens without its age, which the list has. */
  brief?: boolean;
}

/** "Lake was interrupted at PPO update 30 of 60; saved 4 min ago". */
function RunPlace({ run, success = "", brief = false }: RunPlaceProps) {
  const ago = formatAgo(Math.max(0, useNow(AGING_MS) - run.savedAt));
  const end = endOf(run);
  // A finished run may have done more updates than its total, which can be lowered while it runs.
  const reached = end === "finished" ? updateOfStored(run, run.update).name : placeOf(run);
  const place =
    run.update > 0 ? `at ${reached}` : hasBegun(run) ? AFTER_VALIDATION : "before its first update";
  return (
    <span className="nums">
      <strong>{run.name}</strong> {WORDS[end]} {place}
      {success && `, ${success}`}
      <span className={brief ? "max-sm:hidden" : ""}>; saved {ago}</span>
    </span>
  );
}

/** The same with the success that it had reached. */
function RunFacts({ run }: { run: StoredRun }) {
  const success = storedSuccess(run, (update) => updateOfStored(run, update).name);
  return <RunPlace run={run} success={success} />;
}

/** Where a run is that was validated and not trained. */
const AFTER_VALIDATION = "after its first validation";

type End = "finished" | "stopped" | "diverged" | "failed" | "interrupted";

const WORDS: Readonly<Record<End, string>> = {
  finished: "finished",
  stopped: "was stopped",
  diverged: "diverged",
  failed: "failed",
  interrupted: "was interrupted",
};

/** How the last session of a run ended; one without an end was interrupted with its page. */
function endOf(run: StoredRun): End {
  const { events, update, totalUpdates } = run;
  // A run without updates has finished once it was validated.
  if (update >= totalUpdates && hasBegun(run)) return "finished";
  const last = events.findLast(({ type }) => type === "run_started" || type === "run_finished");
  if (last?.type !== "run_finished" || last.reason === "completed") return "interrupted";
  return last.reason;
}

/** It is being trained, so here it can only be opened to read. */
export function RunElsewhere({ run, shown }: { run: StoredRun; shown: boolean }) {
  const seen = useRun((view) => view.update);
  const newer = !shown || run.update > seen;
  return (
    <Notice
      tone="warning"
      title={shown ? "Shown as it was last saved; another tab trains it" : "A run is open in another tab"}
      actions={
        newer && (
          <button type="button" className="btn btn-small" onClick={() => openStored(run)}>
            {shown
              ? `Show ${updateOfStored(run, run.update).name}, saved since`
              : "Show it as it was last saved"}
          </button>
        )
      }
    >
      <strong>{run.name}</strong> was saved there at {placeOf(run)}. Only one tab trains at a time: stop the
      run there or close that tab to train here.
    </Notice>
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

interface GoingOnProps {
  run: StoredRun;
  /** On small screens only the first button; the list has both. */
  brief?: boolean;
  onDone?: () => void;
}

/** What a stored run needs before it can go on, and the buttons. */
function GoingOn({ run, brief = false, onDone }: GoingOnProps) {
  const finished = endOf(run) === "finished";
  return (
    <>
      {!finished && <AskedByJudge config={run.config} kept={run.recordingKept} />}
      {!finished && <AskedForModels config={run.config} />}
      {!finished && <Resume run={run} onDone={onDone} />}
      <button
        type="button"
        className={`btn btn-small ${finished ? "btn-primary" : brief ? "max-sm:hidden" : ""}`}
        title="Show its charts and traces without training; it can continue from there"
        onClick={() => {
          onDone?.();
          void openStored(run);
        }}
      >
        Open
      </button>
    </>
  );
}

/** A run that diverged resumes with half the learning rate: with the same settings it would diverge again. */
function Resume({ run, onDone }: { run: StoredRun; onDone: (() => void) | undefined }) {
  const missing = useSupplyObstacle(run.config, run.recordingKept);
  const blocked = useSession(trainingBlocked) || missing;
  const diverged = endOf(run) === "diverged";
  const reached = run.events.findLast((event) => event.type === "run_finished")?.update ?? run.update;
  return (
    <button
      type="button"
      className={`btn btn-small ${hasBegun(run) ? "btn-primary" : ""}`}
      disabled={blocked !== ""}
      title={blocked}
      onClick={() => {
        onDone?.();
        void resumeStored(run, diverged ? halvedRateAfter(run.config, reached) : {});
      }}
    >
      {hasBegun(run) ? `Resume from ${updateOfStored(run, run.update).name}` : "Start from its beginning"}
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
