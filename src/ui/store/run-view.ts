// The screen of a run, as apply-event.ts folds it from events.
import type { ConfigChange } from "../../config/changes.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { SerializedError } from "../../core/errors.ts";
import type { Trajectory } from "../../core/types.ts";
import type {
  MemoryPlan,
  Phase,
  PrepareStep,
  Stage,
  StoredTrajectoryEvent,
  TrainerEvent,
  ValidationReport,
} from "../../training/events.ts";
import { Series, SeriesTable } from "./series.ts";

export type RunState =
  | "idle"
  | "preparing"
  | "running"
  | "pausing"
  | "paused"
  | "stepping"
  | "stopping"
  | "stopped"
  | "finished"
  | "diverged"
  | "failed"
  | "recovering"
  /** On screen as it was last saved, while another tab trains it. */
  | "elsewhere";

/** States in which a worker holds the run, so another cannot be started. */
const ACTIVE: ReadonlySet<RunState> = new Set([
  "preparing",
  "running",
  "pausing",
  "paused",
  "stepping",
  "stopping",
  "recovering",
]);

/** States in which a run has ended as it should. */
export const hasEnded = (state: RunState): boolean => state === "finished" || state === "stopped";
/** States in which a run has ended as it should not. */
export const hasBroken = (state: RunState): boolean => state === "diverged" || state === "failed";
/** A run that has ended and has a checkpoint can be continued. */
export const canGoOn = ({ state, checkpoint }: Pick<RunView, "state" | "checkpoint">): boolean =>
  (hasEnded(state) || hasBroken(state)) && checkpoint !== null;
export const isActive = (state: RunState): boolean => ACTIVE.has(state);
/** Whether the run takes changes of its settings: it is active and built, and its device is there. */
export const takesChanges = ({ state, deviceLost }: Pick<RunView, "state" | "deviceLost">): boolean =>
  isActive(state) && state !== "preparing" && !deviceLost;

export interface StageSpan {
  stage: Stage;
  firstUpdate: number;
  lastUpdate: number;
}

type MarkKind =
  | "checkpoint"
  | "config"
  | "stage"
  | "warning"
  | "alarm"
  | "alarm_over"
  | "device_lost"
  | "went_back"
  | "resumed";

/** Something that happened at an update: a line in the log and a vertical mark on every chart. */
export interface EventMark {
  update: number;
  kind: MarkKind;
  text: string;
  /** The update after which it was known, where that is a later one. */
  knownAt?: number;
  /** Of an alarm. */
  severity?: "warning" | "danger";
  /** Of a setting that was changed. */
  change?: ConfigChange;
  /** The change is in the checkpoint of the update after which it was made. Going back to that update keeps it. */
  isSaved?: true;
}

/** A setting that was changed after an update. */
export interface RunChange extends ConfigChange {
  update: number;
}

/** A condition that lasts until it is resolved or dismissed. */
export interface RunNotice {
  /** One notice for each id; a newer one replaces it. */
  id: string;
  tone: "info" | "warning" | "danger";
  title: string;
  body: string;
  hint: string;
  /** In the browser's own words, for those who want to help. */
  details?: string;
  /** The update after which it was given, of what goes when the run goes back to before it. */
  update?: number;
  /** Of an alarm: the update with which it began. */
  began?: number;
  /** Of an alarm: its name, which stands for it where several are on one line. */
  alarm?: string;
  /** Settings that were changed shortly before it, newest first. */
  changes?: readonly RunChange[];
}

/** Who played: the policy in training or on validation levels, or the teacher whose demonstrations it imitates. */
export type Provenance = "train" | "validation" | "demonstration";

export interface StoredTrajectory {
  /** Unique in the run: a validation plays the same episodes again and again. */
  key: string;
  update: number;
  source: Provenance;
  trajectory: Trajectory;
}

/** A validation without its metrics, which are columns of numbers: as objects they would be most of a long run's memory. */
export type Validation = Omit<ValidationReport, "metrics">;

