// Learning curves as SVG: the mean over the seeds, and the range that they span.
import type { RunResult } from "./results.ts";

/** Colours that stay apart for colour-blind readers and in grey (Okabe and Ito, 2008). */
const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F"];

/** The plot, in pixels, and the space around it. */
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [560, 320, 56, 32, 48];
/** Width of a legend's line, and about that of a character. */
const [KEY, CHARACTER] = [24, 6.5];

interface Row {
  name: string;
  /** Its runs differ in their seeds. */
  cell: { runs: readonly Pick<RunResult, "curve">[] };
}

/** What the seeds of a row reached at one update. */
interface Point {
  update: number;
  mean: number;
  low: number;
  high: number;
}

/** The chart of some rows under their names, as SVG text. Success is from 0 to 1; `measure` says of what it is. */
export function drawCurves(
  title: string,
  rows: readonly Row[],
  measure = "Success on unseen levels",
): string {
  const curves = rows.map(({ cell }) => pointsOf(cell));
  const last = Math.max(1, ...curves.flat().map(({ update }) => update));
  const width = LEFT + WIDTH + 24 + KEY + CHARACTER * Math.max(...rows.map(({ name }) => name.length)) + 16;
  const [x, y] = [
    (update: number) => LEFT + (update / last) * WIDTH,
    (success: number) => TOP + (1 - success) * HEIGHT,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${Math.ceil(width)}" height="${TOP + HEIGHT + BOTTOM}" font-family="sans-serif" font-size="11">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" fill="white"/>',
    text(LEFT + WIDTH / 2, 20, title, 'text-anchor="middle" font-size="13" font-weight="bold"'),
    ...[0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((at) => [
      line(LEFT, y(at), LEFT + WIDTH, y(at)),
      text(LEFT - 6, y(at) + 4, at.toFixed(1), 'text-anchor="end"'),
    ]),
    ...ticks(last).flatMap((at) => [
      line(x(at), TOP, x(at), TOP + HEIGHT),
      text(x(at), TOP + HEIGHT + 16, `${at}`, 'text-anchor="middle"'),
    ]),
    text(LEFT + WIDTH / 2, TOP + HEIGHT + 38, "PPO updates", 'text-anchor="middle"'),
    text(0, 0, measure, `text-anchor="middle" transform="translate(16 ${TOP + HEIGHT / 2}) rotate(-90)"`),
    ...curves.map((points, i) => curve(points, colorOf(i), x, y)),
    ...rows.map(({ name }, i) => legend(name, colorOf(i), TOP + 10 + 18 * i)),
    "</svg>\n",
  ].join("\n");
}

const colorOf = (row: number): string => COLORS[row % COLORS.length]!;

/** The points of a row by update; a seed that ended early is missing in the later ones. */
function pointsOf({ runs }: Row["cell"]): Point[] {
  const validations = runs.flatMap(({ curve }) => curve);
  const updates = [...new Set(validations.map(({ update }) => update))].sort((a, b) => a - b);
  return updates.map((update) => {
    const found = validations.filter((point) => point.update === update).map(({ success }) => success);
    const mean = found.reduce((sum, success) => sum + success, 0) / found.length;
    return { update, mean, low: Math.min(...found), high: Math.max(...found) };
  });
}

type Scale = (value: number) => number;

/** The range of a row as a band, its mean as a line with points. */
function curve(points: readonly Point[], color: string, x: Scale, y: Scale): string {
  const path = (of: "mean" | "low" | "high") =>
    points.map((point) => `${x(point.update).toFixed(1)},${y(point[of]).toFixed(1)}`);
  const dots = path("mean").map((at) => `<circle cx="${at.replace(",", '" cy="')}" r="2.5"/>`);
  return [
    `<g fill="${color}">`,
    `<polygon points="${[...path("high"), ...path("low").reverse()].join(" ")}" opacity="0.15"/>`,
    `<polyline points="${path("mean").join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...dots,
    "</g>",
  ].join("");
}

function legend(name: string, color: string, at: number): string {
  const left = LEFT + WIDTH + 24;
  return `<path d="M${left} ${at}h${KEY - 6}" stroke="${color}" stroke-width="3"/>${text(left + KEY, at + 4, name)}`;
}

/** Round numbers from 0 to `last`, at most eight of them. */
function ticks(last: number): number[] {
  const size = 10 ** Math.floor(Math.log10(last / 7));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * size).find((each) => last / each <= 7)!);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" stroke="#ddd"/>`;

const text = (x: number, y: number, content: string, attributes = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(content)}</text>`;

const escaped = (content: string): string =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
