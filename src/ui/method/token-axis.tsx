// The token line that the panels share: one column for each token, as wide as the page allows, scrolled where it does not fit.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { ScrollRegion } from "../components/controls.tsx";
import { useWidth } from "../components/use-size.ts";

/** Narrower columns cannot be told apart or hit; on a phone, seeing several turns at once matters more. */
const LEAST_COLUMN = { wide: 4, narrow: 2 };
/** Pixels up to which a line is that of a phone. */
const NARROW = 480;
/** Without a layout, as on a server, the line is drawn this wide. */
const UNKNOWN_WIDTH = 960;

/** Where tokens lie on a line, in pixels. */
export interface TokenAxis {
  readonly count: number;
  /** Width of one token. */
  readonly column: number;
  readonly width: number;
  /** Left edge of a token. */
  readonly x: (index: number) => number;
  /** Middle of a token. */
  readonly mid: (index: number) => number;
}

/** The axis of `count` tokens in a space of `available` pixels. */
export function tokenAxis(count: number, available: number): TokenAxis {
  const space = available || UNKNOWN_WIDTH;
  const least = LEAST_COLUMN[space <= NARROW ? "narrow" : "wide"];
  const column = Math.max(least, space / Math.max(1, count));
  return {
    count,
    column,
    width: column * count,
    x: (index) => index * column,
    mid: (index) => (index + 0.5) * column,
  };
}

/** A lane beside its name. */
export interface LaneLabel {
  name: ReactNode;
  /** Pixels from the top of the picture to the middle of the lane. */
  at: number;
  /** A number of a vertical scale. */
  tick?: boolean;
}

/**
 * Names at the left, a drawing over the token axis at the right. The drawing scrolls; the names stay. A click selects the
 * token under it.
 */
export function AxisPicture({
  name,
  count,
  height,
  labels,
  onPick,
  follow,
  children,
}: {
  /** What the picture shows, for a person who does not see it. */
  name: string;
  count: number;
  height: number;
  labels: readonly LaneLabel[];
  onPick?: (index: number) => void;
  /** A token that is kept in view. */
  follow?: number;
  children: (axis: TokenAxis) => ReactNode;
}) {
  const [ref, available] = useWidth<HTMLDivElement>();
  const axis = tokenAxis(count, available);
  const svg = useInView(follow === undefined ? null : axis.mid(follow));
  return (
    <div className="grid grid-cols-[78px_minmax(0,1fr)] gap-x-1 sm:gap-x-2 sm:grid-cols-[132px_minmax(0,1fr)]">
      <div className="relative" style={{ height }}>
        {labels.map(({ name: label, at, tick }) => (
          <span
            key={`${at} ${tick}`}
            className={`absolute right-0 -translate-y-1/2 text-right text-muted ${tick ? "nums text-[11px]" : "left-0 pr-3 text-[11px] leading-tight sm:pr-10 sm:text-caption"}`}
            style={{ top: at }}
          >
            {label}
          </span>
        ))}
      </div>
      <div ref={ref} className="min-w-0">
        <ScrollRegion name={`${name}, scrolls sideways`} className="fade-end pb-1">
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider of the panel selects tokens by keyboard */}
          <svg
            ref={svg}
            role="img"
            aria-label={name}
            width={axis.width}
            height={height}
            className={`block ${onPick ? "cursor-pointer" : ""}`}
            onClick={(event) => onPick?.(indexAt(event.clientX, event.currentTarget, axis))}
          >
            <HatchPattern />
            {children(axis)}
          </svg>
        </ScrollRegion>
      </div>
    </div>
  );
}

/** Scrolls the region around a drawing sideways when a place leaves it. The page itself stays where it is. */
function useInView(x: number | null) {
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const region = svg.current?.parentElement;
    if (!region || x === null) return;
    const { scrollLeft, clientWidth } = region;
    const margin = Math.min(40, clientWidth / 4);
    if (x < scrollLeft + margin || x > scrollLeft + clientWidth - margin)
      region.scrollLeft = x - clientWidth / 2;
  }, [x]);
  return svg;
}

function indexAt(clientX: number, svg: SVGSVGElement, { column, count }: TokenAxis): number {
  const at = Math.floor((clientX - svg.getBoundingClientRect().left) / column);
  return Math.max(0, Math.min(count - 1, at));
}

/** Id of the hatch that marks tokens which the policy did not write. */
const HATCH = "method-hatch";

function HatchPattern() {
  return (
    <defs>
      <pattern id={HATCH} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" fill="var(--panel)" />
        <rect width="1.2" height="5" fill="color-mix(in oklab, var(--environment) 40%, var(--panel))" />
      </pattern>
    </defs>
  );
}

/** A run of neighbouring tokens [from, to) with the same look. */
interface Run<T> {
  readonly from: number;
  readonly to: number;
  readonly look: T;
}

/** Neighbours with the same look as one run, which draws without hairlines and with few elements. */
export function runsOf<T>(count: number, lookOf: (index: number) => T): Run<T>[] {
  const runs: { from: number; to: number; look: T }[] = [];
  for (let i = 0; i < count; i++) {
    const look = lookOf(i);
    const last = runs.at(-1);
    if (last?.look === look) last.to++;
    else runs.push({ from: i, to: i + 1, look });
  }
  return runs;
}

/** A fill for the tokens that the policy was given. */
export const GIVEN = `url(#${HATCH})`;

/** A lane of filled runs; `fillOf` returns null where nothing is drawn. */
export function Lane({
  axis,
  top,
  height,
  fillOf,
}: {
  axis: TokenAxis;
  top: number;
  height: number;
  fillOf: (index: number) => string | null;
}) {
  return runsOf(axis.count, fillOf).map(
    ({ from, to, look }) =>
      look && (
        <rect
          key={from}
          x={axis.x(from)}
          y={top}
          width={(to - from) * axis.column}
          height={height}
          fill={look}
        />
      ),
  );
}

/** A thin box around the selected token, through the whole picture. */
export function Selection({ axis, index, height }: { axis: TokenAxis; index: number; height: number }) {
  const width = Math.max(axis.column, 5);
  return (
    <rect
      x={axis.mid(index) - width / 2}
      y={0.75}
      width={width}
      height={height - 1.5}
      rx={2}
      fill="color-mix(in oklab, var(--accent) 14%, transparent)"
      stroke="var(--accent)"
      strokeWidth={1.5}
    />
  );
}

/** Keys that move a slider move nothing else of the page. */
export function keepArrows(event: KeyboardEvent): void {
  if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation();
}

/** Selects one of a list of tokens: a native slider, so arrow keys, Home and End work. */
export function TokenSlider({
  label,
  position,
  last,
  text,
  onChange,
}: {
  label: string;
  /** Place in the list, 0…last. */
  position: number;
  last: number;
  /** The value in words. */
  text: string;
  onChange: (position: number) => void;
}) {
  return (
    <label className="flex min-w-0 flex-1 items-center gap-2 text-dense">
      <span className="flex-none text-muted">{label}</span>
      <input
        type="range"
        className="range min-w-0 flex-1"
        style={{ minWidth: 120 }}
        min={0}
        max={last}
        step={1}
        value={position}
        aria-valuetext={text}
        onKeyDown={keepArrows}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}
