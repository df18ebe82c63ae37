// What lies over a plot: the marks of the run, and the cursor that all charts share, moved by pointer and arrow keys.
import { useEffect, useRef } from "react";
import { useRun } from "../store/run-store.ts";
import type { ChartSpec } from "./catalog.ts";
import { clearCursor, setCursor, useCursor } from "./cursor.ts";
import { CursorNumbers } from "./cursor-numbers.tsx";
import { nearest, placesIn, updatesOfFigure } from "./figure.ts";
import { Marks, type MarksProps } from "./marks.tsx";
import { MARGIN, pixelOf, plotLeft, xAtPixel } from "./plot-area.ts";

interface OverlayProps extends MarksProps {
  chart: ChartSpec;
  label: string;
  onOpen: (update: number) => void;
}

export function Overlay(props: OverlayProps) {
  const { chart, label, onOpen } = props;
  const { update, chart: active } = useCursor();
  const root = useRef<HTMLDivElement>(null);
  useCursorOf(chart.id);
  const point = (to: number | undefined) => to !== undefined && setCursor({ update: to, chart: chart.id });
  return (
    <div
      ref={root}
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor
      tabIndex={0}
      className="absolute inset-0 rounded"
      onPointerMove={(event) => point(updateUnder(props, event))}
      onPointerLeave={clearCursor}
      onBlur={clearCursor}
      onClick={(event) => {
        const under = updateUnder(props, event);
        if (under !== undefined && hasEpisodes(props, under)) onOpen(under);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") point(neighbour(props, update, -1));
        else if (event.key === "ArrowRight") point(neighbour(props, update, 1));
        else if (event.key === "Enter" && update !== null && hasEpisodes(props, update)) onOpen(update);
        else return;
        event.preventDefault();
      }}
    >
      <Marks {...props} />
      {update !== null && <CursorLine {...props} update={update} />}
      {update !== null && active === chart.id && (
        <CursorNumbers {...props} update={update} hasEpisodes={hasEpisodes(props, update)} over={root} />
      )}
    </div>
  );
}

/** Whether the run on screen has reached an update, which another run may have alone. */
const hasEpisodes = ({ axes }: Pick<OverlayProps, "axes">, update: number): boolean =>
  update <= (axes.wallMs.xs.at(-1) ?? 0);

/** The update of the figure that lies nearest to the pointer; undefined in an empty figure. */
function updateUnder(
  { figure, axes, x }: OverlayProps,
  { clientX, currentTarget }: React.PointerEvent | React.MouseEvent,
): number | undefined {
  const box = currentTarget.getBoundingClientRect();
  const updates = updatesOfFigure(figure);
  const xs = updates.map(placesIn(figure, axes, x));
  return updates[nearest(xs, xAtPixel(figure, box.width, clientX - box.left))];
}

/** The update `by` steps from this one; the newest one when there is none yet. */
function neighbour({ figure }: OverlayProps, update: number | null, by: number): number | undefined {
  const updates = updatesOfFigure(figure);
  const index = update === null ? updates.length - 1 : nearest(updates, update) + by;
  return updates[Math.min(updates.length - 1, Math.max(0, index))];
}

/** Clears the cursor when the chart leaves the page or shows another run: no pointer leaves it then. */
function useCursorOf(chart: string): void {
  const run = useRun((view) => view.runId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new run is why the cursor is cleared
  useEffect(
    () => () => {
      if (useCursor.getState().chart === chart) clearCursor();
    },
    [chart, run],
  );
}

function CursorLine({ figure, axes, x, width, height, update }: OverlayProps & { update: number }) {
  const left = pixelOf(figure, width, placesIn(figure, axes, x)(update));
  if (left < plotLeft(figure) || left > width - MARGIN.right + 1) return null;
  return (
    <div
      className="pointer-events-none absolute w-px bg-text opacity-50"
      style={{ left, top: MARGIN.top, height: height - MARGIN.top - MARGIN.bottom }}
    />
  );
}
