// `applyEvent` is the only place where what happened becomes what is shown: one small function for each type of event.
// No clock and no randomness here, so a recorded stream always rebuilds the same screen.
import { setPath } from "../../config/changes.ts";
import { RunConfig } from "../../config/run-config.ts";
import { sftUpdates } from "../../config/run-length.ts";
import { message, setting, value } from "../../core/message.ts";
import { findingOf } from "../../rl/alarms/alarm.ts";
import { type Stage, type StoredTrajectoryEvent, WORKS_AGAIN } from "../../training/events.ts";
import { formText, inForm } from "../settings/words.ts";
import { updateName } from "./progress.ts";
import {
  type EventMark,
  emptyView,
  hasBroken,
  hasEnded,
  isActive,
  KEPT_TRAJECTORIES,
  type Provenance,
  type RunChange,
  type RunNotice,
  type RunState,
  type RunView,
  type StageSpan,
  type StoredTrajectory,
  type UpdateCost,
  type ViewEvent,
} from "./run-view.ts";
import type { Series } from "./series.ts";

/** Updates whose costs are kept, for estimates. */
const KEPT_COSTS = 10;

/** The event of one type. */
type Event<T extends ViewEvent["type"]> = Extract<ViewEvent, { type: T }>;

/** What each type of event makes of the screen. */
type Appliers = { readonly [T in ViewEvent["type"]]: (view: RunView, event: Event<T>) => RunView };

/** The next screen. Series grow in place (copying them would be quadratic over a run); all else is replaced. */
export function applyEvent(view: RunView, event: ViewEvent): RunView {
  // A stored stream may contain types that this version does not know.
  const apply = appliers[event.type] as Appliers[ViewEvent["type"]] | undefined;
  return apply ? apply(view, event as never) : view;
}

