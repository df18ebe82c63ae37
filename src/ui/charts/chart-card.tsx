// One chart with its title, its latest value, its explanation and its numbers as a table.
import { Download, Table2 } from "lucide-react";
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Dialog, Explain, IconButton } from "../components/controls.tsx";
import { formatNumber, formatPercent, singular } from "../lib/format.ts";
import { saveFile } from "../lib/save-file.ts";
import { findMetric, type Metric } from "../metrics/dictionary.ts";
import { runStore } from "../store/run-store.ts";
import type { XAxis, XRange } from "../store/view-options.ts";
import { type ChartSpec, VALIDATION_SUCCESS, validatedLines } from "./catalog.ts";
import { chartPng } from "./chart-image.ts";
import type { ComparedRun } from "./compared.ts";
import { chartCsv } from "./csv.ts";
import { DashedMark } from "./dashed-mark.tsx";
import { buildFigure, type Figure, newestLabel, newestValue, smoothedBy, summarise } from "./figure.ts";
import { type LegendItem, legendOf } from "./legend.ts";
import { columnsOf } from "./numbers.ts";
import { NumbersTable } from "./numbers-table.tsx";
import { Overlay } from "./overlay.tsx";
import { Plot } from "./plot.tsx";
import { MARGIN } from "./plot-area.ts";
import { RedrawQueue } from "./redraw.ts";
import { SteadyScale } from "./scale.ts";
import { watchSight } from "./sight.ts";

const queue = new RedrawQueue({
  requestFrame: (work) => requestAnimationFrame(work),
  wait(work, ms) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  timed(draw) {
    const begun = performance.now();
    flushSync(draw);
    return performance.now() - begun;
  },
});
runStore.subscribe((view, previous) => {
  if (view.revision !== previous.revision || view.marks !== previous.marks) queue.invalidate();
});

interface ChartCardProps {
  chart: ChartSpec;
  x: XAxis;
  range: XRange;
  smoothing: number | null;
  compared: readonly ComparedRun[];
  width: number;
  height: number;
  onOpen: (update: number) => void;
}

export const ChartCard = memo(function ChartCard(props: ChartCardProps) {
  const { chart, x, width, height, onOpen } = props;
  const root = useRef<HTMLElement>(null);
  const plotWidth = Math.max(0, width - 2);
  const { revision, wasSeen, draw } = useRedraw(root);
  const { figure, ...ofRun } = useFigure(props, plotWidth, revision);
  const [tableOpen, setTableOpen] = useState(false);
  const size = { width: plotWidth, height };
  // A card that is not on screen can be opened, too: its table then has the newest numbers, and the picture something to show.
  const openTable = () => {
    draw();
    setTableOpen(true);
  };
  return (
    <article
      ref={root}
      className="card flex flex-col"
      aria-label={chart.title}
      data-testid={`chart-${chart.id}`}
    >
      <CardHead chart={chart} figure={figure} onTable={openTable} />
      <Legend items={legendOf(chart, figure)} />
      <AboutZero chart={chart} figure={figure} />
      <div className="relative" style={{ height }}>
        {plotWidth > 0 && (
          <>
            {/* Most of what a chart costs; most charts of a run are below the screen. */}
            {wasSeen && <Plot chart={chart} figure={figure} x={x} {...size} />}
            <Overlay
              {...ofRun}
              {...size}
              chart={chart}
              figure={figure}
              x={x}
              label={`${summarise(chart.title, figure.lines[0], writerOf(figure))} Arrow keys move along it.`}
              onOpen={onOpen}
            />
          </>
        )}
      </div>
      <Dialog title={chart.title} open={tableOpen} onClose={() => setTableOpen(false)}>
        {tableOpen && <NumbersTable figure={figure} columns={columnsOf(figure)} />}
        <Downloads chart={chart} figure={figure} x={x} card={root} />
      </Dialog>
    </article>
  );
});

const writerOf = ({ share }: Figure) => (share ? formatPercent : formatNumber);

