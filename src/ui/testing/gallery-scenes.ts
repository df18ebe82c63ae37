// Test aid only: every state that the page can show, as events and as what the page knows besides.
import { checkedRunConfig } from "../../config/check.ts";
import { alarms } from "../../rl/alarms/index.ts";
import type { TrainerEvent } from "../../training/events.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import type { GpuCheck } from "../store/check-store.ts";
import type { RunState, ViewEvent } from "../store/run-view.ts";
import type { useSession } from "../store/session-store.ts";
import { fakeRun } from "./fake-run.ts";

const RUN = "gallery";
export const CONFIG = checkedRunConfig({
  name: "Lake",
  sft: { total_updates: 20, one_turn_updates: 5 },
  trainer: { total_updates: 40 },
});

/** With events of every kind, and a value that is not finite. */
export const WHOLE_RUN: ViewEvent[] = [
  ...fakeRun(RUN, CONFIG, 52).map((event) =>
    event.type === "metrics" && event.update === 45
      ? { ...event, values: { ...event.values, "actor/grad_norm": Number.NaN } }
      : event,
  ),
  {
    ...({ type: "sft_ended", update: 20 } as const),
    message: "SFT ended after 20 updates: 98.4 % of the facts are right (target 98.0 %).",
  },
  { type: "config_changed", update: 30, path: "actor.lr", from: 4e-4, to: 2e-4 },
  { type: "warning", update: 34, code: "storage", message: "A checkpoint could not be written." },
  { type: "device_lost", update: 38, message: "reset by the driver", recovering: true, resumeFrom: 38 },
  { type: "rewound", update: 52, from: 52 },
  ...alarmEvents(48).slice(0, 1),
  { type: "phase", stage: "ppo", update: 53, phase: "rollout", done: 12, of: 64 },
];

/** Every alarm, begun at an update. */
function alarmEvents(began: number): TrainerEvent[] {
  return alarms.all.map(({ id, title, meaning, remedy, severity, reads }) => ({
    ...({ type: "alarm", update: began + 2, began, state: "begun", alarm: id } as const),
    ...{ title, meaning, remedy, severity },
    evidence: [{ metric: reads[0] ?? "", title: "the number that it reads", before: 0.21, now: 0.07 }],
  }));
}

const base = fakeRun(RUN, CONFIG, 30);
const saved: TrainerEvent = { type: "checkpoint", update: 28, bytes: 1.6e6, name: "gallery-28" };
const ended = (reason: "stopped" | "failed" | "diverged", message?: string): ViewEvent[] => [
  ...base,
  saved,
  {
    ...({ type: "run_finished", update: 30, reason } as const),
    ...(message ? { error: { name: "PolicyError", code: "non_finite", message } } : {}),
  },
];
const validating: TrainerEvent = {
  ...{ type: "phase", stage: "ppo", update: 30, phase: "validate", done: 64, of: 512 },
};
const pausing: ViewEvent = { type: "command", command: "pause", status: "sent" };
const paused: ViewEvent = { type: "command", command: "pause", status: "done" };

/** The events that lead to each state of a run. */
export const RUN_STATES: Readonly<Record<RunState, readonly ViewEvent[]>> = {
  idle: [],
  preparing: [
    { type: "start_requested", runId: RUN, config: CONFIG },
    {
      type: "prepare",
      steps: [
        { step: "model", done: 1, of: 1, detail: "" },
        { step: "allocate", done: 38, of: 112, detail: "38 of 112 MB" },
        { step: "compile", done: 0, of: 57, detail: "" },
      ],
    },
  ],
  running: [...base, { type: "phase", stage: "ppo", update: 31, phase: "update", done: 3, of: 8 }],
  pausing: [...base, pausing],
  paused: [...base, pausing, paused],
  stepping: [...base, pausing, paused, { type: "command", command: "step", status: "sent" }],
  stopping: [...base, validating, { type: "command", command: "stop", status: "sent" }],
  stopped: ended("stopped"),
  finished: [...fakeRun(RUN, CONFIG, 60), { type: "run_finished", update: 60, reason: "completed" }],
  diverged: ended("diverged", "The gradient is not finite."),
  failed: ended("failed", "The model has no finite output."),
  recovering: [
    ...base,
    { type: "device_lost", update: 30, message: "reset by the driver", recovering: true, resumeFrom: 28 },
  ],
  elsewhere: [
    ...([{ type: "stored_run_opened", runId: RUN, config: CONFIG, events: base }] as const).map((opened) => ({
      ...opened,
      ...{ update: 30, resuming: false, elsewhere: true },
    })),
  ],
};

