// Long-lived conditions, at the top of every route: what happened, and what to do. They stay until solved or dismissed.
import { Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { settingTitle } from "../../config/describe.ts";
import { halvedRate } from "../../config/halved-rate.ts";
import type { SerializedError } from "../../core/errors.ts";
import { counted } from "../lib/format.ts";
import { detailsOf, plainMessage } from "../lib/plain-error.ts";
import { abandonWorker, continueRun, continueWithHalvedRate, restartWithDraft } from "../session/session.ts";
import { inForm, wholeText } from "../settings/words.ts";
import { focusExtensions } from "../store/form-store.ts";
import { updateInStage } from "../store/progress.ts";
import { receive, useRun } from "../store/run-store.ts";
import { isActive, type RunNotice } from "../store/run-view.ts";
import { dismissRefusal, useSession } from "../store/session-store.ts";
import { useGoingOnBlocked } from "../store/shown-judge.ts";
import { AskedByShownJudge } from "../train/asked-by-judge.tsx";
import { AskedForShownModels } from "../train/asked-for-models.tsx";
import { DownloadButton } from "../train/download-button.tsx";
import { Alarms, CheckGpuButton, isAlarm } from "./alarms.tsx";
import { Details } from "./details.tsx";
import { RunElsewhere, StoredRunsDialog } from "./lazy-stored-runs.tsx";
import { Notice } from "./notice.tsx";

export default function Notices() {
  return (
    <div className="flex flex-col gap-2 px-4 py-3 empty:hidden">
      <RunElsewhereNotice />
      <UnresponsiveNotice />
      <RefusedNotice />
      <OfDraftNotice />
      <RunEndNotice />
      <RunNotices />
      <AwayNotice />
    </div>
  );
}

/** A stored run that another tab trains. */
function RunElsewhereNotice() {
  const run = useSession(({ stored }) => stored.find(({ elsewhere }) => elsewhere));
  const busy = useRun((view) => isActive(view.state));
  const shown = useRun((view) => view.runId);
  if (busy || !run) return null;
  return (
    <Suspense fallback={null}>
      <RunElsewhere run={run} shown={run.runId === shown} />
    </Suspense>
  );
}

/** A worker that does not answer can only be ended: it cannot read a command to stop. */
function UnresponsiveNotice() {
  const isUnresponsive = useSession((session) => session.isUnresponsive);
  if (!isUnresponsive) return null;
  return (
    <Notice
      tone="warning"
      title="The training worker does not answer"
      actions={
        <button type="button" className="btn btn-primary btn-small" onClick={abandonWorker}>
          End the worker
        </button>
      }
    >
      It is busy with a long computation, or an extension is stuck, for example in a regular expression. You
      can wait or end the worker. Ending it stops the run, which can be resumed if it has a checkpoint.
    </Notice>
  );
}

function RefusedNotice() {
  const refused = useSession((session) => session.refused);
  if (!refused) return null;
  return (
    <Notice tone="warning" title="That did not work" onDismiss={dismissRefusal}>
      {wholeText(refused)}
    </Notice>
  );
}

function OfDraftNotice() {
  const ofDraft = useSession((session) => session.ofDraft);
  if (!ofDraft) return null;
  return (
    <Notice tone="warning" title={ofDraft.title} onDismiss={() => useSession.setState({ ofDraft: null })}>
      {ofDraft.body}
    </Notice>
  );
}

/** A run that ended badly says why, and what to try. */
function RunEndNotice() {
  const state = useRun((view) => view.state);
  const error = useRun((view) => view.error);
  const update = useRun((view) => view.update);
  const checkpoint = useRun((view) => view.checkpoint);
  const stages = useRun((view) => view.stages);
  const total = useRun((view) => view.totalUpdates);
  if (state !== "failed" && state !== "diverged") return null;
  const words = error && inForm(error);
  const isOwn = error !== null && isOfExtension(error);
  const nameOf = (update: number) => updateInStage(stages, total, update).name;
  const saved = checkpoint ? ` The last checkpoint is from ${nameOf(checkpoint.update)}.` : "";
  return (
    <Notice
      tone="danger"
      title={
        state === "diverged"
          ? `Training diverged at ${nameOf(update)}: a number was no longer finite`
          : error?.code === "busy"
            ? "The run could not start"
            : "The run failed"
      }
      actions={
        <>
          <AskedByShownJudge />
          <AskedForShownModels all />
          {isOwn && <ToExtensions />}
          <WayBack secondary={isOwn} />
          <button type="button" className="btn btn-small" onClick={restartWithDraft}>
            Start again
          </button>
          {state === "diverged" && <CheckGpuButton />}
        </>
      }
    >
      {error && plainMessage({ ...error, ...words })}{" "}
      {words?.hint || (state === "diverged" && "Halve the learning rate and start again.")}
      {saved}
      {error && <Details text={detailsOf(error)} />}
    </Notice>
  );
}

/** Whether code that the user added failed: until it is corrected, it fails again. */
const isOfExtension = ({ name, code }: SerializedError): boolean =>
  code === "own_failed" || (name === "ExtensionError" && code === "failed");

function ToExtensions() {
  const navigate = useNavigate();
  const go = async () => {
    await navigate("/train");
    focusExtensions();
  };
  return (
    <button type="button" className="btn btn-primary btn-small" onClick={() => void go()}>
      Go to the extensions
    </button>
  );
}

/** Resumes from the last checkpoint: a run that diverged with half the learning rate, one that failed unchanged. */
function WayBack({ secondary }: { secondary: boolean }) {
  const state = useRun((view) => view.state);
  const update = useRun((view) => view.update);
  const config = useRun((view) => view.config);
  const saved = useRun((view) => view.checkpoint?.update ?? null);
  const stages = useRun((view) => view.stages);
  const total = useRun((view) => view.totalUpdates);
  const blocked = useGoingOnBlocked();
  if (saved === null || !config) return null;
  const rate = halvedRate(config, update + 1);
  const { name: place } = updateInStage(stages, total, saved);
  const [label, title, act] =
    state === "diverged"
      ? [
          `Go back to ${place} and halve the learning rate`,
          `${settingTitle(rate.path)}: ${rate.from} → ${rate.to}`,
          continueWithHalvedRate,
        ]
      : [`Retry from ${place}`, "With the same settings", () => continueRun()];
  return (
    <button
      type="button"
      className={`btn btn-small ${secondary ? "" : "btn-primary"}`}
      disabled={blocked !== ""}
      title={blocked || title}
      onClick={() => void act()}
    >
      {label}
    </button>
  );
}

function RunNotices() {
  const notices = useRun((view) => view.notices);
  // A full disk causes several of these at once; the same buttons under each would fill a small screen.
  const withHelp = notices.find(isStorageTrouble);
  // Null until it is first opened, so that its code is not loaded before. It is not part of a notice, because its notice may lose the buttons.
  const [freeing, setFreeing] = useState<boolean | null>(null);
  return (
    <>
      {notices
        .filter((notice) => !isAlarm(notice))
        .map((notice) => (
          <Notice
            key={notice.id}
            tone={notice.tone}
            title={notice.title}
            actions={
              notice === withHelp && (
                <StorageHelp freeable={notice.id !== VOLATILE} onFree={() => setFreeing(true)} />
              )
            }
            onDismiss={() => receive({ type: "notice_dismissed", id: notice.id })}
          >
            {notice.body} {notice.hint}
            {notice.details && <Details text={notice.details} />}
          </Notice>
        ))}
      <Alarms alarms={notices.filter(isAlarm)} />
      {freeing !== null && (
        <Suspense fallback={null}>
          <StoredRunsDialog open={freeing} onClose={() => setFreeing(false)} forSpace />
        </Suspense>
      )}
    </>
  );
}

/** The browser stores nothing, so there is nothing to discard. */
const VOLATILE = "warning:storage_volatile";

const isStorageTrouble = ({ id, tone }: RunNotice): boolean =>
  id.startsWith("warning:storage") && tone === "warning";

/** The run can be saved as a file at once, and other runs can be discarded for space. */
function StorageHelp({ freeable, onFree }: { freeable: boolean; onFree: () => void }) {
  return (
    <>
      <DownloadButton words />
      {freeable && (
        <button type="button" className="btn btn-small" onClick={onFree}>
          Stored runs…
        </button>
      )}
    </>
  );
}

function AwayNotice() {
  const away = useSession((session) => session.away);
  if (!away) return null;
  return (
    <Notice tone="info" title="Welcome back" onDismiss={() => useSession.setState({ away: null })}>
      You were away for {away.minutes} min; {counted(away.updates, "update")} ran. Browsers slow hidden pages
      down, so keep this one in view for full speed.
    </Notice>
  );
}
