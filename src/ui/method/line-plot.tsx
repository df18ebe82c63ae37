// A small plot of one number over updates, for two or three runs: their means as lines, their seeds as bands.
import { useWidth } from "../components/use-size.ts";
import { formatNumber, formatPercent } from "../lib/format.ts";
import type { Curve, Plot } from "./findings.ts";
import { linear, type Scale } from "./scale.ts";

const HEIGHT = 190;
const MARGIN = { left: 44, right: 10, top: 10, bottom: 34 };
const COLORS = ["var(--run-2)", "var(--run-1)", "var(--run-3)"];
const DASHES = ["6 4", "", "2 3"];
const UNKNOWN_WIDTH = 420;

/** The largest number of the vertical axis: 1 for shares, else the next number with one digit that all fit under. */
export function topOfAxis({ curves, isShare }: Plot): number {
  if (isShare) return 1;
  const most = Math.max(...curves.flatMap(({ points }) => points.map(({ high }) => high)));
  const unit = 10 ** Math.floor(Math.log10(most || 1));
  return Math.ceil(most / unit) * unit;
}

export function LinePlot({ plot }: { plot: Plot }) {
  const [ref, available] = useWidth<HTMLDivElement>();
  const width = available || UNKNOWN_WIDTH;
  const top = topOfAxis(plot);
  const lastUpdate = Math.max(...plot.curves.map(({ points }) => points.at(-1)!.update));
  const y = linear([0, top], MARGIN.top, HEIGHT - MARGIN.bottom);
  // `linear` counts upwards from its lower end, which is at the left here.
  const x = linear([0, lastUpdate], width - MARGIN.right, MARGIN.left);
  const write = (value: number) => (plot.isShare ? formatPercent(value) : formatNumber(value));
  return (
    <figure className="m-0 min-w-0" ref={ref}>
      <figcaption className="mb-1 flex flex-wrap items-center justify-between gap-x-4 text-caption">
        <span className="font-semibold">{plot.title}</span>
        <Legend curves={plot.curves} />
      </figcaption>
      {/* At most as wide as its place, also before that is measured: on a phone the page would be wider than the screen. */}
      <svg role="img" aria-label={summaryOf(plot)} width={width} height={HEIGHT} className="block max-w-full">
        <Axes top={top} lastUpdate={lastUpdate} x={x} y={y} write={write} />
        {plot.curves.map((curve, n) => (
          <Drawn key={curve.name} curve={curve} x={x} y={y} color={COLORS[n]!} dash={DASHES[n]!} />
        ))}
      </svg>
      <p className="text-caption text-muted">{plot.note}</p>
    </figure>
  );
}

/** The curves in words: where each begins and ends. */
export function summaryOf({ title, curves, isShare }: Plot): string {
  const write = (value: number) => (isShare ? formatPercent(value) : formatNumber(value));
  const texts = curves.map(({ name, points }) => {
    const [from, to] = [points[0]!, points.at(-1)!];
    return `${name} from ${write(from.mean)} at update ${from.update} to ${write(to.mean)} at update ${to.update}`;
  });
  return `${title}: ${texts.join("; ")}.`;
}

function Legend({ curves }: { curves: readonly Curve[] }) {
  return (
    <span className="flex flex-wrap gap-x-4">
      {curves.map(({ name }, n) => (
        <span key={name} className="flex items-center gap-1.5 text-muted">
          <svg width="22" height="8" aria-hidden="true">
            <line x2="22" y1="4" y2="4" stroke={COLORS[n]} strokeWidth="2.5" strokeDasharray={DASHES[n]} />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

function Axes({
  top,
  lastUpdate,
  x,
  y,
  write,
}: {
  top: number;
  lastUpdate: number;
  x: Scale;
  y: Scale;
  write: (value: number) => string;
}) {
  const text = { fontSize: 11, fill: "var(--muted)" };
  return (
    <g className="nums">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line x1={x(0)} x2={x(lastUpdate)} y1={y(share * top)} y2={y(share * top)} stroke="var(--line)" />
          <text x={x(0) - 6} y={y(share * top) + 4} textAnchor="end" {...text}>
            {write(share * top)}
          </text>
        </g>
      ))}
      {[0, 0.5, 1].map((share) => (
        <text
          key={share}
          x={x(share * lastUpdate)}
          y={HEIGHT - MARGIN.bottom + 15}
          textAnchor={share === 1 ? "end" : share === 0 ? "start" : "middle"}
          {...text}
        >
          {Math.round(share * lastUpdate)}
        </text>
      ))}
      <text x={(x(0) + x(lastUpdate)) / 2} y={HEIGHT - 4} textAnchor="middle" {...text}>
        PPO updates
      </text>
    </g>
  );
}

function Drawn({
  curve,
  x,
  y,
  color,
  dash,
}: {
  curve: Curve;
  x: Scale;
  y: Scale;
  color: string;
  dash: string;
}) {
  const at = (value: (point: Curve["points"][number]) => number) =>
    curve.points.map((point) => `${x(point.update).toFixed(1)},${y(value(point)).toFixed(1)}`);
  const band = [...at(({ high }) => high), ...at(({ low }) => low).reverse()];
  return (
    <>
      <polygon points={band.join(" ")} fill={color} opacity={0.14} />
      <polyline
        points={at(({ mean }) => mean).join(" ")}
        fill="none"
        stroke={color}
        strokeWidth={2.25}
        strokeDasharray={dash}
        strokeLinejoin="round"
      />
    </>
  );
}
