// The figures of docs/results.md and docs/results-worlds.md that show how success rises in training, from docs/learning-curves.csv.
import { drawCurves } from "./chart.ts";
import type { RunResult } from "./results.ts";

/** A curve of a figure: all seeds of a policy, in one of its environments if it has several. */
interface CurveSpec {
  name: string;
  policy: string;
  environment?: string;
}

/** Title and curves of each figure, by its file in docs/images. */
const FIGURES: Readonly<Record<string, { title: string; curves: readonly CurveSpec[] }>> = {
  "learning-sokoban-long.svg": {
    title: "Sokoban, 6 to 9 moves: PPO",
    curves: [{ name: "sokoban-long-small, three seeds", policy: "sokoban-long-small" }],
  },
  "learning-primitive-skill.svg": {
    title: "PrimitiveSkill: PPO from the novice",
    curves: [
      { name: "Place", policy: "primitive-skill-small", environment: "primitive-skill" },
      { name: "Stack", policy: "primitive-skill-small", environment: "stack" },
      { name: "Drawer", policy: "primitive-skill-small", environment: "drawer" },
      { name: "Align", policy: "primitive-skill-small", environment: "align" },
      { name: "Stack, with rehearsal", policy: "primitive-skill-small rehearsing", environment: "stack" },
    ],
  },
  "learning-worlds.svg": {
    title: "Worlds: what PPO adds",
    curves: [
      { name: "Navigation, three seeds", policy: "navigation-small" },
      { name: "SpatialGym's questions, two seeds", policy: "spatial-gym-small" },
      { name: "SpatialGym's map, two seeds", policy: "spatial-gym-map-small" },
      { name: "three tasks: FrozenLake", policy: "three-tasks-small", environment: "frozenlake" },
      { name: "three tasks: Sokoban", policy: "three-tasks-small", environment: "sokoban" },
      { name: "three tasks: Navigation", policy: "three-tasks-small", environment: "navigation" },
    ],
  },
};

/** Updates of which a point is the mean: the success of single training batches swings. */
const WINDOW = 5;

/** A line of the CSV file: policy, seed, environment, update, success. */
type Line = readonly string[];

/** The figures as SVG text by their file names. @param csv every update's success in training, under a line of column names */
export function learningFigures(csv: string): Record<string, string> {
  const [, ...rows] = csv.trim().split("\n");
  const lines = rows.map((row) => row.split(","));
  const drawn = Object.entries(FIGURES).map(([file, { title, curves }]) => {
    const figure = curves.map((spec) => ({ name: spec.name, cell: { runs: runsOf(lines, spec) } }));
    return [file, drawCurves(title, figure, "Success in training, mean of five updates")];
  });
  return Object.fromEntries(drawn);
}

/** @throws Error for a curve without lines. */
function runsOf(
  lines: readonly Line[],
  { name, policy, environment }: CurveSpec,
): Pick<RunResult, "curve">[] {
  const own = lines.filter(([of, , env]) => of === policy && (!environment || env === environment));
  if (own.length === 0) throw new Error(`docs/learning-curves.csv has no lines of ${policy} for ${name}.`);
  const seeds = [...new Set(own.map(([, seed]) => seed))];
  return seeds.map((seed) => ({ curve: windowsOf(own.filter(([, of]) => of === seed)) }));
}

/** Every fifth update, with the mean of the five that end there. */
function windowsOf(lines: readonly Line[]): RunResult["curve"] {
  const means: { update: number; success: number }[] = [];
  for (let end = WINDOW; end <= lines.length; end += WINDOW) {
    const sum = lines
      .slice(end - WINDOW, end)
      .reduce((total, [, , , , success]) => total + Number(success), 0);
    means.push({ update: Number(lines[end - 1]![3]), success: sum / WINDOW });
  }
  return means;
}
