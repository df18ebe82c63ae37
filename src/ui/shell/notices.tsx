// Long-lived conditions, at the top of every route: what happened, and what to do. They stay until solved or dismissed.
import { type ReactNode, Suspense, useState } from "react";
import { Link } from "react-router";
import { settingTitle } from "../../config/describe.ts";
import { halvedRate } from "../../config/halved-rate.ts";
import { counted } from "../lib/format.ts";
import { detailsOf, plainMessage } from "../lib/plain-error.ts";
import { room } from "../lib/room.tsx";
import { continueRun, continueWithHalvedRate, restartWithDraft } from "../session/session.ts";
import { inForm, wholeText } from "../settings/words.ts";
import { openGpuCheck } from "../store/check-store.ts";
import { receive, useRun } from "../store/run-store.ts";
import { isActive, type RunNotice } from "../store/run-view.ts";
import { dismissRefusal, useSession } from "../store/session-store.ts";
import { useGoingOnBlocked } from "../store/shown-judge.ts";
import { AskedByShownJudge } from "../train/asked-by-judge.tsx";
import { AskedForShownModels } from "../train/asked-for-models.tsx";
import { DownloadButton } from "../train/download-button.tsx";
import { Details } from "./details.tsx";
import { Notice } from "./notice.tsx";

/** What shows stored runs is loaded once there are some. */
const storedRuns = () =>
  import("./stored-runs.tsx").catch(() => ({ StoredOffers: NotLoaded, FreeSpaceDialog: NotLoaded }));
const StoredOffers = room(async () => ({ default: (await storedRuns()).StoredOffers }));
const FreeSpaceDialog = room(async () => ({ default: (await storedRuns()).FreeSpaceDialog }));

function NotLoaded() {
  return (
    <Notice tone="warning" title="Stored runs could not be shown">
      Check that the studio can be reached, then reload the page.
    </Notice>
  );
}

export default function Notices() {
  return (
    <div className="flex flex-col gap-2 px-4 py-3 empty:hidden">
      <StoredRunsNotice />
      <RefusedNotice />
      <OfDraftNotice />
      <RunEndNotice />
      <RunNotices />
      <AwayNotice />
    </div>
  );
}

function StoredRunsNotice() {
  const stored = useSession((session) => session.stored);
  const busy = useRun((view) => isActive(view.state));
  const shown = useRun((view) => view.runId);
  if (busy || stored.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <StoredOffers stored={stored} shown={shown} />
    </Suspense>
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
  if (state !== "failed" && state !== "diverged") return null;
  const words = error && inForm(error);
  const saved = checkpoint ? ` The last checkpoint is from update ${checkpoint.update}.` : "";
  return (
    <Notice
      tone="danger"
      title={
        state === "diverged"
          ? `Training diverged at update ${update}: a number was no longer finite`
          : error?.code === "busy"
            ? "The run could not start"
            : "The run failed"
      }
      actions={
        <>
          <AskedByShownJudge />
          <AskedForShownModels all />
          <WayBack />
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

/** Losses that are wrong from the start may come from a GPU or a driver that computes a kernel wrongly. */
function CheckGpuButton() {
  return (
    <button type="button" className="btn btn-small" onClick={openGpuCheck}>
      Check this GPU…
    </button>
  );
}

/** Resumes from the last checkpoint: a run that diverged with half the learning rate, one that failed unchanged. */
function WayBack() {
  const state = useRun((view) => view.state);
  const update = useRun((view) => view.update);
  const config = useRun((view) => view.config);
  const saved = useRun((view) => view.checkpoint?.update ?? null);
  const blocked = useGoingOnBlocked();
  if (saved === null || !config) return null;
  const rate = halvedRate(config, update + 1);
  const [label, title, act] =
    state === "diverged"
      ? [
          `Go back to update ${saved} and halve the learning rate`,
          `${settingTitle(rate.path)}: ${rate.from} → ${rate.to}`,
          continueWithHalvedRate,
        ]
      : [`Retry from update ${saved}`, "With the same settings", () => continueRun()];
  return (
    <button
      type="button"
      className="btn btn-primary btn-small"
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
  return notices.map((notice) => (
    <Notice
      key={notice.id}
      tone={notice.tone}
      title={notice.title}
      actions={
        (notice === withHelp && <StorageHelp freeable={notice.id !== VOLATILE} />) ||
        (MAY_BE_THE_GPU.includes(notice.id) && <CheckGpuButton />)
      }
      onDismiss={() => receive({ type: "notice_dismissed", id: notice.id })}
    >
      {notice.body} {notice.folded ? <WhatToDo>{notice.hint}</WhatToDo> : notice.hint}
      {notice.details && <Details text={notice.details} />}
    </Notice>
  ));
}

/** A wrong kernel may be behind these: a loss of SFT that looks wrong, or a policy that changed too much in one update. */
const MAY_BE_THE_GPU = ["alarm:sft_loss", "alarm:kl_spike"];

/** The browser stores nothing, so there is nothing to discard. */
const VOLATILE = "warning:storage_volatile";

const isStorageTrouble = ({ id, tone }: RunNotice): boolean =>
  id.startsWith("warning:storage") && tone === "warning";

/** The run can be saved as a file at once, and other runs can be discarded for space. */
function StorageHelp({ freeable }: { freeable: boolean }) {
  // Null until it is first opened, so that its code is not loaded before.
  const [freeing, setFreeing] = useState<boolean | null>(null);
  return (
    <>
      <DownloadButton words />
      {freeable && (
        <button type="button" className="btn btn-small" onClick={() => setFreeing(true)}>
          Stored runs…
        </button>
      )}
      {freeing !== null && (
        <Suspense fallback={null}>
          <FreeSpaceDialog open={freeing} onClose={() => setFreeing(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Several of these can be above the charts at once, so they are short until opened. */
function WhatToDo({ children }: { children: ReactNode }) {
  return (
    <details className="mt-0.5">
      <summary className="w-fit rounded text-muted">What it means, and what to do</summary>
      <p className="mt-1 mb-2">{children}</p>
      <Link className="btn btn-small" to="/trace">
        To the newest traces
      </Link>
    </details>
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
