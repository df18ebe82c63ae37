// What the graphs over the token line are made of: bars, lines that stop where no token is kept, and their zero.

import { written } from "./numbers.tsx";
import type { Scale } from "./scale.ts";
import { type LaneLabel, runsOf, type TokenAxis } from "./token-axis.tsx";

/** What the recursion has not reached is there, but pale. */
const FAINT = 0.25;

/** Zero, the largest and the smallest number as lines. */
export function Frame({
  axis,
  scale,
  extent,
}: {
  axis: TokenAxis;
  scale: Scale;
  extent: readonly [number, number];
}) {
  const line = { x1: 0, x2: axis.width };
  return (
    <>
      <line {...line} y1={scale(0)} y2={scale(0)} stroke="var(--line-strong)" />
      {extent
        .filter((value) => value !== 0)
        .map((value) => (
          <line
            key={value}
            {...line}
            y1={scale(value)}
            y2={scale(value)}
            stroke="var(--line)"
            strokeDasharray="2 4"
          />
        ))}
    </>
  );
}

/** The numbers of the lines of a frame, beside the drawing; zero alone where nothing else is. */
export function ticksOf(scale: Scale, extent: readonly [number, number]): LaneLabel[] {
  const values = [...new Set([0, ...extent])];
  return values.map((value) => ({ name: value === 0 ? "0" : written(value), at: scale(value), tick: true }));
}

/** A bar for each position: blue up, orange down, as in the heat-maps. */
export function Bars({
  axis,
  scale,
  positions,
  values,
  faint = false,
  solid = false,
}: {
  axis: TokenAxis;
  scale: Scale;
  positions: readonly number[];
  /** By position. */
  values: ArrayLike<number>;
  /** Not reached yet. */
  faint?: boolean;
  /** Bars touch, for numbers that go on from token to token. */
  solid?: boolean;
}) {
  const width = solid ? axis.column + 0.3 : Math.max(1.5, axis.column - 1);
  return positions.map((index) => {
    const value = values[index] as number;
    const [y, zero] = [scale(value), scale(0)];
    return (
      <rect
        key={index}
        x={axis.mid(index) - width / 2}
        y={Math.min(y, zero)}
        width={width}
        height={Math.max(0.75, Math.abs(y - zero))}
        fill={value < 0 ? "var(--heat-negative)" : "var(--heat-positive)"}
        opacity={faint ? FAINT : 1}
      />
    );
  });
}

/** A line through the positions at which `isDrawn`; it stops elsewhere. */
export function Line({
  axis,
  scale,
  values,
  isDrawn,
  color,
  dashed = false,
  faint = false,
}: {
  axis: TokenAxis;
  scale: Scale;
  values: ArrayLike<number>;
  isDrawn: (index: number) => boolean;
  color: string;
  dashed?: boolean;
  /** Not reached yet. */
  faint?: boolean;
}) {
  const parts = runsOf(axis.count, isDrawn).filter(({ look }) => look);
  return parts.map(({ from, to }) => {
    const points = Array.from({ length: to - from }, (_, k) => {
      const i = from + k;
      return `${axis.mid(i).toFixed(1)},${scale(values[i] as number).toFixed(1)}`;
    });
    // A single token is a short dash: a line of one point would not be drawn.
    if (points.length === 1)
      points.push(`${(axis.mid(from) + 2).toFixed(1)},${scale(values[from] as number).toFixed(1)}`);
    return (
      <polyline
        key={from}
        points={points.join(" ")}
        fill="none"
        stroke={color}
        strokeWidth={dashed ? 1.5 : 2}
        strokeLinejoin="round"
        opacity={faint ? FAINT : 1}
        {...(dashed ? { strokeDasharray: "4 3" } : {})}
      />
    );
  });
}

/** An arrow in an arc from one place to another, both at the height `y`. */
export function Arc({ from, to, y, rise }: { from: number; to: number; y: number; rise: number }) {
  const middle = (from + to) / 2;
  const side = Math.sign(to - from) || 1;
  return (
    <g fill="none" stroke="var(--accent)" strokeWidth={2}>
      <path d={`M ${from} ${y} Q ${middle} ${y - 2 * rise} ${to} ${y}`} />
      <path
        d={`M ${to - 6 * side} ${y - 6} L ${to} ${y} L ${to - 7 * side} ${y + 1}`}
        strokeLinejoin="round"
      />
    </g>
  );
}
