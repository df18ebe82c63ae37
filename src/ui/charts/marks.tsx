// What a run puts over its plots: the band of SFT, the marks of events, and values that do not fit the axis.
import { memo } from "react";
import { STAGE_TITLES } from "../store/run-state.ts";
import type { EventMark, RunView, StageSpan } from "../store/run-view.ts";
import type { XAxis } from "../store/view-options.ts";
import { IN_PICTURE } from "./chart-image.ts";
import type { Figure } from "./figure.ts";
import { xOf } from "./lines.ts";
import { MARGIN, pixelOf, plotLeft } from "./plot-area.ts";

export const MARK_LOOKS: Record<EventMark["kind"], { color: string; dash: string }> = {
  checkpoint: { color: "var(--control)", dash: "" },
  config: { color: "var(--accent)", dash: "" },
  stage: { color: "var(--reasoning)", dash: "3 3" },
  warning: { color: "var(--warning)", dash: "" },
  alarm: { color: "var(--danger)", dash: "1 3" },
  alarm_over: { color: "var(--ok)", dash: "" },
  device_lost: { color: "var(--danger)", dash: "" },
  went_back: { color: "var(--muted)", dash: "4 2" },
  resumed: { color: "var(--ok)", dash: "4 2" },
};

/** The colour of a mark; that of an alarm is the colour of its notice. */
export const markColor = ({ kind, severity }: Pick<EventMark, "kind" | "severity">): string =>
  severity ? `var(--${severity})` : MARK_LOOKS[kind].color;

/** Checkpoints are too frequent for full lines, and the end of an alarm needs no attention: a notch below the axis. */
export const isNotch = (kind: EventMark["kind"]): boolean => kind === "checkpoint" || kind === "alarm_over";

/** Pixels between notches: closer ones could not be told apart. */
const NOTCH_GAP = 8;

export interface MarksProps {
  figure: Figure;
  axes: RunView["axes"];
  marks: readonly EventMark[];
  stages: readonly StageSpan[];
  x: XAxis;
  width: number;
  height: number;
}

/** They change with the run, not with the pointer. */
export const Marks = memo(function Marks({ figure, axes, marks, stages, x, width, height }: MarksProps) {
  const bottom = height - MARGIN.bottom;
  const left = plotLeft(figure);
  const right = width - MARGIN.right;
  const at = (update: number) => pixelOf(figure, width, xOf({ axes }, x, update));
  const warmup = stages.find((span) => span.stage === "warmup");
  const begun = warmup && (axes.wallMs.length > 0 || x === "update");
  const visible = marks
    .map((mark) => ({ mark, px: at(mark.update) }))
    .filter(({ px }) => px >= left && px <= right + 0.5);
  // Of checkpoints that are too close together, the newest.
  const notches = new Map(
    visible
      .filter(({ mark }) => mark.kind === "checkpoint")
      .map((each) => [Math.round(each.px / NOTCH_GAP), each]),
  );
  const drawn = [...visible.filter(({ mark }) => mark.kind !== "checkpoint"), ...notches.values()];
  return (
    <svg width={width} height={height} className="pointer-events-none absolute inset-0" aria-hidden="true">
      {begun && <SftBand end={Math.min(at(warmup.lastUpdate), right)} {...{ left, right, bottom }} />}
      {drawn.map(({ mark, px }) => (
        <Mark key={`${mark.kind}:${mark.update}:${mark.text}`} mark={mark} px={px} bottom={bottom} />
      ))}
      <OffAxis figure={figure} width={width} bottom={bottom} />
    </svg>
  );
});

function SftBand({ end, left, right, bottom }: Record<"end" | "left" | "right" | "bottom", number>) {
  const width = end - left;
  if (width <= 1) return null;
  const color = "var(--reasoning)";
  return (
    <g {...IN_PICTURE}>
      <rect x={left} y={MARGIN.top} width={width} height={bottom - MARGIN.top} fill={color} opacity={0.07} />
      {end < right - 2 && (
        <line x1={end} x2={end} y1={MARGIN.top} y2={bottom} stroke={color} strokeDasharray="3 3" />
      )}
      {width > 60 && (
        <text x={left + 5} y={MARGIN.top + 12} fontSize={11} fill="var(--muted)">
          {STAGE_TITLES.warmup}
        </text>
      )}
    </g>
  );
}

function Mark({ mark, px, bottom }: { mark: EventMark; px: number; bottom: number }) {
  const { dash } = MARK_LOOKS[mark.kind];
  const color = markColor(mark);
  if (isNotch(mark.kind)) return <line x1={px} x2={px} y1={bottom} y2={bottom + 4} stroke={color} />;
  return (
    <g>
      <line x1={px} x2={px} y1={MARGIN.top} y2={bottom} stroke={color} strokeDasharray={dash} opacity={0.7} />
      <path d={`M${px - 4} ${MARGIN.top - 6}h8l-4 6z`} fill={color} />
    </g>
  );
}

/** Arrows where a line leaves its axis, and crosses where a value is not finite. */
function OffAxis({ figure, width, bottom }: { figure: Figure; width: number; bottom: number }) {
  return (
    <g {...IN_PICTURE}>
      {figure.beyond.map(({ x, side, color }) => {
        const px = pixelOf(figure, width, x);
        const [tip, base] = side === "above" ? [MARGIN.top, MARGIN.top + 5] : [bottom, bottom - 5];
        return (
          <path
            key={`${side} ${x} ${color}`}
            d={`M${px} ${tip}L${px - 3.5} ${base}h7z`}
            fill={`var(${color})`}
          />
        );
      })}
      {figure.broken.map((x) => (
        <path
          key={x}
          d={`M${pixelOf(figure, width, x) - 4} ${bottom - 4}l8 8m0 -8l-8 8`}
          stroke="var(--danger)"
          strokeWidth={2}
        />
      ))}
    </g>
  );
}
