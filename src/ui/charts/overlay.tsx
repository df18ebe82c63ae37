// What lies over a plot and moves: the shared cursor with its numbers, the bands of the stages and the marks of events.

import { Fragment, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { wilsonInterval } from "../../core/statistics.ts";
import { counted, formatNumber, formatPercentRange, formatShare } from "../lib/format.ts";
import { inFormWords } from "../settings/form-words.ts";
import { STAGE_TITLES } from "../store/run-state.ts";
import { runStore, useRun } from "../store/run-store.ts";
import type { EventMark, RunView, StageSpan } from "../store/run-view.ts";
import type { XAxis } from "../store/view-options.ts";
import { beside, type Place } from "./beside.ts";
import { type ChartSpec, VALIDATION_SUCCESS } from "./catalog.ts";
import { clearCursor, cursorNow, setCursor, useCursor } from "./cursor.ts";
import { thinOut } from "./decimate.ts";
import { type Figure, nearest, smoothedBy, updatesOfFigure, xOf } from "./figure.ts";
import { MARGIN } from "./plot.tsx";

interface OverlayProps {
  chart: ChartSpec;
  figure: Figure;
  axes: RunView["axes"];
  marks: readonly EventMark[];
  stages: readonly StageSpan[];
  x: XAxis;
  width: number;
  height: number;
  label: string;
  onOpen: (update: number) => void;
}

/** Pixels of an x on a figure's axis. */
function pixelOf(figure: Figure, width: number, x: number): number {
  const [from, to] = figure.xDomain;
  return MARGIN.left + ((x - from) / (to - from || 1)) * (width - MARGIN.left - MARGIN.right);
}

export function Overlay(props: OverlayProps) {
  const { chart, figure, axes, marks, x, width, height, label, onOpen } = props;
  const atPointer = useCallback(
    (clientX: number, box: DOMRect): number | null => {
      const updates = updatesOfFigure(figure);
      const [from, to] = figure.xDomain;
      const share = (clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
      const wanted = from + Math.min(1, Math.max(0, share)) * (to - from);
      const index = nearestOnAxis(updates, (update) => xOf({ axes }, x, update), wanted);
      return index < 0 ? null : updates[index]!;
    },
    [figure, axes, x],
  );
  const { update, chart: active } = useCursor();
  useCursorOf(chart.id);
  const step = (by: number) => {
    const updates = updatesOfFigure(figure);
    const index = update === null ? updates.length - 1 : nearest(updates, update) + by;
    const next = updates[Math.min(updates.length - 1, Math.max(0, index))];
    if (next !== undefined) setCursor({ update: next, chart: chart.id });
  };
  const root = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={root}
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor
      tabIndex={0}
      className="absolute inset-0 rounded"
      onPointerMove={(event) => {
        const next = atPointer(event.clientX, event.currentTarget.getBoundingClientRect());
        setCursor({ update: next, chart: chart.id });
      }}
      onPointerLeave={clearCursor}
      onBlur={clearCursor}
      onClick={(event) => {
        const next = atPointer(event.clientX, event.currentTarget.getBoundingClientRect());
        if (next !== null) onOpen(next);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") step(-1);
        else if (event.key === "ArrowRight") step(1);
        else if (event.key === "Enter" && update !== null) onOpen(update);
        else return;
        event.preventDefault();
      }}
    >
      <Marks {...props} />
      {update !== null && (
        <CursorLine figure={figure} axes={axes} x={x} width={width} height={height} update={update} />
      )}
      {update !== null && active === chart.id && (
        <Numbers
          chart={chart}
          figure={figure}
          axes={axes}
          marks={marks}
          x={x}
          width={width}
          update={update}
          over={root}
        />
      )}
    </div>
  );
}

/** A chart that goes from the screen, or draws another run, hears of no pointer that leaves it. */
function useCursorOf(chart: string): void {
  const run = useRun((view) => view.runId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new run is why the cursor is put away
  useEffect(
    () => () => {
      if (cursorNow().chart === chart) clearCursor();
    },
    [chart, run],
  );
}

function nearestOnAxis(updates: Float64Array, toX: (update: number) => number, wanted: number): number {
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = 0; i < updates.length; i++) {
    const gap = Math.abs(toX(updates[i]!) - wanted);
    if (gap < distance) {
      distance = gap;
      best = i;
    }
  }
  return best;
}

const MARK_LOOKS: Record<EventMark["kind"], { color: string; dash: string }> = {
  checkpoint: { color: "var(--control)", dash: "" },
  config: { color: "var(--accent)", dash: "" },
  warning: { color: "var(--warning)", dash: "" },
  alarm: { color: "var(--danger)", dash: "1 3" },
  alarm_over: { color: "var(--ok)", dash: "" },
  device_lost: { color: "var(--danger)", dash: "" },
  resumed: { color: "var(--ok)", dash: "4 2" },
};

/** Pixels between notches: closer ones are a comb in which none can be told from the next. */
const NOTCH_GAP = 12;

/** Stage band and event marks: they change with the run, not with the pointer. */
const Marks = memo(function Marks({ figure, axes, marks, stages, x, width, height }: OverlayProps) {
  const bottom = height - MARGIN.bottom;
  const warmup = stages.find((span) => span.stage === "warmup");
  const at = (update: number) => pixelOf(figure, width, xOf({ axes }, x, update));
  const right = width - MARGIN.right;
  const end = warmup ? Math.min(at(warmup.lastUpdate), right) : 0;
  const inside = (px: number) => px >= MARGIN.left && px <= right + 0.5;
  const saved = marks.flatMap(({ kind, update }) => (kind === "checkpoint" ? [at(update)] : []));
  const begun = warmup && (axes.wallMs.length > 0 || x === "update");
  return (
    <svg width={width} height={height} className="pointer-events-none absolute inset-0" aria-hidden="true">
      {begun && end > MARGIN.left + 1 && (
        <g>
          <rect
            x={MARGIN.left}
            y={MARGIN.top}
            width={end - MARGIN.left}
            height={bottom - MARGIN.top}
            fill="var(--reasoning)"
            opacity={0.07}
          />
          {end < right - 2 && (
            <line
              x1={end}
              x2={end}
              y1={MARGIN.top}
              y2={bottom}
              stroke="var(--reasoning)"
              strokeDasharray="3 3"
            />
          )}
          {end - MARGIN.left > 60 && (
            <text x={MARGIN.left + 5} y={MARGIN.top + 12} fontSize={11} fill="var(--muted)">
              {STAGE_TITLES.warmup}
            </text>
          )}
        </g>
      )}
      {marks.map((mark) => {
        const px = at(mark.update);
        const { color, dash } = MARK_LOOKS[mark.kind];
        if (mark.kind === "checkpoint" || !inside(px)) return null;
        const key = `${mark.kind}:${mark.update}:${mark.text}`;
        // Ends of alarms are no news.
        if (mark.kind === "alarm_over") return <Notch key={key} px={px} bottom={bottom} color={color} />;
        return (
          <g key={key}>
            <line
              x1={px}
              x2={px}
              y1={MARGIN.top}
              y2={bottom}
              stroke={color}
              strokeDasharray={dash}
              opacity={0.7}
            />
            <path d={`M${px - 4} ${MARGIN.top - 6}h8l-4 6z`} fill={color} />
          </g>
        );
      })}
      {thinOut(
        saved.filter(inside).sort((a, b) => a - b),
        NOTCH_GAP,
      ).map((px) => (
        <Notch key={`checkpoint ${px}`} px={px} bottom={bottom} color={MARK_LOOKS.checkpoint.color} />
      ))}
      {figure.beyond.map(({ x: at, side, color }) => {
        const [px, tip, base] = [
          pixelOf(figure, width, at),
          side === "above" ? MARGIN.top : bottom,
          side === "above" ? MARGIN.top + 5 : bottom - 5,
        ];
        return (
          <path
            key={`${side} ${at} ${color}`}
            d={`M${px} ${tip}L${px - 3.5} ${base}h7z`}
            fill={`var(${color})`}
          />
        );
      })}
      {figure.broken.map((value) => (
        <path
          key={value}
          d={`M${pixelOf(figure, width, value) - 4} ${bottom - 4}l8 8m0 -8l-8 8`}
          stroke="var(--danger)"
          strokeWidth={2}
        />
      ))}
    </svg>
  );
});

/** What is too common for a line over the plot: a short one below the axis. */
function Notch({ px, bottom, color }: { px: number; bottom: number; color: string }) {
  return <line x1={px} x2={px} y1={bottom} y2={bottom + 4} stroke={color} />;
}

type CursorProps = Pick<OverlayProps, "figure" | "axes" | "x" | "width"> & { update: number };

function CursorLine({ figure, axes, x, width, height, update }: CursorProps & { height: number }) {
  const left = pixelOf(figure, width, xOf({ axes }, x, update));
  if (left < MARGIN.left || left > width - MARGIN.right + 1) return null;
  return (
    <div
      className="pointer-events-none absolute w-px bg-text opacity-50"
      style={{ left, top: MARGIN.top, height: height - MARGIN.top - MARGIN.bottom }}
    />
  );
}

/** How sure a rate over n episodes is. */
const interval = (rate: number, n: number): string =>
  formatPercentRange(...wilsonInterval(Math.round(rate * n), n));

/** Pixels; the same as its class says. */
const NUMBERS_WIDTH = 240;

type NumbersProps = CursorProps &
  Pick<OverlayProps, "chart" | "marks"> & { over: React.RefObject<HTMLElement | null> };

/** Where the numbers go for a cursor at `left` pixels of the chart `over`; null before it was measured. */
function usePlace(over: React.RefObject<HTMLElement | null>, left: number, width: number): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => {
    const box = over.current?.getBoundingClientRect();
    if (!box) return;
    const plot = {
      left: box.left + MARGIN.left,
      right: box.left + width - MARGIN.right,
      top: box.top + MARGIN.top,
      bottom: box.bottom - MARGIN.bottom,
    };
    const room = { width: window.innerWidth, height: window.innerHeight };
    setPlace(beside({ plot, x: box.left + left, window: room }, NUMBERS_WIDTH));
  }, [over, left, width]);
  // They stand in the window, from which the chart is scrolled away.
  useEffect(() => {
    document.addEventListener("scroll", clearCursor, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", clearCursor, { capture: true });
  }, []);
  return place;
}