/** What the chart draws of the run, as it was when `revision` last rose. */
function useFigure(
  { chart, x, range, smoothing, compared }: ChartCardProps,
  plotWidth: number,
  revision: number,
) {
  const steady = useRef(new SteadyScale());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `revision` is when the store is read, and at no other time
  return useMemo(() => {
    const view = runStore.getState();
    const width = plotWidth - MARGIN.left - MARGIN.right;
    const built = buildFigure(view, chart, { x, range, smoothing, width, compared });
    const figure = steady.current.next(built, performance.now());
    // Not the whole view: a chart that is not drawn would hold its old episodes in memory.
    const { axes, marks, stages } = view;
    return { axes, marks, stages, figure };
  }, [chart, x, range, smoothing, compared, plotWidth, revision]);
}

interface Redraws {
  /** Rises when this chart may draw: it is on screen, its data changed, and it is its turn. */
  revision: number;
  /** Whether it has been on screen, or nearly, or was needed before that. */
  wasSeen: boolean;
  /** Draws it as it is now, wherever it is. */
  draw: () => void;
}

function useRedraw(root: React.RefObject<HTMLElement | null>): Redraws {
  const [revision, setRevision] = useState(0);
  const [wasSeen, setSeen] = useState(false);
  const redraw = useCallback(() => {
    setSeen(true);
    setRevision((n) => n + 1);
  }, []);
  const draw = useCallback(() => flushSync(redraw), [redraw]);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const seat = queue.join(redraw);
    const stop = watchSight(element, { onSight: seat.setVisible, onPrint: draw });
    return () => {
      stop();
      seat.leave();
    };
  }, [root, redraw, draw]);
  return { revision, wasSeen, draw };
}

interface Drawn {
  chart: ChartSpec;
  figure: Figure;
}

function CardHead({ chart, figure, onTable }: Drawn & { onTable: () => void }) {
  return (
    <header className="flex min-h-9 items-center gap-1 pr-1 pl-3">
      {/* At least as wide as its longest word. */}
      <h3 className="min-w-min py-1 text-dense leading-4 font-semibold">{chart.title}</h3>
      <ExplainChart chart={chart} />
      <span className="flex-1" />
      <LastValue chart={chart} figure={figure} />
      <IconButton icon={Table2} name={`Numbers of ${chart.title}`} small onClick={onTable} />
    </header>
  );
}

function LastValue({ chart, figure }: Drawn) {
  const value = newestValue(figure.lines, chart.kind);
  if (value === undefined) return null;
  const written = writerOf(figure)(value);
  const unit = findMetric(chart.lines[0]?.key ?? "")?.unit;
  const smoothed = smoothedBy(figure.lines[0]);
  const of = newestLabel(figure.lines, chart.kind);
  const newest = chart.validation === undefined ? "Latest value" : "Latest value in training";
  return (
    <span
      className="nums text-body font-semibold whitespace-nowrap"
      title={smoothed ? `${newest}, smoothed as the line is` : newest}
    >
      {of && <span className="text-caption font-normal text-muted">{of} </span>}
      {written}
      <span className="text-caption font-normal text-muted">
        {unit && ` ${written === "1" ? singular(unit) : unit}`}
        {smoothed && ` · ${smoothed}`}
      </span>
    </span>
  );
}

/** Points after which a value near 0 is no longer usual for a new run. */
const YOUNG = 30;
const NEAR_ZERO = 0.1;

/** Explains a line that can only be 0, or that is near 0 in a new run. */
function AboutZero({ chart: { allZero, nearZero }, figure: { lines } }: Drawn) {
  const [line] = lines;
  if (!line || line.raw.length === 0) return null;
  const isNear = line.raw.length <= YOUNG && Math.abs(line.smoothed.at(-1)!) <= NEAR_ZERO;
  const text = (line.raw.every((value) => value === 0) && allZero) || (isNear && nearZero);
  return text && <p className="px-3 text-caption text-muted">{text}</p>;
}

const MARKS: Readonly<Record<LegendItem["mark"], string>> = {
  line: "h-0.5 w-3.5 bg-(--mark)",
  area: "size-2.5 rounded-sm bg-(--mark)",
  dot: "size-2 rounded-full bg-(--mark)",
  diamond: "size-2 rotate-45 border-[1.5px] border-(--mark)",
};

