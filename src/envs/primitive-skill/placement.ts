// Where cubes lie at the start: uniform in their regions, any yaw, apart from each other.
import type { Vec3 } from "../../core/raster/solid.ts";
import type { Rng } from "../../core/rng.ts";
import { flatDistance, type Pose, type Quaternion } from "./geometry.ts";
import { CUBE_HALF } from "./mjcf.ts";

interface Region {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
}

/** ManiSkill's radius of a cube in its sampler: half the diagonal of its base, and 20 mm for the fingers. */
const RADIUS = CUBE_HALF * Math.SQRT2 + 0.02;
/** Draws after which the last one is taken, whatever it touches. */
const TRIES = 100;

export const uniform = (random: Rng, low: number, high: number): number =>
  low + (high - low) * random.float();

/** Draws of a start after which the last one is taken. Within 1 mm about one draw in sixty fits, so fewer than one seed in 10⁶ needs more. */
const STARTS = 1000;

/**
 * The first start drawn in which two objects have nearly the same depth.
 * @param place draws a start
 * @param gap the most that two of the objects may differ in x, in millimetres; 0 takes the first start
 */
export function placedNear(place: () => Pose[], gap: number): Pose[] {
  let objects = place();
  for (let i = 1; i < STARTS && gap > 0 && depthGap(objects) > gap; i++) objects = place();
  return objects;
}

/** The smallest difference in x between two objects, in millimetres; 0 if there is only one. */
function depthGap(objects: readonly Pose[]): number {
  const depths = objects.map(({ position }) => position[0] * 1000).sort((a, b) => a - b);
  const gaps = depths.slice(1).map((x, i) => x - depths[i]!);
  return gaps.length > 0 ? Math.min(...gaps) : 0;
}

/** One cube in each region, two radii apart. */
export function cubesIn(random: Rng, regions: readonly Region[]): Pose[] {
  const cubes: Pose[] = [];
  for (const region of regions)
    cubes.push({ position: freePlace(random, region, cubes), rotation: yaw(random) });
  return cubes;
}

function freePlace(random: Rng, { x, y }: Region, others: readonly Pose[]): Vec3 {
  let place: Vec3 = [0, 0, 0];
  for (let i = 0; i < TRIES; i++) {
    place = [uniform(random, ...x), uniform(random, ...y), CUBE_HALF];
    if (others.every(({ position }) => flatDistance(place, position) >= 2 * RADIUS)) break;
  }
  return place;
}

/** A uniform turn about z, without sines: a point of the unit circle is the cosine and the sine of half the turn. */
function yaw(random: Rng): Quaternion {
  for (;;) {
    const [u, v] = [uniform(random, -1, 1), uniform(random, -1, 1)];
    const length = Math.sqrt(u * u + v * v);
    if (length > 0.1 && length <= 1) return [u / length, 0, 0, v / length];
  }
}
