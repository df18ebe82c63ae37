// Where the agent can stand. It is a cylinder as in AI2-THOR, and keeps clear of walls and things by its radius.
import { type Block, footprintOf, type Home, isObstacle, type Rect } from "./home.ts";
import { AGENT_HEIGHT, AGENT_RADIUS, GRID } from "./pose.ts";
import { extentOf, floorOf, wallsOf } from "./walls.ts";

/** Free places of a home, in steps of `GRID`. */
export interface Ground {
  /** Smallest x and z. */
  x0: number;
  z0: number;
  cols: number;
  rows: number;
  /** 1 where the agent can stand, row by row along x. */
  free: Uint8Array;
}

export function groundOf(home: Home): Ground {
  const extent = extentOf(home);
  const [x0, z0] = [Math.ceil(extent.x0 / GRID), Math.ceil(extent.z0 / GRID)];
  const cols = Math.floor(extent.x1 / GRID) - x0 + 1;
  const rows = Math.floor(extent.z1 / GRID) - z0 + 1;
  const ground = { x0, z0, cols, rows, free: new Uint8Array(cols * rows) };
  for (const floor of [...home.rooms.flatMap(({ polygon }) => floorOf(polygon)), ...home.openings])
    eachPlace(ground, floor, (index) => {
      ground.free[index] = 1;
    });
  for (const { rect } of obstaclesOf(home)) clearAround(ground, rect);
  return ground;
}

/** Whether the agent can stand at a place, in steps of `GRID`. */
export function isFree({ x0, z0, cols, rows, free }: Ground, x: number, z: number): boolean {
  const [col, row] = [x - x0, z - z0];
  return col >= 0 && row >= 0 && col < cols && row < rows && free[row * cols + col] === 1;
}

/**
 * Whether a straight move is free at every place on its way.
 * @param dx change of x in each of the steps: −1, 0 or 1; so is `dz` of z.
 */
export function isFreeMove(
  ground: Ground,
  x: number,
  z: number,
  dx: number,
  dz: number,
  steps: number,
): boolean {
  for (let i = 1; i <= steps; i++) if (!isFree(ground, x + dx * i, z + dz * i)) return false;
  return true;
}

/** What is in the way at a place where the agent cannot stand, as people say it. */
export function obstacleAt(home: Home, x: number, z: number): string {
  const blocking = obstaclesOf(home)
    .map(({ rect, name }) => ({ name, distance: squaredDistance(rect, x * GRID, z * GRID) }))
    .filter(({ distance }) => distance < AGENT_RADIUS * AGENT_RADIUS)
    .sort((a, b) => a.distance - b.distance);
  return blocking[0]?.name ?? "a wall";
}

/** Rectangles that the agent cannot enter, and what they are. */
function obstaclesOf(home: Home): { rect: Rect; name: string }[] {
  const walls = home.rooms
    .flatMap((room) => wallsOf(room, home))
    .filter((wall: Block) => wall.y0 < AGENT_HEIGHT);
  const things = home.things.filter((thing) => isObstacle(thing, AGENT_HEIGHT));
  return [
    ...things.map((thing) => ({ rect: footprintOf(thing), name: `the ${thing.name}` })),
    ...walls.map((rect) => ({ rect, name: "a wall" })),
  ];
}

function clearAround(ground: Ground, rect: Rect): void {
  const reach = {
    x0: rect.x0 - AGENT_RADIUS,
    x1: rect.x1 + AGENT_RADIUS,
    z0: rect.z0 - AGENT_RADIUS,
    z1: rect.z1 + AGENT_RADIUS,
  };
  eachPlace(ground, reach, (index, x, z) => {
    if (squaredDistance(rect, x, z) < AGENT_RADIUS * AGENT_RADIUS) ground.free[index] = 0;
  });
}

/** Every place of the grid in a rectangle, with its position in centimetres. */
function eachPlace(
  { x0, z0, cols, rows }: Ground,
  rect: Rect,
  visit: (index: number, x: number, z: number) => void,
): void {
  const firstRow = Math.max(0, Math.ceil(rect.z0 / GRID) - z0);
  const lastRow = Math.min(rows - 1, Math.floor(rect.z1 / GRID) - z0);
  const firstCol = Math.max(0, Math.ceil(rect.x0 / GRID) - x0);
  const lastCol = Math.min(cols - 1, Math.floor(rect.x1 / GRID) - x0);
  for (let row = firstRow; row <= lastRow; row++)
    for (let col = firstCol; col <= lastCol; col++)
      visit(row * cols + col, (col + x0) * GRID, (row + z0) * GRID);
}

/** Squared distance from a place to a rectangle, in square centimetres; 0 inside. */
function squaredDistance({ x0, x1, z0, z1 }: Rect, x: number, z: number): number {
  const dx = Math.max(x0 - x, 0, x - x1);
  const dz = Math.max(z0 - z, 0, z - z1);
  return dx * dx + dz * dz;
}