const appliers: Appliers = {
  start_requested: (_view, { runId, config }) => ({ ...emptyView(), runId, config, state: "preparing" }),

  start_refused: (_view, event) => event.before,

  run_closed: () => emptyView(),

  stored_run_opened(_view, event) {
    const start: RunView = { ...emptyView(), runId: event.runId, config: event.config };
    const rebuilt = event.events.reduce<RunView>(applyEvent, start);
    // Whatever the run was doing when the page was closed, it is now resumed, or rests where it was saved.
    const ended = hasEnded(rebuilt.state) || hasBroken(rebuilt.state);
    const atRest = event.elsewhere ? "elsewhere" : ended ? rebuilt.state : "stopped";
    const state = event.resuming ? "preparing" : atRest;
    const broken = hasBroken(state);
    const error = broken ? rebuilt.error : null;
    // A broken run keeps the update at which it broke.
    const update = broken ? rebuilt.update : Math.min(rebuilt.update, event.update);
    // A stored run has a checkpoint, also where its log does not name it.
    const checkpoint = rebuilt.checkpoint ?? unnamed(event.update);
    const atStart = { prepare: [], phase: null, notices: [] };
    return { ...rebuilt, ...atStart, runId: event.runId, state, update, checkpoint, error };
  },

  taken_elsewhere(view, event) {
    return event.runId === view.runId && !isActive(view.state)
      ? { ...view, state: "elsewhere", error: null }
      : view;
  },

  trajectories_restored(view, event) {
    if (event.runId !== view.runId) return view;
    const present = new Set(view.trajectories.map(({ key }) => key));
    const restored = event.events.map((known) => stored(view, known)).filter(({ key }) => !present.has(key));
    const trajectories = [...view.trajectories, ...restored.reverse()].slice(0, KEPT_TRAJECTORIES);
    return { ...view, trajectories };
  },

  command: (view, event) => ({ ...view, state: afterCommand(view.state, event.command, event.status) }),

  continue(view, event) {
    if (event.status === "sent") return { ...view, state: "preparing", prepare: [], error: null };
    return { ...view, state: event.state, prepare: [], error: event.error };
  },

  settings_restored(view, event) {
    const { config, totalUpdates } = event;
    // A run that has gone on meanwhile reports its settings itself.
    if (event.runId !== view.runId || isActive(view.state)) return view;
    return { ...view, config, totalUpdates, stages: stagesOf(view, event) };
  },

  run_failed: (view, event) => ({
    ...withoutLoss(view),
    state: "failed",
    error: event.error,
    phase: null,
  }),

  notice_dismissed: (view, event) => ({
    ...view,
    notices: view.notices.filter((notice) => notice.id !== event.id),
    quiet: event.id.startsWith(ALARM_NOTICE) ? [...view.quiet, event.id] : view.quiet,
  }),

  run_started(view, event) {
    const again = view.runId === event.runId;
    const base = again ? view : { ...emptyView(), runId: event.runId };
    return {
      ...base,
      config: event.config,
      memory: event.memory,
      update: event.update,
      totalUpdates: event.totalUpdates,
      stages: stagesOf(base, event),
      state: isActive(base.state) && base.state !== "recovering" ? base.state : "preparing",
      resumedFrom: again && event.update > 0 ? event.update : null,
      deviceLost: false,
      error: null,
    };
  },

  prepare: (view, event) => ({
    ...view,
    prepare: event.steps,
    state: view.state === "idle" ? "preparing" : view.state,
  }),

  // All stages are announced when the run starts; `phase` and `metrics` say which one it is in.
  stage(view, { stage, firstUpdate, lastUpdate }) {
    const others = view.stages.filter((known) => known.stage !== stage);
    const stages = [...others, { stage, firstUpdate, lastUpdate }];
    return { ...view, stages: stages.sort((a, b) => a.firstUpdate - b.firstUpdate) };
  },

  phase: (view, event) => ({
    ...inStage(atWork(view), event.stage),
    phase: { phase: event.phase, update: event.update, done: event.done, of: event.of },
    // Updates that are computed again after a loss report no metrics, but their phases pass.
    update: Math.max(view.update, event.update - 1),
    state: whenWorking(view.state),
  }),

  metrics(view, event) {
    for (const [key, value] of Object.entries(event.values))
      view.series.set(ownedKey(key, event.stage), event.update, value);
    const cost = costOf(view, event);
    view.axes.tokens.set(event.update, event.tokens);
    view.axes.wallMs.set(event.update, event.wallMs);
    view.axes.episodes.set(event.update, event.episodes);
    view.axes.turns.set(event.update, turnsUntil(view, event, cost.episodes));
    const now = inStage(atWork(view), event.stage);
    return {
      ...now,
      update: event.update,
      phase: null,
      revision: view.revision + 1,
      costs: [...now.costs, cost].slice(-KEPT_COSTS),
      state: view.state === "stepping" ? "paused" : whenWorking(view.state),
    };
  },

  trajectory(view, event) {
    const newest = stored(view, event);
    const others = view.trajectories.filter((known) => known.key !== newest.key);
    return {
      ...view,
      trajectories: [newest, ...others].slice(0, KEPT_TRAJECTORIES),
      finishedEpisodes: view.finishedEpisodes + 1,
    };
  },

  validation(view, event) {
    const { metrics, ...report } = event.report;
    const table = report.temperature > 0 ? view.series : view.greedy;
    for (const [key, value] of Object.entries(metrics)) table.set(key, report.update, value);
    const others = view.validations.filter(
      (known) => known.update !== report.update || known.temperature !== report.temperature,
    );
    return {
      ...view,
      phase: null,
      validations: [...others, report].sort((a, b) => a.update - b.update),
      revision: view.revision + 1,
    };
  },

  checkpoint(view, { update, name, bytes, temporary }) {
    const saved = withSavedChanges({ ...view, checkpoint: { update, name, bytes } }, update);
    // There may be one after every update; a mark for each would hide all others.
    return temporary ? saved : withMark(saved, { update, kind: "checkpoint", text: `Checkpoint ${name}` });
  },

  config_changed(view, event) {
    const changed: RunView = {
      ...lengthened(view, event),
      config: view.config && withValue(view.config, event.path, event.to),
    };
    const { update, path, from, to } = event;
    if (event.automatic) return { ...changed, automatic: [...view.automatic, { path, from, to }] };
    const mark = { update, kind: "config", text: changeText(event), change: { path, from, to } } as const;
    return withMark(changed, mark);
  },

  sft_ended: (view, event) =>
    withMark(view, { update: event.update, kind: "stage", text: inForm(event).message }),

  rewound(view, event) {
    view.series.truncate(event.update);
    view.greedy.truncate(event.update);
    for (const axis of Object.values(view.axes)) axis.truncate(event.update);
    const holds = ({ update }: { update: number }) => update <= event.update;
    const back: RunView = {
      ...view,
      update: Math.min(view.update, event.update),
      revision: view.revision + 1,
      validations: view.validations.filter(holds),
      marks: view.marks.filter((mark) => isBefore(mark, event.update)),
      notices: view.notices.filter((notice) => (notice.update ?? 0) <= event.update),
      trajectories: view.trajectories.filter(holds),
      checkpoint: view.checkpoint && holds(view.checkpoint) ? view.checkpoint : unnamed(event.update),
      costs: [],
    };
    const text = `Went back from update ${event.from} to update ${event.update}`;
    return withMark(back, { update: event.update, kind: "went_back", text });
  },

  warning(view, event) {
    const { message: title, hint } = inForm(event);
    if (event.code === "device_absent") return withoutDevice(view, event);
    const isOver = event.code.endsWith(WORKS_AGAIN);
    const notice: RunNotice = {
      // What is over takes the place of the warning.
      id: `warning:${isOver ? event.code.slice(0, -WORKS_AGAIN.length) : event.code}`,
      tone: isOver ? "info" : "warning",
      title,
      body: `Seen at ${updateName(view, event.update)}.`,
      hint,
      // It goes when the run goes back to before it: the update that it is about is trained again.
      ...(event.code === "replies_cut" && { update: event.update }),
    };
    const noticed = event.code === "device_unstable" ? withAdvice(view, event) : withNotice(view, notice);
    return withMark(noticed, { update: event.update, kind: "warning", text: title });
  },

  /** One notice for each alarm, and none after it was dismissed; every time that it begins or ends leaves a mark. */
  alarm(view, event) {
    const marked = withMark(view, alarmMark(event));
    const notice = alarmNotice(view, event);
    const isShown = view.notices.some(({ id }) => id === notice.id);
    // The end of an alarm that is not on screen needs no notice.
    const isNews = event.state === "begun" ? !view.quiet.includes(notice.id) : isShown;
    return isNews ? withNotice(marked, notice) : marked;
  },

  device_lost(view, event) {
    const lost: RunView = {
      ...withNotice(view, deviceLostNotice(view, event)),
      state: event.recovering ? "recovering" : "paused",
      deviceLost: true,
      phase: null,
      update: Math.min(view.update, event.resumeFrom),
      prepare: [],
    };
    return withMark(lost, { update: event.update, kind: "device_lost", text: "Graphics device lost" });
  },

  paused(view, event) {
    // A stop that was requested meanwhile will end the run.
    return isActive(view.state) && view.state !== "stopping"
      ? { ...view, state: "paused", deviceLost: false, phase: null, prepare: [], update: event.update }
      : view;
  },

  run_finished: (view, { reason, update, error = null }) => ({
    ...withoutLoss(view),
    state: reason === "completed" ? "finished" : reason,
    update,
    phase: null,
    prepare: [],
    error,
  }),
};

