// The drawing itself: Recharts under the studio's rules. Fixed size, no animation, no dots on lines, no tooltip of its
// own; what moves with the pointer lives in `overlay.tsx`, so that a chart is drawn only when its data changed.
import { memo } from "react";
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceLine,
  Scatter,
  XAxis,
  YAxis,
} from "recharts";
import type { XAxis as XAxisName } from "../store/view-options.ts";
import { xAxisFormat } from "./axis-format.ts";
import type { ChartSpec } from "./catalog.ts";
import type { Figure } from "./figure.ts";
import { MARGIN, plotLeft, valueFormat } from "./plot-area.ts";

const CHART_MARGIN = { top: MARGIN.top, right: MARGIN.right, bottom: 0, left: 0 };
const TICK = { fontSize: 11 };
const CURVE = {
  isAnimationActive: false,
  dot: false,
  activeDot: false,
  type: "linear",
  connectNulls: false,
} as const;

interface Drawing {
  chart: ChartSpec;
  figure: Figure;
}

interface PlotProps extends Drawing {
  x: XAxisName;
  width: number;
  height: number;
}

export const Plot = memo(function Plot({ chart, figure, x, width, height }: PlotProps) {
  return (
    <ComposedChart
      width={width}
      height={height}
      data={figure.rows as Figure["rows"] & object[]}
      margin={CHART_MARGIN}
      // Penalties lie below the axis instead of eating into what was earned.
      stackOffset="sign"
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <HorizontalAxis figure={figure} x={x} />
      <ValueAxis figure={figure} />
      {chart.kind === "stack" ? (
        <StackedParts figure={figure} />
      ) : (
        <>
          {chart.band && <Bands figure={figure} />}
          <Curves figure={figure} />
          <ComparedCurves figure={figure} />
        </>
      )}
      {chart.guide && <Guide {...chart.guide} />}
      {figure.points.length > 0 && <Validations points={figure.points} />}
    </ComposedChart>
  );
});

function HorizontalAxis({ figure, x }: Pick<PlotProps, "figure" | "x">) {
  const { rows, compared, points, xDomain, xTicks } = figure;
  // Clipped, a point at the edge would lose a half.
  const isInside = [...rows, ...compared.flatMap((line) => line.rows), ...points].every(
    ({ x: at }) => at >= xDomain[0] && at <= xDomain[1],
  );
  return (
    <XAxis
      dataKey="x"
      type="number"
      domain={xDomain as [number, number]}
      allowDataOverflow={!isInside}
      height={MARGIN.bottom}
      tick={TICK}
      tickFormatter={xAxisFormat(x, xTicks)}
      tickLine={false}
      axisLine={{ stroke: "var(--line-strong)" }}
      ticks={xTicks as number[]}
      minTickGap={28}
    />
  );
}

function ValueAxis({ figure }: Pick<Drawing, "figure">) {
  const { yDomain, yTicks, share, log } = figure;
  return (
    <YAxis
      type="number"
      domain={yDomain as [number, number]}
      ticks={yTicks as number[]}
      scale={log && yDomain[0] > 0 ? "log" : "linear"}
      // Shares lie inside their axis; clipped, a point at 100 % would lose its upper half.
      allowDataOverflow={!share}
      width={plotLeft(figure)}
      tick={TICK}
      tickFormatter={valueFormat(figure)}
      tickLine={false}
      axisLine={false}
    />
  );
}

/** Width of a column in pixels: at the end of the axis its half fits beside the plot. */
const COLUMN = 18;

/** The parts as areas on each other. An area between two updates needs both, so those of a single one are a column. */
export function StackedParts({ figure: { lines, rows } }: { figure: Figure }) {
  return lines.map(({ id, label, color }) => {
    const paint = `var(${color})`;
    const look = {
      dataKey: id,
      name: label,
      stackId: "parts",
      stroke: paint,
      fill: paint,
      fillOpacity: 0.55,
    };
    return rows.length === 1 ? (
      <Bar key={id} {...look} barSize={COLUMN} isAnimationActive={false} />
    ) : (
      <Area key={id} {...CURVE} {...look} strokeWidth={1} />
    );
  });
}

/** The extremes that decimation hides. */
function Bands({ figure: { lines, rows } }: { figure: Figure }) {
  if (!lines.some((line) => line.raw.length > rows.length)) return null;
  return lines.map(({ id, color }) => (
    <Area
      key={id}
      {...CURVE}
      dataKey={`band:${id}`}
      stroke="none"
      fill={`var(${color})`}
      fillOpacity={0.14}
    />
  ));
}

/** Raw values thin behind the smoothed lines. */
function Curves({ figure: { lines } }: { figure: Figure }) {
  return (
    <>
      {lines
        .filter(({ smoothing }) => smoothing > 0)
        .map(({ id, color }) => (
          <Line
            key={`raw:${id}`}
            {...CURVE}
            dataKey={`raw:${id}`}
            stroke={`var(${color})`}
            strokeOpacity={0.35}
            strokeWidth={1}
          />
        ))}
      {lines.map(({ id, label, color, dash }) => (
        <Line
          key={id}
          {...CURVE}
          dataKey={id}
          name={label}
          stroke={`var(${color})`}
          strokeWidth={2}
          strokeDasharray={dash}
        />
      ))}
    </>
  );
}

/** The other runs, thinner and dashed, without their raw values. */
function ComparedCurves({ figure: { compared } }: { figure: Figure }) {
  return compared.map(({ id, label, color, dash, rows }) => (
    <Line
      key={id}
      {...CURVE}
      data={rows as typeof rows & object[]}
      dataKey="y"
      name={label}
      stroke={`var(${color})`}
      strokeWidth={1.5}
      strokeDasharray={dash}
    />
  ));
}

function Guide({ value, label }: NonNullable<ChartSpec["guide"]>) {
  return (
    <ReferenceLine
      y={value}
      stroke="var(--control)"
      strokeDasharray="4 3"
      label={{ value: label, position: "insideTopRight", fontSize: 11, fill: "var(--muted)" }}
    />
  );
}

/** Dots with their intervals for sampled validations, diamonds for greedy ones. */
function Validations({ points }: Pick<Figure, "points">) {
  // The run's own lie on those of others. Recharts stacks them in the order in which they are mounted, so another choice of runs mounts all again.
  const colors = [...new Set(points.map(({ color }) => color))].reverse();
  const among = colors.join();
  return colors.map((color) => (
    <PointsOf
      key={`${color} of ${among}`}
      color={color}
      points={points.filter((point) => point.color === color)}
    />
  ));
}

function PointsOf({ color, points }: Pick<Figure, "points"> & { color: string }) {
  const drawn = `var(${color})`;
  return (
    <>
      <Scatter
        data={points.filter((point) => !point.greedy)}
        dataKey="y"
        fill={drawn}
        isAnimationActive={false}
      >
        {points[0]!.successes !== null && !points[0]!.compared && (
          <ErrorBar
            dataKey="error"
            direction="y"
            width={5}
            strokeWidth={1.5}
            stroke={drawn}
            isAnimationActive={false}
          />
        )}
      </Scatter>
      <Scatter
        data={points.filter((point) => point.greedy)}
        dataKey="y"
        // A dot with the same value shows inside.
        fill="none"
        stroke={drawn}
        strokeWidth={1.5}
        shape="diamond"
        isAnimationActive={false}
      />
    </>
  );
}
