// Icons that others have drawn, each made one short path in whole units of the canvas. `npm run icons` writes them again. They come from
// - Bootstrap Icons (https://icons.getbootstrap.com, MIT, © 2019–2024 The Bootstrap Authors),
// - Octicons (https://primer.style/octicons, MIT, © 2026 GitHub Inc.) and
// - Material Design Icons (https://pictogrammers.com/library/mdi, Apache-2.0, by the Pictogrammers icon group).
import type { Rng } from "../../core/rng.ts";
import { CLOSE, FILLS, OPEN } from "./drawing.ts";
import icons from "./icon-set.json" with { type: "json" };

/** Which icons are drawn: those to train on, or those kept for evaluation. */
export type Split = "train" | "test";

/** One in five is kept, by its name, so that an icon stays in its part when others are added, and a name is in one part of all sets. */
const KEPT = 5;

const splitOf = (name: string): Split => {
  let hash = 7;
  for (const char of name) hash = (31 * hash + char.charCodeAt(0)) % 65_521;
  return hash % KEPT === 0 ? "test" : "train";
};

type IconSet = Readonly<Record<Split, readonly string[]>>;

/** In the order of their names. */
function split(paths: Readonly<Record<string, string>>): IconSet {
  const part = (wanted: Split) =>
    Object.entries(paths).flatMap(([name, path]) => (splitOf(name) === wanted ? [path] : []));
  return { train: part("train"), test: part("test") };
}

const [bootstrap, octicons, mdi] = [split(icons.bootstrap), split(icons.octicons), split(icons.mdi)];
const sets = [bootstrap, octicons, mdi];

/** The code of each icon's path. */
export const iconSets = {
  bootstrap,
  octicons,
  mdi,
  all: { train: sets.flatMap(({ train }) => train), test: sets.flatMap(({ test }) => test) },
} as const satisfies Record<string, IconSet>;

export type SetName = keyof typeof iconSets;

/** An icon of a set in a random colour, as a drawing. */
export const drawFromSet = (random: Rng, part: Split, set: SetName = "bootstrap"): string =>
  `${OPEN}<path d="${random.pick(iconSets[set][part])}" fill="${random.pick(FILLS)}"/>${CLOSE}`;