const warning = (code: string, message: string, hint = ""): TrainerEvent => ({
  ...{ type: "warning", update: 30, code, message, hint },
});

/** What puts each kind of notice on the page, besides the states of a run. */
export const NOTICES: Readonly<
  Record<string, { events?: readonly ViewEvent[]; session?: Partial<ReturnType<typeof useSession.getState>> }>
> = {
  "a refused command": {
    session: {
      refused: {
        name: "ConfigError",
        code: "invalid_config",
        message: "actor.lr is 2.",
        hint: "Use at most 1.",
      },
    },
  },
  "a draft that was not restored": {
    session: {
      ofDraft: {
        title: "The configuration starts again",
        body: "It was saved by another version of the studio.",
      },
    },
  },
  "a long absence": { session: { away: { minutes: 12, updates: 40 } } },
  "storage trouble": {
    events: [...base, warning("storage", "A checkpoint could not be written.", "Free space on the disk.")],
  },
  "storage that works again": {
    events: [...base, warning("storage_works", "Checkpoints are written again.")],
  },
  "no storage": { events: [...base, warning("storage_volatile", "This browser stores nothing.")] },
  "a device that was lost again": {
    events: [
      ...base,
      { type: "device_lost", update: 30, message: "out of memory", recovering: false, resumeFrom: 28 },
      warning("device_unstable", "", "Use a smaller preset."),
    ],
  },
  "no device": {
    events: [
      ...base,
      warning("device_absent", "No graphics device became available again.", "Resume later."),
    ],
  },
  alarms: { events: [...base, ...alarmEvents(24)] },
  "an alarm that is over": {
    events: [...base, ...alarmEvents(24).slice(0, 1), ...alarmEvents(24).slice(0, 1).map(overOf)],
  },
};

function overOf(event: TrainerEvent): TrainerEvent {
  return event.type === "alarm" ? { ...event, update: 30, state: "over" } : event;
}

/** Stored runs, one for each way in which a run ends, and one that another tab trains. */
export const STORED: readonly StoredRun[] = (
  [undefined, "stopped", "failed", "diverged", "completed"] as const
).map((reason, i) => ({
  runId: `stored-${i}`,
  name: ["Interrupted", "Stopped", "Failed", "Diverged", "Finished"][i]!,
  update: reason === "completed" ? 60 : 30,
  totalUpdates: 60,
  savedAt: Date.now() - 4 * 60_000,
  config: CONFIG,
  elsewhere: false,
  recordingKept: false,
  events: [
    ...fakeRun(`stored-${i}`, CONFIG, 30),
    ...(reason ? [{ type: "run_finished", update: 30, reason } as const] : []),
  ],
}));

/** The check of the GPU in its states. */
export const GPU_CHECKS: Readonly<Record<string, GpuCheck>> = {
  "GPU check before": { state: "idle" },
  "GPU check running": { state: "running", done: 12, of: 77, label: "layernorm_backward" },
  "GPU check done": {
    state: "done",
    report: {
      verdict: "1 of 2 kernel variants failed on this device.",
      heads: ["kernel", "variant", "cases", "largest error", "tolerance", "result", "ms"],
      rows: [
        { label: "rope", ok: true, cells: ["rope", "all", "6", "7.1e-6", "1.0e-5", "ok", "12"] },
        {
          label: "linear_forward_staged",
          ok: false,
          cells: ["linear_forward", "hardware", "8", "3.1e+0", "3.3e-5", "FAILED", "40"],
        },
      ],
      text: "1 of 2 kernel variants failed on this device.",
    },
  },
  "GPU check failed": {
    state: "failed",
    error: {
      ...{ name: "GpuError", code: "adapter_lost" },
      message: "The graphics adapter was lost and has not come back yet.",
      hint: "Wait a few seconds and try again.",
    },
  },
  "GPU check interrupted": { state: "interrupted" },
};
