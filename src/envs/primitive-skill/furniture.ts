// What stands in the world of a task and is drawn: table, wall, targets, cabinet, cubes and apple.
import { boxFaces, type Face, type Rgb, type Vec3 } from "../../core/raster/solid.ts";
import { type Pose, plus, times, turnedBy } from "./geometry.ts";
import { APPLE_RADIUS, type Box, CABINET, CUBE_HALF, type ObjectName } from "./mjcf.ts";
import { ball, box, disc, rod, type Solid } from "./shapes.ts";
import { TARGETS, type Task } from "./tasks.ts";

const TABLE: Rgb = [222, 208, 186];
const TABLE_SECOND: Rgb = [208, 192, 168];
const TABLE_EDGE: Rgb = [168, 146, 118];
const WALL: Rgb = [222, 230, 236];
const FLOOR: Rgb = [150, 158, 168];
const RING: Rgb = [46, 104, 168];
const RING_INSIDE: Rgb = [196, 214, 232];
const WALNUT: Rgb = [152, 108, 74];
const PANEL: Rgb = [172, 126, 88];
const OAK: Rgb = [202, 160, 112];
const METAL: Rgb = [84, 90, 98];
const LEAF: Rgb = [92, 160, 62];
const STEM: Rgb = [106, 76, 48];

const COLORS: Readonly<Record<Exclude<ObjectName, "apple">, Rgb>> = {
  "red cube": [216, 52, 46],
  "green cube": [52, 168, 72],
  "purple cube": [142, 68, 190],
};

/** The top of the table with what is painted on it: it lies in one plane and takes shadows. */
export function tableTop({ id }: Task): Face[] {
  const top: Face = {
    points: [
      [-1.1, -1.3, 0],
      [0.55, -1.3, 0],
      [0.55, 1.3, 0],
      [-1.1, 1.3, 0],
    ],
    normal: [0, 0, 1],
    color: TABLE,
    pattern: { kind: "planks", size: 0.11, second: TABLE_SECOND },
  };
  return [top, ...(id === "PlaceTwoCube" ? [TARGETS.left, TARGETS.right].flatMap(target) : [])];
}

/** Each layer lies a little higher, so that it hides the one below. */
const target = (middle: Vec3): Face[] => [
  disc(middle, 0.0004, TARGETS.radius, RING),
  disc(middle, 0.0008, TARGETS.radius * 0.78, RING_INSIDE),
  disc(middle, 0.0012, TARGETS.radius * 0.2, RING),
];

/** Wall, floor and the body of the table. */
export const room = (): Solid[] => [
  boxFaces([-1.9, -6, -1], [-1.8, 6, 4], WALL),
  boxFaces([-1.8, -6, -0.9], [2, 6, -0.8], FLOOR),
  boxFaces([-1.1, -1.3, -0.05], [0.55, 1.3, -0.0005], TABLE_EDGE),
];

/** The walls of the cabinet, with a panel on its side and the front of another drawer that does not open. */
export const cabinet = (): Solid[] => [
  ...CABINET.shell.map((wall) => plain(wall, WALNUT)),
  plain({ from: [-0.3, -0.96, 0.05], to: [-0.298, -0.705, 0.35] }, PANEL),
  plain({ from: [-0.655, -0.665, 0.268], to: [-0.345, -0.655, 0.384] }, OAK),
  plain({ from: [-0.55, -0.655, 0.318], to: [-0.45, -0.637, 0.334] }, METAL),
];

/** The drawer, open by a length in metres. */
export const drawer = (open: number): Solid[] =>
  CABINET.drawer.map((wall, i) => plain(wall, i === CABINET.drawer.length - 1 ? METAL : OAK, open));

const plain = ({ from, to }: Box, color: Rgb, slid = 0): Face[] =>
  boxFaces(plus(from, [0, slid, 0]), plus(to, [0, slid, 0]), color);

/** An object that can be picked up. */
export const thing = (name: ObjectName, pose: Pose): Solid[] =>
  name === "apple" ? apple(pose) : [box(pose, [0, 0, 0], [CUBE_HALF, CUBE_HALF, CUBE_HALF], COLORS[name])];

/** Heights and radii of an apple's bands: broad shoulders and a narrower base. */
const APPLE: readonly (readonly [height: number, radius: number])[] = [
  [-0.94, 0.4],
  [-0.74, 0.68],
  [-0.3, 0.95],
  [0.15, 1],
  [0.55, 0.88],
  [0.82, 0.6],
  [0.88, 0.3],
];

function apple(pose: Pose): Solid[] {
  const local = (point: Vec3): Vec3 =>
    plus(pose.position, turnedBy(pose.rotation, times(point, APPLE_RADIUS)));
  const blush = (height: number): Rgb => [206 + 16 * height, 44 + 34 * (height + 1), 40 + 8 * height];
  const leaf = [
    local([0, 0.05, 1.12]),
    local([0.22, 0.45, 1.34]),
    local([0, 0.85, 1.3]),
    local([-0.22, 0.45, 1.34]),
  ];
  const side = (up: 1 | -1): Face => ({
    points: leaf,
    normal: turnedBy(pose.rotation, [0, 0, up]),
    color: LEAF,
  });
  return [
    ball(pose, APPLE_RADIUS, blush, APPLE),
    rod(local([0, 0, 0.86]), local([0.05, 0.08, 1.32]), STEM, 0.0025, 0.002),
    [side(1), side(-1)],
  ];
}
