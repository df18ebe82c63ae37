// The numbers of one update, beside the cursor.
import { Fragment, useEffect, useLayoutEffect, useState } from "react";
import { wilsonInterval } from "../../core/wilson.ts";
import { counted, formatNumber, formatPercentRange, formatShare } from "../lib/format.ts";
import type { EventMark, RunView } from "../store/run-view.ts";
import type { XAxis } from "../store/view-options.ts";
import { beside, type Place } from "./beside.ts";
import { type ChartSpec, VALIDATION_SUCCESS } from "./catalog.ts";
import { clearCursor } from "./cursor.ts";
import { DashedMark } from "./dashed-mark.tsx";
import { type Figure, placesIn, smoothedBy } from "./figure.ts";
import type { FigureLine } from "./lines.ts";
import { markColor } from "./marks.tsx";
import { MARGIN, pixelOf, plotLeft } from "./plot-area.ts";

/** Pixels; the same as its class says. */
const WIDTH = 240;

interface CursorNumbersProps {
  chart: ChartSpec;
  figure: Figure;
  axes: RunView["axes"];
  marks: readonly EventMark[];
  x: XAxis;
  width: number;
  update: number;
  /** Whether the run on screen has reached the update. */
  hasEpisodes: boolean;
  /** The chart. */
  over: React.RefObject<HTMLElement | null>;
}

export function CursorNumbers(props: CursorNumbersProps) {
  const { chart, figure, axes, marks, x, width, update, hasEpisodes, over } = props;
  const place = usePlace(
    over,
    pixelOf(figure, width, placesIn(figure, axes, x)(update)),
    width,
    plotLeft(figure),
  );
  const episodes = (axes.episodes.at(update) ?? 0) - (axes.episodes.at(update - 1) ?? 0);
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
          <LineRows chart={chart} figure={figure} update={update} episodes={episodes} />
          <ValidationRows figure={figure} update={update} />
        </tbody>
      </table>
      <MarkTexts marks={marks.filter((mark) => mark.update === update)} />
      {hasEpisodes && <p className="mt-1 text-muted">Click for the episodes of this update.</p>}
    </div>
  );
}

/** Where the numbers go for a cursor at `left` pixels of the chart `over`, whose plot begins at `plotFrom`; null before it was measured. */
function usePlace(
  over: React.RefObject<HTMLElement | null>,
  left: number,
  width: number,
  plotFrom: number,
): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => {
    const box = over.current?.getBoundingClientRect();
    if (!box) return;
    const plot = {
      left: box.left + plotFrom,
      right: box.left + width - MARGIN.right,
      top: box.top + MARGIN.top,
      bottom: box.bottom - MARGIN.bottom,
    };
    const room = { width: window.innerWidth, height: window.innerHeight };
    setPlace(beside({ plot, x: box.left + left, window: room }, WIDTH));
  }, [over, left, width, plotFrom]);
  // Their place is fixed in the window, so a chart that scrolls would leave them behind.
  useEffect(() => {
    document.addEventListener("scroll", clearCursor, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", clearCursor, { capture: true });
  }, []);
  return place;
}

interface RowsProps {
  figure: Figure;
  update: number;
}

function LineRows({ chart, figure, update, episodes }: RowsProps & { chart: ChartSpec; episodes: number }) {
  const write = writerOf(figure);
  const ofEpisodes = chart.validation === VALIDATION_SUCCESS && episodes > 0;
  return [...figure.lines, ...figure.compared].map((line, i) => {
    // Another chart's update may have no number here, and a neighbour's would be shown as its own.
    const index = line.updates.indexOf(update);
    if (index < 0) return null;
    // Another run may have played another number of episodes.
    const isOwn = i < figure.lines.length;
    return (
      <Fragment key={line.id}>
        <LineRow line={line} value={write(line.raw[index]!)} />
        {smoothedBy(line) && <Detail name={smoothedBy(line)} value={write(line.smoothed[index]!)} />}
        {isOwn && ofEpisodes && <Detail name="95 % interval" value={interval(line.raw[index]!, episodes)} />}
      </Fragment>
    );
  });
}

function LineRow({ line: { color, dash, label }, value }: { line: FigureLine; value: string }) {
  return (
    <tr>
      <td className="pr-2">
        {dash ? (
          <span className="mr-1.5">
            <DashedMark color={color} dash={dash} />
          </span>
        ) : (
          <span className="mr-1.5 inline-block size-2 rounded-full" style={{ background: `var(${color})` }} />
        )}
        {label}
      </td>
      <td className="text-right font-semibold">{value}</td>
    </tr>
  );
}

function ValidationRows({ figure, update }: RowsProps) {
  const write = writerOf(figure);
  const points = figure.validations().filter((point) => point.update === update);
  const several = points.some(({ label }) => label !== points[0]!.label);
  return points.map(({ label, color, greedy, y, n, successes, compared, error: [down, up] }) => (
    <Fragment key={`${label} ${greedy}`}>
      <tr>
        <td className="pr-2">
          <span
            className={`mr-1.5 inline-block size-2 ${greedy ? "rotate-45 border-[1.5px] border-(--mark)" : "rounded-full bg-(--mark)"}`}
            style={{ "--mark": `var(${color})` } as React.CSSProperties}
          />
          {several ? `${label}, validation` : "Validation"}, {greedy ? "greedy" : "sampled"}
        </td>
        <td className="text-right font-semibold">{write(y)}</td>
      </tr>
      {successes !== null && !compared && (
        <Detail name={`${successes} of ${n}, 95 %`} value={formatPercentRange(y - down, y + up)} />
      )}
    </Fragment>
  ));
}

const writerOf = (figure: Figure) => (figure.share ? formatShare : formatNumber);

/** How sure a rate over n episodes is. */
const interval = (rate: number, n: number): string =>
  formatPercentRange(...wilsonInterval(Math.round(rate * n), n));

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <tr className="text-muted">
      <td className="pr-2 pl-3.5">{name}</td>
      <td className="text-right whitespace-nowrap">{value}</td>
    </tr>
  );
}

function MarkTexts({ marks }: { marks: readonly EventMark[] }) {
  return marks.map((mark) => (
    <p key={`${mark.kind}:${mark.text}`} className="mt-1 flex items-baseline gap-1.5 text-muted">
      <span className="h-2 w-0.5 flex-none" style={{ background: markColor(mark) }} aria-hidden />
      {mark.text}
    </p>
  ));
}
