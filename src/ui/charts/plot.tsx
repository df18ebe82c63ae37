// The drawing itself: Recharts under the studio's rules. Fixed size, no animation, no dots on lines, no tooltip of its
// own; what moves with the pointer lives in `overlay.tsx`, so that a chart is drawn only when its data changed.
import { memo } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceLine,
  Scatter,
  XAxis,
  YAxis,
} from "recharts";
import { formatPercent } from "../lib/format.ts";
import type { XAxis as XAxisName } from "../store/view-options.ts";
import { axisFormat, xAxisFormat } from "./axis-format.ts";
import type { ChartSpec } from "./catalog.ts";
import type { Figure } from "./figure.ts";

/** Where the plot lies inside the chart; the overlay relies on it. */
export const MARGIN = { top: 8, right: 10, bottom: 22, left: 58 } as const;

const CHART_MARGIN = { top: MARGIN.top, right: MARGIN.right, bottom: 0, left: 0 };
const TICK = { fontSize: 11 };

interface PlotProps {
  chart: ChartSpec;
  figure: Figure;
  x: XAxisName;
  width: number;
  height: number;
}

export const Plot = memo(function Plot({ chart, figure, x, width, height }: PlotProps) {
  const { rows, lines, points, yDomain, yTicks, xDomain } = figure;
  // Clipped, a point at the edge would lose a half.
  const isInside = [...rows, ...points].every(({ x: at }) => at >= xDomain[0] && at <= xDomain[1]);
  const decimated = lines.some((line) => line.raw.length > rows.length);
  const common = { isAnimationActive: false, dot: false, activeDot: false, type: "linear" } as const;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={rows as Figure["rows"] & object[]}
      margin={CHART_MARGIN}
      // Penalties lie below the axis instead of eating into what was earned.
      stackOffset="sign"
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="x"
        type="number"
        domain={xDomain as [number, number]}
        allowDataOverflow={!isInside}
        height={MARGIN.bottom}
        tick={TICK}
        tickFormatter={xAxisFormat(x, figure.xTicks)}
        tickLine={false}
        axisLine={{ stroke: "var(--line-strong)" }}
        ticks={figure.xTicks as number[]}
        minTickGap={28}
      />
      <YAxis
        type="number"
        domain={yDomain as [number, number]}
        ticks={yTicks as number[]}
        scale={chart.scale === "log" && yDomain[0] > 0 ? "log" : "linear"}
        // Shares lie inside their axis; clipped, a point at 100 % would lose its upper half.
        allowDataOverflow={!figure.share}
        width={MARGIN.left}
        tick={TICK}
        tickFormatter={figure.share ? formatPercent : axisFormat(yTicks, chart.scale === "log")}
        tickLine={false}
        axisLine={false}
      />
      {chart.kind === "stack" &&
        lines.map((line) => (
          <Area
            key={line.id}
            {...common}
            dataKey={line.id}
            name={line.label}
            stackId="parts"
            stroke={`var(${line.color})`}
            strokeWidth={1}
            fill={`var(${line.color})`}
            fillOpacity={0.55}
            connectNulls={false}
          />
        ))}
      {chart.kind === "lines" &&
        chart.band &&
        decimated &&
        lines.map((line) => (
          <Area
            key={`band:${line.id}`}
            {...common}
            dataKey={`band:${line.id}`}
            stroke="none"
            fill={`var(${line.color})`}
            fillOpacity={0.14}
            connectNulls={false}
          />
        ))}
      {chart.kind === "lines" &&
        lines.map(
          (line) =>
            line.smoothing > 0 && (
              <Line
                key={`raw:${line.id}`}
                {...common}
                dataKey={`raw:${line.id}`}
                stroke={`var(${line.color})`}
                strokeOpacity={0.35}
                strokeWidth={1}
                connectNulls={false}
              />
            ),
        )}
      {chart.kind === "lines" &&
        lines.map((line) => (
          <Line
            key={line.id}
            {...common}
            dataKey={line.id}
            name={line.label}
            stroke={`var(${line.color})`}
            strokeWidth={2}
            connectNulls={false}
          />
        ))}
      {chart.guide && (
        <ReferenceLine
          y={chart.guide.value}
          stroke="var(--control)"
          strokeDasharray="4 3"
          label={{ value: chart.guide.label, position: "insideTopRight", fontSize: 11, fill: "var(--muted)" }}
        />
      )}
      {points.length > 0 && (
        <Scatter
          data={points.filter((point) => !point.greedy)}
          dataKey="y"
          fill="var(--run-2)"
          isAnimationActive={false}
        >
          {points[0]!.successes !== null && (
            <ErrorBar
              dataKey="error"
              direction="y"
              width={5}
              strokeWidth={1.5}
              stroke="var(--run-2)"
              isAnimationActive={false}
            />
          )}
        </Scatter>
      )}
      {points.length > 0 && (
        <Scatter
          data={points.filter((point) => point.greedy)}
          dataKey="y"
          fill="var(--surface)"
          stroke="var(--run-2)"
          strokeWidth={1.5}
          shape="diamond"
          isAnimationActive={false}
        />
      )}
    </ComposedChart>
  );
});
