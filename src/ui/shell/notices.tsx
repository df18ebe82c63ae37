// Long-lived conditions, at the top of every room: what happened, and what to do. Not toasts: they stay until solved.
import { Info, OctagonAlert, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { halvedRate } from "../../config/halved-rate.ts";
import type { TrainerEvent } from "../../runtime/events.ts";
import type { StoredRun } from "../../runtime/protocol.ts";
import { IconButton } from "../components/controls.tsx";
import { formatAgo, formatPercent } from "../lib/format.ts";
import {
  continueRun,
  continueWithHalvedRate,
  discardStored,
  dismissRefused,
  halvedRateAfter,
  openStored,
  restartWithDraft,
  resumeStored,
} from "../session/session.ts";
import { receive, useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { canTrain, useSession } from "../store/session-store.ts";

type Tone = "info" | "warning" | "danger";

const LOOKS = {
  info: { icon: Info, box: "border-accent bg-accent-wash", mark: "text-accent" },
  warning: { icon: TriangleAlert, box: "border-warning bg-warning-wash", mark: "text-warning" },
  danger: { icon: OctagonAlert, box: "border-danger bg-danger-wash", mark: "text-danger" },
} as const;

export function Notice({
  tone,
  title,
  children,
  actions,
  onDismiss,
}: {
  tone: Tone;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  onDismiss?: () => void;
}) {
  const { icon: Icon, box, mark } = LOOKS[tone];
  return (
    <div
      className={`flex items-start gap-3 rounded-lg border-l-4 px-3 py-2.5 ${box}`}
      role={tone === "danger" ? "alert" : "status"}
    >
      <span className={`mt-0.5 flex-none ${mark}`}>
        <Icon size={17} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 text-dense">
        <p className="text-body font-semibold">{title}</p>
        <div className="max-w-[90ch]">{children}</div>
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
      {onDismiss && <IconButton icon={X} name="Dismiss" small onClick={onDismiss} />}
    </div>
  );
}

export function Notices() {
  return (
    <div className="flex flex-col gap-2 px-4 pt-3 empty:hidden">
      <StoredRunNotice />
      <RefusedNotice />
      <RunEndNotice />
      <RunNotices />
      <AwayNotice />
    </div>
  );
}

function StoredRunNotice() {
  const stored = useSession((session) => session.stored);
  const busy = useRun((view) => isActive(view.state));
  const run = stored[0];
  return run && !busy ? <InterruptedRun run={run} /> : null;
}

/** The offer to take up a run that the page lost, or to look at one that is complete, with what it had reached. */
export function InterruptedRun({ run }: { run: StoredRun }) {
  const success = lastSuccess(run.events, run.update);
  const ago = formatAgo(Math.max(0, Date.now() - run.savedAt));
  const diverged = divergedAt(run.events) !== null;
  const complete = run.update >= run.totalUpdates;
  if (run.elsewhere) return <RunElsewhere run={run} />;
  return (
    <Notice
      tone="info"
      title={complete ? "A finished run is stored" : diverged ? "A run diverged" : "A run was interrupted"}
      actions={<StoredRunActions run={run} complete={complete} />}
    >
      <strong>{run.name}</strong> {complete ? "finished" : "stopped"} at update {run.update} of{" "}
      {run.totalUpdates}
      {success !== null && `, with a success rate of ${formatPercent(success)}`}; saved {ago}. Its charts and
      newest traces come back with it.
    </Notice>
  );
}

/** It is being trained, so it can only be looked at here. */
function RunElsewhere({ run }: { run: StoredRun }) {
  return (
    <Notice
      tone="warning"
      title="A run is open in another tab"
      actions={
        <button type="button" className="btn btn-small" onClick={() => openStored(run)}>
          Show it as it was last saved
        </button>
      }
    >
      <strong>{run.name}</strong> was saved there at update {run.update} of {run.totalUpdates}. Only one tab
      trains at a time: stop the run there or close that tab to train here.
    </Notice>
  );
}

function StoredRunActions({ run, complete }: { run: StoredRun; complete: boolean }) {
  const diverged = divergedAt(run.events);
  return (
    <>
      {!complete && diverged === null && (
        <button type="button" className="btn btn-primary btn-small" onClick={() => resumeStored(run)}>
          Resume from update {run.update}
        </button>
      )}
      {diverged !== null && (
        <button
          type="button"
          className="btn btn-primary btn-small"
          onClick={() => resumeStored(run, halvedRateAfter(run.config, diverged))}
        >
          Resume from update {run.update} with half the learning rate
        </button>
      )}
      <button
        type="button"
        className={`btn btn-small ${complete ? "btn-primary" : ""}`}
        title="Show its charts and traces without training; it can go on from there"
        onClick={() => openStored(run)}
      >
        Open
      </button>
      <button
        type="button"
        className="btn btn-small"
        title="Delete its checkpoints, charts and traces"
        onClick={() => discardStored(run.runId)}
      >
        Discard
      </button>
    </>
  );
}

/** The last update of a run that ended because it diverged; null for any other. */
function divergedAt(events: readonly TrainerEvent[]): number | null {
  const last = events.at(-1);
  return last?.type === "run_finished" && last.reason === "diverged" ? last.update : null;
}

/** The policy's success rate in training at the update that is stored, or the last before it; null before it has played. */
export function lastSuccess(events: readonly TrainerEvent[], stored: number): number | null {
  for (const event of [...events].reverse()) {
    // Episodes of the warm-up are the teacher's.
    if (event.type !== "metrics" || event.stage !== "ppo" || event.update > stored) continue;
    const found = Object.entries(event.values).find(([key]) => key.startsWith("train/success"));
    if (found) return found[1];
  }
  return null;
}

function RefusedNotice() {
  const refused = useSession((session) => session.refused);
  if (!refused) return null;
  return (
    <Notice tone="warning" title="That did not work" onDismiss={dismissRefused}>
      {refused.message} {refused.hint}
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
          <WayBack />
          <button type="button" className="btn btn-small" onClick={restartWithDraft}>
            Start again
          </button>
        </>
      }
    >
      {error?.message ?? ""}{" "}
      {error?.hint ?? (state === "diverged" ? "Halve the learning rate and start again." : "")}
      {saved}
      {error && (
        <details className="mt-1">
          <summary>Technical details</summary>
          <code>
            {error.name} · {error.code}
          </code>
        </details>
      )}
    </Notice>
  );
}

/** Back to the last checkpoint: a run that diverged with half the learning rate, one that failed as it was. */
function WayBack() {
  const state = useRun((view) => view.state);
  const update = useRun((view) => view.update);
  const config = useRun((view) => view.config);
  const saved = useRun((view) => view.checkpoint?.update ?? null);
  const ready = useSession(canTrain);
  if (saved === null || !config) return null;
  const rate = halvedRate(config, update + 1);
  const [words, title, act] =
    state === "diverged"
      ? [
          `Go back to update ${saved} and halve the learning rate`,
          `${rate.path}: ${rate.from} → ${rate.to}`,
          continueWithHalvedRate,
        ]
      : [`Retry from update ${saved}`, "With the same settings", () => continueRun()];
  return (
    <button
      type="button"
      className="btn btn-primary btn-small"
      disabled={!ready}
      title={ready ? title : "This browser cannot train."}
      onClick={() => void act()}
    >
      {words}
    </button>
  );
}

function RunNotices() {
  const notices = useRun((view) => view.notices);
  return notices.map((notice) => (
    <Notice
      key={notice.id}
      tone={notice.tone}
      title={notice.title}
      onDismiss={() => receive({ type: "notice_dismissed", id: notice.id })}
    >
      {notice.body} {notice.folded ? <WhatToDo>{notice.hint}</WhatToDo> : notice.hint}
    </Notice>
  ));
}

/** Several of these can stand above the charts at once, so they are short until somebody asks. */
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
      You were away for {away.minutes} min; {away.updates} updates ran. Browsers slow hidden pages down, so
      keep this one in view for full speed.
    </Notice>
  );
}
