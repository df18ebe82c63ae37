// The alarms of the run on screen: one as a notice, several as one line that opens. Each names what was changed shortly
// before it began, and says what to do.
import { type ReactNode, useId, useRef } from "react";
import { Link } from "react-router";
import { getPath } from "../../config/changes.ts";
import { settingTitle } from "../../config/describe.ts";
import { message, setting, value } from "../../core/message.ts";
import { counted, numberBeside } from "../lib/format.ts";
import { changeSetting } from "../session/session.ts";
import { formText, valueText } from "../settings/words.ts";
import { openGpuCheck } from "../store/check-store.ts";
import { updateName } from "../store/progress.ts";
import { receive, useRun } from "../store/run-store.ts";
import { isActive, type RunChange, type RunNotice } from "../store/run-view.ts";
import {
  type Ask,
  checkpointBefore,
  GoBackButtons,
  namesCheckpoint,
  useGoBack,
  useStoredUpdates,
} from "../train/go-back.tsx";
import { Notice } from "./notice.tsx";

type AlarmNotice = RunNotice & Required<Pick<RunNotice, "alarm">>;

/** Whether a notice is of an alarm. */
export const isAlarm = (notice: RunNotice): notice is AlarmNotice => notice.alarm !== undefined;

const dismiss = ({ id }: RunNotice): void => receive({ type: "notice_dismissed", id });

/** Notices of alarms, the newest last. */
export function Alarms({ alarms }: { alarms: readonly AlarmNotice[] }) {
  return alarms.length > 0 && <AnyAlarms alarms={alarms} />;
}

function AnyAlarms({ alarms }: { alarms: readonly AlarmNotice[] }) {
  const stored = useStoredUpdates();
  const list = useRef<HTMLFieldSetElement>(null);
  const [question, onAsk] = useGoBack(stored, list);
  const [first] = alarms;
  return (
    // It can have the focus.
    <fieldset ref={list} aria-label="Alarms" className="min-w-0">
      {alarms.length > 1 ? (
        <SeveralAlarms alarms={alarms} stored={stored} onAsk={onAsk} />
      ) : (
        <OneAlarm alarm={first!} stored={stored} onAsk={onAsk} />
      )}
      {question}
    </fieldset>
  );
}

function OneAlarm({ alarm, stored, onAsk }: ActionsProps) {
  return (
    <Notice
      tone={alarm.tone}
      title={alarm.title}
      actions={<AlarmActions alarm={alarm} stored={stored} onAsk={onAsk} />}
      onDismiss={() => dismiss(alarm)}
    >
      {alarm.body} <ChangesBefore alarm={alarm} />
      {alarm.hint && (
        <details className="mt-0.5">
          <summary className="w-fit rounded text-muted">What it means, and what to do</summary>
          <p className="mt-1 mb-2">{alarm.hint}</p>
          {needFile([alarm], stored) && <WayToCheckpoint />}
          <ToTraces />
        </details>
      )}
    </Notice>
  );
}

const SEVERITY = ["info", "warning", "danger"] as const;

/** "3 alarms: KL spike, Echo, Entropy collapse", as serious as the most serious of them. */
function SeveralAlarms({
  alarms,
  stored,
  onAsk,
}: Omit<ActionsProps, "alarm"> & { alarms: readonly AlarmNotice[] }) {
  const worst = Math.max(...alarms.map(({ tone }) => SEVERITY.indexOf(tone)));
  const title = `${counted(alarms.length, "alarm")}: ${alarms.map(({ alarm }) => alarm).join(", ")}`;
  return (
    <Notice tone={SEVERITY[worst]!} title={title} folded onDismiss={() => alarms.forEach(dismiss)}>
      <ul className="my-1">
        {alarms.map((alarm) => (
          <AlarmItem key={alarm.id} alarm={alarm} stored={stored} onAsk={onAsk} />
        ))}
      </ul>
      {needFile(alarms, stored) && <WayToCheckpoint />}
      <ToTraces />
    </Notice>
  );
}

