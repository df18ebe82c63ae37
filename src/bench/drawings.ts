// `--drawings`: how many drawings one core renders and compares in a second, and how similar other icons are to an icon: the scale
// of similarities, and the baseline of a policy that knows a number of icons by heart.

import { meanWithHalfWidth } from "../core/mean-interval.ts";
import { config } from "../envs/svg/config.ts";
import { loadRaster, rasterise } from "../envs/svg/raster.ts";
import { readDrawing, type SafeDrawing } from "../envs/svg/sanitise.ts";
import { COMPARED_SIDE, compare, type Features, featuresOf, weightedMean } from "../envs/svg/similarity.ts";
import { Svg } from "../envs/svg/svg.ts";
import { timesPerCoreSecond } from "./core-seconds.ts";

/** Icons that are compared with the known ones. */
const ICONS = 128;
/** The first of them, beyond the seeds of training and validation. */
const FIRST_SEED = 600_000;
const BLANK = '<svg viewBox="0 0 64 64"><g/></svg>';

type Options = ReturnType<typeof config.parse>;

/** Compares icons with `count` known ones, under the default options and under those of the preset; resolves to the exit code. */
export async function drawingsCommand(count: number, print: (text: string) => void): Promise<number> {
  await loadRaster();
  for (const overrides of [{}, { max_shapes: 2, lattice: 8 }]) {
    const options = config.parse(overrides);
    const icons = codes(options, FIRST_SEED, ICONS).map(featuresOfCode);
    const known = codes(options, 1, count).map(featuresOfCode);
    const nearest = icons.map((icon) => Math.max(...known.map((other) => similarity(icon, other, options))));
    const others = icons.map((icon, i) => similarity(icon, icons[(i + 1) % ICONS]!, options));
    const blank = icons.map((icon) => similarity(icon, featuresOfCode(BLANK), options));
    print(`${options.max_shapes} shapes at most, lattice ${options.lattice}: similarity of ${ICONS} icons`);
    print(`  to the nearest of ${count} others ${meanWithHalfWidth(nearest)}`);
    print(`  to another ${meanWithHalfWidth(others)}, to blank paper ${meanWithHalfWidth(blank)}`);
  }
  print(speed());
  return 0;
}

function codes(options: Options, from: number, count: number): string[] {
  const env = new Svg(options);
  return Array.from({ length: count }, (_, i) => {
    env.reset(from + i);
    return env.oracle()[0]!;
  });
}

const featuresOfCode = (code: string): Features =>
  featuresOf(rasterise(readDrawing(code) as SafeDrawing, COMPARED_SIDE));

const similarity = (a: Features, b: Features, options: Options): number =>
  weightedMean(compare(a, b), options);

function speed(): string {
  const [code] = codes(config.parse({}), FIRST_SEED, 1) as [string];
  const icon = featuresOfCode(code);
  const perSecond = (work: () => unknown): string => timesPerCoreSecond(work, 50, 300).toFixed(0);
  const drawn = perSecond(() => rasterise(readDrawing(code) as SafeDrawing, COMPARED_SIDE));
  const compared = perSecond(() => compare(icon, featuresOfCode(code)));
  return `${drawn} drawings/s of ${COMPARED_SIDE} px, ${compared} drawings/s with their comparison`;
}
