// What the run is doing, on every route while there is one.
import { Check, CircleAlert, CircleDot, LoaderCircle, Pause, Play, StepForward } from "lucide-react";
import { Chip } from "../components/controls.tsx";
import { formatBytes, formatCount, formatDurationRange, formatNumber } from "../lib/format.ts";
import { pauseRun, resumeRun, stepRun } from "../session/session.ts";
import {
  barProgress,
  barText,
  etaOfStage,
  numberingText,
  pace,
  sftEnd,
  stageProgress,
} from "../store/progress.ts";
import {
  controlsFor,
  phaseExplains,
  phaseText,
  RUN_FACES,
  STAGE_EXPLAINS,
  STAGE_TITLES,
} from "../store/run-state.ts";
import { useRun } from "../store/run-store.ts";
import {
  canGoOn,
  hasBroken,
  hasEnded,
  isActive,
  type RunState,
  type RunView,
  takesChanges,
} from "../store/run-view.ts";
import { ContinueButton } from "../train/continue-button.tsx";
import { DownloadButton } from "../train/download-button.tsx";
import { EndRun } from "./end-run.tsx";

const WORKING: ReadonlySet<RunState> = new Set([
  "preparing",
  "pausing",
  "stepping",
  "stopping",
  "recovering",
]);

export function RunStrip({ onStop }: { onStop: () => void }) {
  const state = useRun((view) => view.state);
  const name = useRun((view) => view.config?.name ?? "run");
  // A run at rest has none.
  const memory = useRun((view) => (isActive(view.state) ? (view.memory?.total ?? 0) : 0));
  if (state === "idle") return null;
  return (
    <section
      data-testid="run-strip"
      data-run-strip
      aria-label="Run"
      className="run-strip stuck-top sticky top-(--header-height) z-20 border-b border-line bg-panel"
    >
      <div className="mx-auto flex h-(--strip-height) max-w-[1760px] items-center gap-3 px-4 text-dense">
        <span className="hidden min-w-0 items-center gap-2 lg:flex">
          <span className="size-2.5 flex-none rounded-full bg-(--run-1)" aria-hidden />
          <span className="max-w-48 truncate font-semibold xl:max-w-96" title={name}>
            {name}
          </span>
        </span>
        <Doing state={state} />
        <Pace />
        {memory > 0 && (
          <span
            className="nums hidden whitespace-nowrap text-muted xl:inline"
            title="GPU memory that the run allocates"
          >
            {formatBytes(memory)}
          </span>
        )}
        <Controls state={state} onStop={onStop} />
      </div>
      <ProgressBar />
    </section>
  );
}

/** State, stage, progress and phase. Below the widest screens the phase has a line of its own, which never widens the part. */
function Doing({ state }: { state: RunState }) {
  return (
    <span className="flex min-w-min flex-1 flex-col whitespace-nowrap xl:flex-row xl:items-center xl:gap-2">
      <span className="flex items-center gap-3">
        <StateChip state={state} />
        <StageChip />
        <Progress />
      </span>
      <PhaseLine />
    </span>
  );
}

function StateChip({ state }: { state: RunState }) {
  const { word, tone } = RUN_FACES[state];
  return (
    <Chip tone={tone}>
      <StateIcon state={state} />
      {word}
    </Chip>
  );
}

function StateIcon({ state }: { state: RunState }) {
  const icon = { size: 13, "aria-hidden": true } as const;
  if (WORKING.has(state)) return <LoaderCircle {...icon} className="animate-spin" />;
  if (state === "running") return <Play {...icon} />;
  if (state === "paused") return <Pause {...icon} />;
  if (state === "finished") return <Check {...icon} />;
  if (hasBroken(state)) return <CircleAlert {...icon} />;
  return <CircleDot {...icon} />;
}

function StageChip() {
  const stage = useRun((view) => view.stage);
  if (!stage) return null;
  return (
    <span className="hidden sm:inline-flex">
      <Chip title={STAGE_EXPLAINS[stage]}>{STAGE_TITLES[stage]}</Chip>
    </span>
  );
}

function Progress() {
  const done = useRun((view) => stageProgress(view).done);
  const of = useRun((view) => stageProgress(view).of);
  const numbering = useRun(numberingText);
  const total = useRun((view) => view.totalUpdates);
  if (total === 0) return null;
  return (
    <span className="nums" title={numbering || undefined}>
      <span className="hidden sm:inline">update </span>
      <span className="font-semibold">{done}</span>
      <span className="text-muted"> / {of}</span>
    </span>
  );
}