function AlarmItem({ alarm, stored, onAsk }: ActionsProps) {
  const id = useId();
  return (
    <li aria-labelledby={id} className="border-t border-line py-2 first:border-t-0">
      <p id={id} className="font-semibold">
        {alarm.title}
      </p>
      {alarm.body} <ChangesBefore alarm={alarm} />
      <p className="mt-1 mb-2">{alarm.hint}</p>
      <div className="notice-actions flex flex-wrap gap-2 empty:hidden">
        <AlarmActions alarm={alarm} stored={stored} onAsk={onAsk} />
      </div>
    </li>
  );
}

/** "“Actor learning rate” was changed from 0.001 to 0.1 after update 12, shortly before." */
function ChangesBefore({ alarm: { changes = [] } }: { alarm: AlarmNotice }) {
  const stages = useRun((view) => view.stages);
  const totalUpdates = useRun((view) => view.totalUpdates);
  return changes.map((change) => (
    <strong key={change.path} className="font-semibold">
      {changeSentence(change, updateName({ stages, totalUpdates }, change.update))}{" "}
    </strong>
  ));
}

/** What was changed, and when: the most likely cause of an alarm that follows. */
function changeSentence({ path, from, to }: RunChange, after: string): string {
  const [old, next] = [from, to].map((one) => (one === undefined ? "unset" : value(path, one)));
  return formText(
    message`${setting(path)} was changed from ${old!} to ${next!} after ${after}, shortly before.`,
  );
}

/** Whether alarms advise to go back to a checkpoint, and the run has stored none from before one of them. */
const needFile = (alarms: readonly AlarmNotice[], stored: readonly number[]): boolean =>
  alarms.some(namesCheckpoint) && alarms.every((alarm) => checkpointBefore(alarm, stored) === undefined);

/** A run goes back to stored checkpoints only; from the file of one, a new run begins. */
function WayToCheckpoint() {
  return (
    <p className="mb-2">
      This run has no stored checkpoint from before the alarm, so to go back to one, you need its file: the
      arrow at the end of the bar above (“Download a checkpoint”) saves one of the present update. To begin
      from a file that you saved before the alarm, press Stop, choose the file with “A file…” under Configure
      → Start from, and press “Start training”.
    </p>
  );
}

/** A wrong kernel may be behind these: a loss of SFT or a start that looks wrong, or a policy that changed too much in one update. */
const MAY_BE_THE_GPU = ["alarm:sft_loss", "alarm:weak_start", "alarm:kl_spike"];

interface ActionsProps {
  alarm: AlarmNotice;
  /** Updates of the run's stored checkpoints, newest first. */
  stored: readonly number[];
  onAsk: Ask;
}

/** A changed setting is set back, and the run sent back; the GPU is suspected where no change explains the alarm. */
function AlarmActions({ alarm, stored, onAsk }: ActionsProps) {
  const { changes = [], id } = alarm;
  const earlier = checkpointBefore(alarm, stored);
  return (
    <>
      {changes.map((change) => (
        <SetBack key={change.path} change={change} />
      ))}
      <GoBackButtons updates={earlier === undefined ? [] : [earlier]} of={id} onAsk={onAsk} />
      {changes.length === 0 && MAY_BE_THE_GPU.includes(id) && <CheckGpuButton />}
    </>
  );
}

/** Only while the run still has the changed value, and can take another. */
function SetBack({ change: { path, from, to } }: { change: RunChange }) {
  const changed = useRun(
    ({ config, state }) =>
      isActive(state) && config !== null && JSON.stringify(getPath(config, path)) === JSON.stringify(to),
  );
  if (!changed || from === undefined) return null;
  return (
    <button type="button" className="btn btn-small" onClick={() => void changeSetting(path, from)}>
      Set “{settingTitle(path)}” back to {textBeside(path, from, to)}
    </button>
  );
}

/** A value in the notation that the notice has it in, beside the one that it was changed to. */
const textBeside = (path: string, value: unknown, other: unknown): string =>
  typeof value === "number" && typeof other === "number"
    ? numberBeside(value, [other])
    : valueText(path, value);

/** Losses that are wrong from the start may come from a GPU or a driver that computes a kernel wrongly. */
export function CheckGpuButton(): ReactNode {
  return (
    <button type="button" className="btn btn-small" onClick={openGpuCheck}>
      Check this GPU…
    </button>
  );
}

function ToTraces() {
  return (
    <Link className="btn btn-small" to="/trace">
      To the newest traces
    </Link>
  );
}