function Legend({ items }: { items: readonly LegendItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5 px-3 text-caption text-muted">
      {items.map(({ mark, color, dash, label }) => (
        // The name of a compared run may be longer than the card is wide.
        <li key={`${mark} ${label}`} className="flex max-w-full items-center gap-1.5 whitespace-nowrap">
          {dash ? (
            <DashedMark color={color} dash={dash} />
          ) : (
            <span
              className={`flex-none ${MARKS[mark]}`}
              style={{ "--mark": `var(${color})` } as React.CSSProperties}
              aria-hidden
            />
          )}
          <span className="truncate" title={label}>
            {label}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The dictionary entries of a chart's lines. Lines of one metric, such as its kinds of text, share an entry. */
function entriesOf({ lines }: ChartSpec): { key: string; title: string; metric: Metric | undefined }[] {
  const entries = lines.map((line) => {
    const metric = findMetric(line.key);
    return { key: metric?.key ?? line.key, title: metric?.title ?? line.label, metric };
  });
  return entries.filter(({ key }, at) => entries.findIndex((other) => other.key === key) === at);
}

/** The metric of validations that a chart draws; of several kinds of one metric, its name. Undefined if there is none. */
function validatedMetric(chart: ChartSpec): string | undefined {
  const [first, second] = validatedLines(chart);
  return second ? first!.validation.replace(/\/[^/]+$/, "") : first?.validation;
}

function ExplainChart({ chart }: { chart: ChartSpec }) {
  const validated = validatedMetric(chart);
  return (
    <Explain about={chart.title}>
      <dl className="flex max-h-[60vh] flex-col gap-3 overflow-auto">
        {entriesOf(chart).map(({ key, title, metric }) => (
          <div key={key}>
            <dt className="font-semibold">
              {title} <code className="text-caption font-normal text-muted">{key}</code>
            </dt>
            <dd>{metric?.definition ?? "Logged by the trainer; not in the metric dictionary yet."}</dd>
            {metric && (
              <>
                <dd className="mt-1">
                  <strong className="font-semibold text-ok">Healthy:</strong> {metric.healthy}
                </dd>
                <dd className="mt-1">
                  <strong className="font-semibold text-warning">When wrong:</strong> {metric.wrong}
                </dd>
              </>
            )}
          </div>
        ))}
        {validated && (
          <div>
            <dt className="font-semibold">
              Validation <code className="text-caption font-normal text-muted">{validated}</code>
            </dt>
            <dd>
              On fixed levels that are never trained on. Dot: replies sampled as in training
              {validated.startsWith(VALIDATION_SUCCESS) && ", with the 95 % Wilson interval"}. Diamond:
              greedy, the most likely token every time.
            </dd>
          </div>
        )}
      </dl>
    </Explain>
  );
}

/** The chart as a picture, and all of its numbers. */
function Downloads({
  chart,
  figure,
  x,
  card,
}: Drawn & {
  x: XAxis;
  card: React.RefObject<HTMLElement | null>;
}) {
  const { title } = chart;
  const name = `${runStore.getState().runId ?? "run"}-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  const savePicture = async () => {
    const svg = card.current?.querySelector<SVGSVGElement>("svg.recharts-surface");
    const caption = captionOf(chart, figure, x);
    const legend = legendOf(chart, figure);
    if (svg) saveFile(`${name}.png`, await chartPng(svg, { title, caption, legend }));
  };
  return (
    <div className="mt-3 flex gap-2">
      <button
        type="button"
        className="btn btn-small"
        onClick={() => saveFile(`${name}.csv`, new Blob([chartCsv(columnsOf(figure))], { type: "text/csv" }))}
      >
        <Download size={14} aria-hidden /> Numbers (CSV)
      </button>
      <button type="button" className="btn btn-small" onClick={() => void savePicture()}>
        <Download size={14} aria-hidden /> Picture (PNG)
      </button>
    </div>
  );
}

const ALONG: Readonly<Record<XAxis, string>> = {
  update: "by update",
  turns: "by turns played",
  tokens: "by tokens",
  time: "by training time",
};

/** Whose numbers a picture shows, along what, and how its lines are smoothed. */
function captionOf({ kind }: ChartSpec, { lines }: Figure, x: XAxis): string {
  const smoothed = smoothedBy(lines[0]);
  const how = smoothed && (kind === "stack" ? smoothed : `${smoothed}, thin lines unsmoothed`);
  return [runStore.getState().config?.name, ALONG[x], how].filter(Boolean).join(" · ");
}