function PhaseLine() {
  const phase = useRun(phaseText);
  const explained = useRun(phaseExplains);
  const isBusy = useRun((view) => takesChanges(view) && view.state !== "paused");
  if (!phase && !isBusy) return null;
  return (
    // Between two phases the line stays, so that nothing above it moves.
    <span
      className="nums min-h-4 w-0 min-w-full truncate text-caption text-muted xl:w-auto xl:min-w-0 xl:text-dense"
      title={explained || undefined}
    >
      {phase && <span className="hidden xl:inline">· </span>}
      {phase}
    </span>
  );
}

function Pace() {
  // Costs change identity only when an update ends, so this renders once an update.
  const costs = useRun((view) => view.costs);
  const left = useRun(etaText);
  const isTraining = useRun(takesChanges);
  const speed = isTraining ? pace(costs) : null;
  return (
    <span className="nums hidden items-center gap-4 whitespace-nowrap text-muted lg:flex">
      {left && <span>{left}</span>}
      {speed && (
        <span className="hidden xl:inline">
          {formatCount(speed.tokens)} tokens/s
          {speed.episodes > 0 && ` · ${formatNumber(speed.episodes, 2)} episodes/s`}
        </span>
      )}
    </span>
  );
}

/** "about 4–5 min left in SFT"; while too little is known, "estimating…". */
export function etaText(view: RunView): string {
  if (view.state !== "running" && view.state !== "stepping" && view.state !== "paused") return "";
  if (!view.stage) return "";
  const eta = etaOfStage(view);
  if (!eta) return view.update < view.totalUpdates ? "estimating…" : "";
  return `about ${formatDurationRange(eta.low, eta.high)} left in ${view.stage === "ppo" ? "PPO" : "SFT"}`;
}

function Controls({ state, onStop }: { state: RunState; onStop: () => void }) {
  const can = controlsFor(state);
  return (
    <span className="flex flex-none items-center gap-1.5">
      <GoesOn state={state} />
      <button
        type="button"
        className="btn btn-small hidden sm:inline-flex"
        onClick={stepRun}
        disabled={!can.step}
        title="One update, then paused (N)"
      >
        <StepForward size={14} aria-hidden /> Step
      </button>
      <EndRun state={state} onStop={onStop} />
      <DownloadButton />
    </span>
  );
}

/** Pauses a run, or goes on with one that is paused or was stopped. */
function GoesOn({ state }: { state: RunState }) {
  const can = controlsFor(state);
  const wasStopped = useRun(
    (view) => hasEnded(view.state) && canGoOn(view) && view.update < view.totalUpdates,
  );
  if (wasStopped) return <ContinueButton />;
  return can.resume ? (
    <button type="button" data-goes-on className="btn btn-small" onClick={resumeRun} title="Resume (P)">
      <Play size={14} aria-hidden /> Resume
    </button>
  ) : (
    <button
      type="button"
      data-goes-on
      className={`btn btn-small ${isActive(state) ? "" : "max-sm:hidden"}`}
      onClick={pauseRun}
      disabled={!can.pause}
      title="Pause (P)"
    >
      <Pause size={14} aria-hidden /> Pause
    </button>
  );
}

/** The whole run as a line, with a notch where SFT ends. */
function ProgressBar() {
  const counted = useRun((view) => barProgress(view).counted);
  const done = useRun((view) => barProgress(view).done);
  const of = useRun((view) => barProgress(view).of);
  const text = useRun(barText);
  const ofSft = useRun(sftEnd);
  const isBroken = useRun((view) => hasBroken(view.state));
  if (of === 0) return null;
  const part = (value: number) => `${Math.min(100, (100 * value) / of)}%`;
  const isOfUpdates = counted === "updates";
  return (
    <div
      className="relative h-[3px] bg-line"
      role="progressbar"
      aria-label={isOfUpdates ? "Updates done" : "Episodes of the first validation"}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={done}
      // A percentage otherwise, which stands still in every phase of an update.
      aria-valuetext={text}
    >
      {/* Episodes have another color: at their end the line begins again, with updates. */}
      <div
        className={`h-full ${isBroken ? "bg-danger" : isOfUpdates ? "bg-accent" : "bg-muted"}`}
        style={{ width: part(done) }}
      />
      {isOfUpdates && ofSft > 0 && ofSft < of && (
        <div
          className="absolute top-0 h-full w-[2px] bg-text"
          style={{ left: part(ofSft) }}
          title={`SFT ends at update ${ofSft}`}
        />
      )}
    </div>
  );
}