function Numbers({ chart, figure, axes, marks, x, width, update, over }: NumbersProps) {
  const place = usePlace(over, pixelOf(figure, width, xOf({ axes }, x, update)), width);
  const episodes = (axes.episodes.at(update) ?? 0) - (axes.episodes.at(update - 1) ?? 0);
  const points = figure.validations().filter((point) => point.update === update);
  const write = figure.share ? formatShare : formatNumber;
  return (
    <div
      className="popover nums pointer-events-none fixed z-40 w-60 !p-2 text-caption"
      style={place ?? { visibility: "hidden" }}
    >
      <p className="mb-1 font-semibold">
        Update {update}
        {episodes > 0 && <span className="font-normal text-muted"> · {counted(episodes, "episode")}</span>}
      </p>
      <table className="w-full">
        <tbody>
          {figure.lines.map((line) => {
            // Another chart's update may have no number here, and a neighbour's would be shown as its own.
            const index = line.updates.indexOf(update);
            if (index < 0) return null;
            const raw = line.raw[index]!;
            return (
              <Fragment key={line.id}>
                <tr>
                  <td className="pr-2">
                    <span
                      className="mr-1.5 inline-block size-2 rounded-full"
                      style={{ background: `var(${line.color})` }}
                    />
                    {line.label}
                  </td>
                  <td className="text-right font-semibold">{write(raw)}</td>
                </tr>
                {smoothedBy(line) && <Detail name={smoothedBy(line)} value={write(line.smoothed[index]!)} />}
                {chart.validation === VALIDATION_SUCCESS && episodes > 0 && (
                  <Detail name="95 % interval" value={interval(raw, episodes)} />
                )}
              </Fragment>
            );
          })}
          {points.map((point) => (
            <Fragment key={String(point.greedy)}>
              <tr>
                <td className="pr-2">
                  <span
                    className={`mr-1.5 inline-block size-2 ${point.greedy ? "rotate-45 border-[1.5px] border-(--run-2)" : "rounded-full bg-(--run-2)"}`}
                  />
                  Validation, {point.greedy ? "greedy" : "sampled"}
                </td>
                <td className="text-right font-semibold">{write(point.y)}</td>
              </tr>
              {point.successes !== null && (
                <Detail
                  name={`${point.successes} of ${point.n}, 95 %`}
                  value={formatPercentRange(point.y - point.error[0], point.y + point.error[1])}
                />
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {marks
        .filter((mark) => mark.update === update)
        .map((mark) => (
          <p key={`${mark.kind}:${mark.text}`} className="mt-1 flex items-baseline gap-1.5 text-muted">
            <span
              className="h-2 w-0.5 flex-none"
              style={{ background: MARK_LOOKS[mark.kind].color }}
              aria-hidden
            />
            {inFormWords(mark.text, runStore.getState().config?.env.name ?? "")}
          </p>
        ))}
      <p className="mt-1 text-muted">Click for the episodes of this update.</p>
    </div>
  );
}

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <tr className="text-muted">
      <td className="pr-2 pl-3.5">{name}</td>
      <td className="text-right whitespace-nowrap">{value}</td>
    </tr>
  );
}