/** "“Actor learning rate”: 0.0004 → 0.001"; a weight of a term may come and go. */
function changeText({ path, from, to }: Event<"config_changed">): string {
  const [old, next] = [value(path, from), value(path, to)];
  const change =
    from === undefined
      ? message`set to ${next}`
      : to === undefined
        ? message`${old} removed`
        : message`${old} → ${next}`;
  return formText(message`${setting(path)}: ${change}`);
}

/** Signs of work turn a preparing run into a running one; they do not end a requested pause. */
function whenWorking(state: RunState): RunState {
  return state === "preparing" || state === "recovering" || state === "idle" ? "running" : state;
}

/** The state that a command leads to: at once when sent (the page answers within a frame), settled when done. */
function afterCommand(
  state: RunState,
  command: Event<"command">["command"],
  status: Event<"command">["status"],
): RunState {
  // The worker may have ended the run meanwhile; an answer that arrives late changes nothing then.
  if (!isActive(state)) return state;
  switch (command) {
    case "pause":
      if (status === "sent") return "pausing";
      if (status === "done") return state === "pausing" || state === "recovering" ? "paused" : state;
      return state === "pausing" ? "running" : state;
    case "resume":
      if (status === "sent") return "running";
      // A later command, such as a pause, overrides this answer.
      return status === "refused" && state === "running" ? "paused" : state;
    case "step":
      if (status === "sent") return "stepping";
      return state === "stepping" || state === "recovering" ? "paused" : state;
    case "stop":
      return status === "refused" && state === "stopping" ? "paused" : "stopping";
  }
}

/** The view in a stage. Updates of another stage cost differently, so estimates start again. */
function inStage(view: RunView, stage: Stage): RunView {
  return view.stage === stage ? view : { ...view, stage, costs: [] };
}

/** A trajectory with who played it, under a key of its own. */
function stored(
  view: RunView,
  { update, source: from, trajectory }: StoredTrajectoryEvent,
): StoredTrajectory {
  const source: Provenance = from === "train" && isSft(view, update) ? "demonstration" : from;
  const key = source === "validation" ? `${trajectory.id}@${update}` : trajectory.id;
  return { key, update, source, trajectory };
}

const isSft = (view: RunView, update: number): boolean =>
  view.stages.some((span) => span.stage === "warmup" && update <= span.lastUpdate);