/** What recent updates of the current stage cost, newest last. */
export interface UpdateCost {
  wallMs: number;
  tokens: number;
  episodes: number;
}

export interface RunView {
  runId: string | null;
  state: RunState;
  config: RunConfig | null;
  memory: MemoryPlan | null;
  prepare: readonly PrepareStep[];
  stage: Stage | null;
  stages: readonly StageSpan[];
  phase: { phase: Phase; update: number; done: number; of: number } | null;
  update: number;
  totalUpdates: number;
  /** Rises whenever `series` or `axes` changed in place. */
  revision: number;
  series: SeriesTable;
  /** Metrics of greedy validations. Sampled ones share their names; those are in `series`, as what was trained. */
  greedy: SeriesTable;
  /** Running totals by update, for the other x-axes and for what an update cost. */
  axes: { tokens: Series; wallMs: Series; episodes: Series; turns: Series };
  validations: readonly Validation[];
  marks: readonly EventMark[];
  /** Changes that the run itself made of its settings, oldest first. */
  automatic: readonly ConfigChange[];
  notices: readonly RunNotice[];
  /** Notices of alarms that were dismissed: in this run they are not given again. */
  quiet: readonly string[];
  /** Newest first, at most `KEPT_TRAJECTORIES`. */
  trajectories: readonly StoredTrajectory[];
  finishedEpisodes: number;
  costs: readonly UpdateCost[];
  checkpoint: { update: number; name: string; bytes: number } | null;
  /** The update that the run was resumed from, until it trains: it may wait there, paused. */
  resumedFrom: number | null;
  /** From the loss of the graphics device until the run is rebuilt on another. */
  deviceLost: boolean;
  error: SerializedError | null;
}

/** What the page itself did; folded with the trainer's events, so that state has one author. */
type LocalEvent =
  | { type: "start_requested"; runId: string; config: RunConfig }
  /** The run could not start; the view before the request is restored. */
  | { type: "start_refused"; before: RunView }
  | {
      type: "stored_run_opened";
      runId: string;
      config: RunConfig;
      events: readonly TrainerEvent[];
      /** Updates done in its checkpoint; the events may contain later ones, which are lost. */
      update: number;
      /** It is resumed, rather than only opened to read. */
      resuming: boolean;
      /** Another tab trains it. */
      elsewhere: boolean;
    }
  /** Another tab trains the run that rests on this screen. */
  | { type: "taken_elsewhere"; runId: string }
  /** Trajectories of an earlier session, oldest first. */
  | { type: "trajectories_restored"; runId: string; events: readonly StoredTrajectoryEvent[] }
  | {
      type: "command";
      command: "pause" | "resume" | "step" | "stop";
      status: "sent" | "done" | "refused";
    }
  /** A run that has ended is being continued. */
  | { type: "continue"; status: "sent" }
  /** It cannot, and stays ended. */
  | { type: "continue"; status: "refused"; state: RunState; error: SerializedError | null }
  /** It went back and was not built there: it has the settings of the checkpoint that is left. */
  | { type: "settings_restored"; runId: string; config: RunConfig; totalUpdates: number }
  | { type: "run_failed"; error: SerializedError }
  /** The run at rest leaves the screen. */
  | { type: "run_closed" }
  | { type: "notice_dismissed"; id: string };

export type ViewEvent = TrainerEvent | LocalEvent;

export const KEPT_TRAJECTORIES = 240;

export function emptyView(): RunView {
  return {
    runId: null,
    state: "idle",
    config: null,
    memory: null,
    prepare: [],
    stage: null,
    stages: [],
    phase: null,
    update: 0,
    totalUpdates: 0,
    revision: 0,
    series: new SeriesTable(),
    greedy: new SeriesTable(),
    axes: { tokens: new Series(), wallMs: new Series(), episodes: new Series(), turns: new Series() },
    validations: [],
    marks: [],
    automatic: [],
    notices: [],
    quiet: [],
    trajectories: [],
    finishedEpisodes: 0,
    costs: [],
    checkpoint: null,
    resumedFrom: null,
    deviceLost: false,
    error: null,
  };
}
