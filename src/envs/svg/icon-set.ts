// Icons that others have drawn: those of Bootstrap Icons (https://icons.getbootstrap.com, MIT, © 2019–2024 The Bootstrap Authors) that
// are one short path, in whole units of the canvas. `npm run icons` writes the list again.
import type { Rng } from "../../core/rng.ts";
import { CLOSE, FILLS, OPEN } from "./drawing.ts";
import icons from "./icon-set.json" with { type: "json" };

/** Which icons are drawn: those to train on, or those kept for evaluation. */
type Split = "train" | "test";

/** One in five is kept, by its name, so that an icon stays in its part when others are added. */
const KEPT = 5;

const splitOf = (name: string): Split => {
  let hash = 7;
  for (const char of name) hash = (31 * hash + char.charCodeAt(0)) % 65_521;
  return hash % KEPT === 0 ? "test" : "train";
};

/** In the order of their names. */
const pathsOf = (split: Split): string[] =>
  Object.entries(icons).flatMap(([name, path]) => (splitOf(name) === split ? [path] : []));

/** The code of each icon's path. */
export const iconSet: Readonly<Record<Split, readonly string[]>> = {
  train: pathsOf("train"),
  test: pathsOf("test"),
};

/** An icon of the set in a random colour, as a drawing. */
export const drawFromSet = (random: Rng, split: Split): string =>
  `${OPEN}<path d="${random.pick(iconSet[split])}" fill="${random.pick(FILLS)}"/>${CLOSE}`;