/** Metrics of the episodes of an update, rather than of the policy's parameters. */
const OF_EPISODES =
  /^(((grounding|worldmodeling|surroundings)_accuracy|surroundings_(miss|false_alarm))(\/|$)|(train|reward|critic\/score|num_turns|conversations|response_length|diversity|custom_metrics)\/)/;

/**
 * During SFT the episodes are the teacher's demonstrations. Their success is not the policy's and must not be
 * drawn as if it were, so it is kept under a name of its own.
 */
function ownedKey(key: string, stage: Stage): string {
  return stage === "warmup" && OF_EPISODES.test(key) ? `demonstrations/${key}` : key;
}

/** What an update cost: the growth of the run's totals since the update before it. */
function costOf(view: RunView, event: Event<"metrics">): UpdateCost {
  const before = (series: Series) => series.at(event.update - 1) ?? 0;
  return {
    wallMs: event.wallMs - before(view.axes.wallMs),
    tokens: event.tokens - before(view.axes.tokens),
    episodes: event.episodes - before(view.axes.episodes),
  };
}

/** Turns that the policy has played until the end of an update. Demonstrations are a script's, and count as none. */
function turnsUntil(view: RunView, { update, values }: Event<"metrics">, episodes: number): number {
  return (view.axes.turns.at(update - 1) ?? 0) + Math.round((values["num_turns/mean"] ?? 0) * episodes);
}

function withMark(view: RunView, mark: EventMark): RunView {
  const known = view.marks.some(
    (other) => other.update === mark.update && other.kind === mark.kind && other.text === mark.text,
  );
  return known ? view : { ...view, marks: [...view.marks, mark] };
}

/** The view of a run that trains. Marks the update at which a resumed run trains again. */
function atWork(before: RunView): RunView {
  const view = before.deviceLost ? { ...before, deviceLost: false } : before;
  const { resumedFrom: update } = view;
  if (update === null) return view;
  return withMark(
    { ...view, resumedFrom: null },
    { update, kind: "resumed", text: `Resumed from update ${update}` },
  );
}

/**
 * A stored checkpoint that no event has named. A run goes back only to a stored one, which may be older than the last that the page knows:
 * the newer ones are damaged, or were deleted without an event when the run diverged. Without it, a run that ends again before it
 * has saved anything could not be continued.
 */
const unnamed = (update: number): NonNullable<RunView["checkpoint"]> => ({ update, name: "", bytes: 0 });

/** The view when a checkpoint of `update` is saved: it holds the settings that were changed after that update until now. */
function withSavedChanges(view: RunView, update: number): RunView {
  const isSaved = (mark: EventMark) => mark.change !== undefined && mark.update === update && !mark.isSaved;
  if (!view.marks.some(isSaved)) return view;
  return { ...view, marks: view.marks.map((mark) => (isSaved(mark) ? { ...mark, isSaved: true } : mark)) };
}

/** Whether the checkpoint of `update` knows of a mark. A setting that was changed after the checkpoint was saved is not in it. */
function isBefore(mark: EventMark, update: number): boolean {
  if (mark.change && mark.update === update) return mark.isSaved === true;
  return (mark.knownAt ?? mark.update) <= update;
}

/** The stages of a run with these settings: going back may have undone a change of their lengths. */
function stagesOf(
  { stages }: RunView,
  { config, totalUpdates }: Pick<Event<"run_started">, "config" | "totalUpdates">,
): StageSpan[] {
  const ofSft = stages.some(({ stage }) => stage === "warmup") ? sftUpdates(config) : 0;
  return stages.map((span) =>
    span.stage === "warmup"
      ? { ...span, lastUpdate: ofSft }
      : { ...span, firstUpdate: ofSft + 1, lastUpdate: totalUpdates },
  );
}

function withNotice(view: RunView, notice: RunNotice): RunView {
  return { ...view, notices: [...view.notices.filter((other) => other.id !== notice.id), notice] };
}

const ALARM_NOTICE = "alarm:";

function alarmMark(event: Event<"alarm">): EventMark {
  const { title, update, began } = event;
  if (event.state === "over") return { update, kind: "alarm_over", text: `Over: ${title}` };
  const text = `${title} began (${findingOf(event)})`;
  return { update: began, kind: "alarm", text, knownAt: update, severity: event.severity };
}

/** Updates within which a changed setting may be the cause of an alarm. */
const SHORTLY = 10;

