// A home from above, for maps that people see.
import type { FloorPlan, Footprint } from "../env.ts";
import { footprintOf, type Home, isObstacle, type Rect } from "./home.ts";
import { AGENT_HEIGHT } from "./pose.ts";

const CENTIMETRES = 100;
const inMetres = ({ x0, z0, x1, z1 }: Rect): Footprint => [
  x0 / CENTIMETRES,
  z0 / CENTIMETRES,
  x1 / CENTIMETRES,
  z1 / CENTIMETRES,
];

export const floorPlanOf = ({ rooms, openings, things }: Home): FloorPlan => ({
  rooms: rooms.map(({ polygon }) => polygon.map(([x, z]) => [x / CENTIMETRES, z / CENTIMETRES] as const)),
  openings: openings.map(inMetres),
  things: things
    .filter((thing) => isObstacle(thing, AGENT_HEIGHT))
    .map((thing) => inMetres(footprintOf(thing))),
});
