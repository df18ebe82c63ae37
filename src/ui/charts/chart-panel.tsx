// All charts of the run, by group, with the tools that concern them all. This file and Recharts are one lazy chunk.
import { Download } from "lucide-react";
import { type ReactNode, useId, useMemo } from "react";
import { useNavigate } from "react-router";
import { entryNames } from "../../config/entries.ts";
import { setNames } from "../../config/levels.ts";
import { IconButton, Segmented } from "../components/controls.tsx";
import { useWidth } from "../components/use-size.ts";
import { saveFile } from "../lib/save-file.ts";
import { numberingText, sftEnd } from "../store/progress.ts";
import { runStore, useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import type { XAxis, XRange } from "../store/view-options.ts";
import { type ChartSection, chartsToShow, quietKeys } from "./catalog.ts";
import { ChartCard } from "./chart-card.tsx";
import { CompareButton, ComparedRuns, useComparedRuns } from "./compare.tsx";
import { metricsCsv } from "./csv.ts";
import { MarksLegend } from "./marks-legend.tsx";

const GAP = 12;
const MIN_WIDTH = 320;
const HEIGHT = 190;

const X_AXES = [
  { value: "update", label: "Update" },
  {
    value: "turns",
    label: (
      <span title="Environment steps: turns that the policy has played, from the first PPO update on">
        Turns
      </span>
    ),
  },
  { value: "tokens", label: "Tokens" },
  { value: "time", label: <span title="Time of training, without validations">Time</span> },
] as const satisfies readonly { value: XAxis; label: ReactNode }[];

const RANGES = [
  { value: "stage", label: "This stage" },
  { value: "run", label: "Whole run" },
] as const satisfies readonly { value: XRange; label: string }[];

export default function ChartPanel() {
  const [ref, width] = useWidth<HTMLDivElement>();
  const x = useUi((ui) => ui.chartX);
  const range = useUi((ui) => ui.chartRange);
  const smoothing = useUi((ui) => ui.smoothing);
  const sections = useSections();
  const compared = useComparedRuns();
  const navigate = useNavigate();
  const columns = Math.max(1, Math.min(3, Math.floor((width + GAP) / (MIN_WIDTH + GAP))));
  const cardWidth = Math.floor((width - GAP * (columns - 1)) / columns);
  const openEpisodes = (update: number) => navigate(`/trace?update=${update}`);
  return (
    <div className="flex flex-col gap-3">
      <Toolbar />
      <Legend />
      <ComparedRuns runs={compared} />
      <div ref={ref} className="flex flex-col gap-4">
        {width > 0 &&
          sections.map(({ group, charts }) => (
            <ChartGroup key={group} group={group} count={charts.length}>
              <div
                className="grid gap-3"
                style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
              >
                {charts.map((chart) => (
                  <ChartCard
                    key={chart.id}
                    chart={chart}
                    x={x}
                    range={range}
                    smoothing={smoothing}
                    compared={compared}
                    width={cardWidth}
                    height={HEIGHT}
                    onOpen={openEpisodes}
                  />
                ))}
              </div>
            </ChartGroup>
          ))}
      </div>
    </div>
  );
}

/** The sections, with the same objects until a metric appears or becomes informative: charts are memoised on them. */
function useSections(): readonly ChartSection[] {
  const sftTarget = useRun((view) => view.config?.sft.target_accuracy);
  const format = useRun((view) => view.config?.rollout.prompt_format);
  // As text, which is equal as long as the names are.
  const names = useRun(({ config }) =>
    JSON.stringify(config ? [entryNames(config), setNames(config)] : [[], []]),
  );
  const content = useRun(({ runId, series, stage, validations }) =>
    [runId, series.keys.length, quietKeys(series).length, stage, validations.length > 0].join(" "),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` is when the store is read, and at no other time
  return useMemo(() => {
    const { series, stage } = runStore.getState();
    const [environments, sets] = JSON.parse(names);
    return chartsToShow(series, stage, sftTarget, environments, format, sets);
  }, [content, sftTarget, names, format]);
}

function ChartGroup({ group, count, children }: { group: string; count: number; children: React.ReactNode }) {
  const closed = useUi((ui) => ui.chartGroupsClosed);
  const open = !closed.includes(group);
  const toggle = (nowOpen: boolean) =>
    setUi({ chartGroupsClosed: nowOpen ? closed.filter((other) => other !== group) : [...closed, group] });
  return (
    <details
      open={open}
      onToggle={(event) => event.currentTarget.open !== open && toggle(event.currentTarget.open)}
    >
      <summary className="mb-2 w-fit rounded text-dense text-muted">
        <h2 className="inline font-semibold text-text">{group}</h2> {count}
      </summary>
      {open && children}
    </details>
  );
}

function Toolbar() {
  const x = useUi((ui) => ui.chartX);
  const range = useUi((ui) => ui.chartRange);
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2 text-dense">
      <Segmented name="Horizontal axis" value={x} choices={X_AXES} onChange={(chartX) => setUi({ chartX })} />
      <Segmented
        name="Range"
        value={range}
        choices={RANGES}
        onChange={(chartRange) => setUi({ chartRange })}
      />
      {x === "update" && <SftUpdates />}
      <Smoothing />
      <span className="ml-auto">
        <IconButton icon={Download} name="All numbers of the run (CSV)" small onClick={downloadMetrics} />
      </span>
    </div>
  );
}

/** On lines of its own, which have their height while a run is under way: its words come during the run, and the charts must not move. */
function Legend() {
  const marks = useRun((view) => view.marks);
  const grows = useRun(({ state }) => isActive(state));
  return (
    <div className="-mt-1 flex items-start justify-between gap-3">
      <div
        className={`flex flex-wrap content-start items-center gap-x-3 gap-y-1 sm:min-h-5 ${grows ? "max-sm:min-h-11" : ""}`}
      >
        <MarksLegend marks={marks} />
      </div>
      <CompareButton />
    </div>
  );
}

function downloadMetrics(): void {
  const view = runStore.getState();
  saveFile(`${view.runId ?? "run"}.csv`, new Blob([metricsCsv(view)], { type: "text/csv" }));
}

function SftUpdates() {
  const last = useRun(sftEnd);
  const numbering = useRun(numberingText);
  if (last === 0) return null;
  return (
    <span className="nums text-caption text-muted" title={numbering}>
      SFT: 1–{last}
    </span>
  );
}

function Smoothing() {
  const smoothing = useUi((ui) => ui.smoothing);
  const shown = smoothing ?? 0.6;
  const id = useId();
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        Smoothing
      </label>
      <input
        id={id}
        type="range"
        className="range w-14"
        min={0}
        max={0.99}
        step={0.01}
        value={shown}
        aria-valuetext={smoothing === null ? "each chart's own" : `EMA ${smoothing}`}
        onChange={(event) => setUi({ smoothing: Number(event.target.value) })}
      />
      <span className="nums w-18 whitespace-nowrap text-muted">
        {smoothing === null ? "per chart" : `EMA ${smoothing}`}
      </span>
      {smoothing !== null && (
        <button type="button" className="btn btn-quiet btn-small" onClick={() => setUi({ smoothing: null })}>
          Reset
        </button>
      )}
    </span>
  );
}