/** The settings that were changed shortly before an update, newest first: of each its last change. */
function changesBefore({ marks }: RunView, began: number): RunChange[] {
  const changes = marks.flatMap(({ update, change }) =>
    change && update < began && update >= began - SHORTLY ? [{ update, ...change }] : [],
  );
  return changes
    .reverse()
    .filter(({ path }, i, all) => all.findIndex((newest) => newest.path === path) === i);
}

function alarmNotice(view: RunView, event: Event<"alarm">): RunNotice {
  const { alarm, title, began, update, severity, meaning, remedy } = event;
  const id = `${ALARM_NOTICE}${alarm}`;
  const beginning = updateName(view, began);
  if (event.state === "over") {
    const at = began > 0 ? `at ${beginning}` : "before the first update";
    const body = `It began ${at} (${findingOf(event)}) and was over at ${updateName(view, update)}.`;
    return {
      id,
      tone: "info",
      title: `Over: ${title}`,
      body,
      hint: "",
      update,
      alarm: `${nameOf(title)} (over)`,
    };
  }
  const body = sentence(findingOf(event));
  const hint = `${meaning} ${remedy}`;
  const since = `${title}, ${began > 0 ? `since ${beginning}` : "from the start"}`;
  const changes = changesBefore(view, began);
  return { id, tone: severity, title: since, body, hint, update, began, alarm: nameOf(title), changes };
}

/** "Echo" of "Echo: replies repeat themselves". */
const nameOf = (title: string): string => title.replace(/:.*/, "");

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

function deviceLostNotice(view: RunView, event: Event<"device_lost">): RunNotice {
  const { resumeFrom, recovering, message: details } = event;
  const saved =
    resumeFrom > 0
      ? `The run is saved at ${updateName(view, resumeFrom)}.`
      : "No update of the run has been saved yet.";
  if (!recovering)
    return {
      id: "device_lost",
      tone: "danger",
      title: "The graphics device was lost again",
      body: `${saved} Training is paused, because the device was lost several times without a new update in between.`,
      hint: "",
      details,
    };
  return {
    id: "device_lost",
    tone: "warning",
    title: "The graphics device was lost",
    body: `${saved} Training ${resumeFrom > 0 ? "resumes from there" : "starts again"} on a new device.`,
    hint: "This happens after a driver update, a long sleep, or when another program takes the GPU. You do not need to do anything.",
    details,
  };
}

/** The view of a run that ends. One without a device was not rebuilt, as the notice of the loss promised; advice for the next run stays. */
function withoutLoss(view: RunView): RunView {
  if (!view.deviceLost) return view;
  const isPromise = ({ id, tone }: RunNotice) => id === "device_lost" && tone === "warning";
  return { ...view, deviceLost: false, notices: view.notices.filter((notice) => !isPromise(notice)) };
}

/** The device is lost again and again: the notice of the loss says what helps, which depends on how it was lost. */
function withAdvice(view: RunView, { hint = "" }: Event<"warning">): RunView {
  const notices = view.notices.map((notice) => (notice.id === "device_lost" ? { ...notice, hint } : notice));
  return { ...view, notices };
}

/** No device came back: this replaces the notice of the loss, which promised one, and the run is paused. */
function withoutDevice(view: RunView, event: Event<"warning">): RunView {
  const notice: RunNotice = {
    id: "device_lost",
    tone: "danger",
    title: "Training is paused",
    body: event.message,
    hint: event.hint ?? "",
  };
  const paused: RunView = { ...withNotice(view, notice), state: "paused", phase: null, prepare: [] };
  return withMark(paused, { update: event.update, kind: "warning", text: event.message });
}

/** The configuration with one value changed, unless that makes no configuration: a stored event may name any path. */
function withValue(config: RunConfig, path: string, value: unknown): RunConfig {
  const changed = setPath(config, path, value);
  return RunConfig.safeParse(changed).success ? changed : config;
}

/** The run's length and its stages follow the two counts of updates. */
function lengthened(view: RunView, { path, from, to }: Event<"config_changed">): RunView {
  const ofSft = path === "sft.total_updates";
  // A run that started from a checkpoint has no SFT to lengthen.
  if (ofSft && !view.stages.some((span) => span.stage === "warmup")) return view;
  if ((!ofSft && path !== "trainer.total_updates") || typeof from !== "number" || typeof to !== "number")
    return view;
  const more = to - from;
  const stages = view.stages.map((span) => {
    if (span.stage === "ppo")
      return {
        ...span,
        firstUpdate: span.firstUpdate + (ofSft ? more : 0),
        lastUpdate: span.lastUpdate + more,
      };
    return ofSft ? { ...span, lastUpdate: span.lastUpdate + more } : span;
  });
  return { ...view, totalUpdates: view.totalUpdates + more, stages };
}
