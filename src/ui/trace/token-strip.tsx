// The whole trajectory in one line: every token a sliver in the current map's colour, turns apart, masked parts hatched.
import { useCallback, useEffect, useMemo, useReducer } from "react";
import type { Trajectory, TrajectoryTokens } from "../../core/types.ts";
import { useDrawing } from "../components/use-drawing.ts";
import { useWidth } from "../components/use-size.ts";
import type { HeatMapId } from "../store/view-options.ts";
import { BINS, binsOf, HEAT_MAP_SPECS } from "./heat-map.ts";

const HEIGHT = 30;

export function TokenStrip({
  trajectory,
  map,
  selected,
  onSelect,
}: {
  trajectory: Trajectory;
  map: HeatMapId;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const [theme, themeChanged] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    window.addEventListener("themechange", themeChanged);
    media.addEventListener("change", themeChanged);
    return () => {
      window.removeEventListener("themechange", themeChanged);
      media.removeEventListener("change", themeChanged);
    };
  }, []);
  const bins = useMemo(() => binsOf(trajectory.tokens, map), [trajectory, map]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the stylesheet, which the theme changes
  const drawStrip = useCallback(
    (canvas: HTMLCanvasElement) => {
      if (width > 0) draw(canvas, width, trajectory, map, bins, selected);
    },
    [width, trajectory, map, bins, selected, theme],
  );
  const canvas = useDrawing(drawStrip);
  const T = trajectory.tokens.ids.length;
  return (
    <div ref={ref} className="w-full">
      <canvas
        ref={canvas}
        role="img"
        aria-label="All tokens of the trajectory in one line; comma and full stop move along it"
        style={{ width: "100%", height: HEIGHT }}
        className="cursor-pointer rounded border border-line"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onSelect(Math.min(T - 1, Math.floor(((event.clientX - box.left) / box.width) * T)));
        }}
      />
    </div>
  );
}

/** What the parts of the drawing share. */
interface Strip {
  context: CanvasRenderingContext2D;
  tokens: TrajectoryTokens;
  /** The left edge of a token, in px. */
  x: (index: number) => number;
  /** A CSS colour as the canvas takes it. */
  color: (value: string) => string;
}

function draw(
  canvas: HTMLCanvasElement,
  width: number,
  { tokens }: Trajectory,
  map: HeatMapId,
  bins: readonly (number | null)[],
  selected: number | null,
): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = HEIGHT * scale;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(scale, scale);
  const color = colorReader(canvas);
  const strip: Strip = { context, tokens, x: (index) => (index / tokens.ids.length) * width, color };
  context.fillStyle = color("var(--surface)");
  context.fillRect(0, 0, width, HEIGHT);
  drawTokens(strip, map, bins);
  drawTurns(strip);
  if (selected !== null) drawSelection(strip, selected);
}

/** Every token as a sliver: in the colour of its bin, plain where it has none, hatched where it was given to the policy. */
function drawTokens(
  { context, tokens, x, color }: Strip,
  map: HeatMapId,
  bins: readonly (number | null)[],
): void {
  const hatch = color("color-mix(in oklab, var(--environment) 22%, var(--surface))");
  const plain = color("color-mix(in oklab, var(--accent) 35%, var(--surface))");
  const colors = binColors(color, map);
  for (const [i, bin] of bins.entries()) {
    const [from, to] = [x(i), x(i + 1)];
    if (tokens.responseMask[i] !== 0) {
      context.fillStyle = bin === null ? plain : colors.get(bin)!;
      context.fillRect(from, 0, to - from + 0.3, HEIGHT);
    } else if (i % 2 === 0) {
      // Too narrow for a real hatch: every other sliver, less high.
      context.fillStyle = hatch;
      context.fillRect(from, HEIGHT * 0.3, Math.max(0.5, to - from), HEIGHT * 0.4);
    }
  }
}

/** A line where a turn begins. */
function drawTurns({ context, tokens, x, color }: Strip): void {
  context.fillStyle = color("var(--text)");
  for (let i = 1; i < tokens.ids.length; i++)
    if (tokens.turnIndex[i] !== tokens.turnIndex[i - 1]) context.fillRect(x(i) - 0.5, 0, 1, HEIGHT);
}

/** A frame around the selected token. */
function drawSelection({ context, x, color }: Strip, selected: number): void {
  context.strokeStyle = color("var(--text)");
  context.lineWidth = 2;
  context.strokeRect(x(selected) - 1.5, 1, Math.max(3, x(selected + 1) - x(selected) + 3), HEIGHT - 2);
}

/** Canvas knows no CSS variables, so the colour is read from an element that uses one. */
function colorReader(canvas: HTMLCanvasElement): (value: string) => string {
  const before = canvas.style.color;
  // With reduced motion the page gives every change a very short transition, which begins with the colour before.
  canvas.style.transition = "none";
  return (value) => {
    canvas.style.color = value;
    const found = getComputedStyle(canvas).color;
    canvas.style.color = before;
    return found;
  };
}

const AMOUNTS = [0, 16, 30, 44, 58, 72, 86, 100];

function binColors(color: (value: string) => string, map: HeatMapId): Map<number, string> {
  const { hue } = HEAT_MAP_SPECS[map];
  const high = hue ? hue.replace("heat-", "--heat-") : "--heat-positive";
  const mix = (token: string, amount: number) =>
    color(`color-mix(in oklab, var(${token}) ${amount}%, var(--surface))`);
  const colors = new Map<number, string>([[0, mix(high, 0)]]);
  for (let bin = 1; bin <= BINS; bin++) {
    colors.set(bin, mix(high, AMOUNTS[bin]!));
    colors.set(-bin, mix("--heat-negative", AMOUNTS[bin]!));
  }
  return colors;
}
