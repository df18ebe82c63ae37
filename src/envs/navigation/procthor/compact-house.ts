// A house as it is kept: in its own format, with what is read of it and nothing else.
import { quarterOf } from "./furniture.ts";
import type { House, HouseChild, HouseWall } from "./house-schema.ts";

type CompactHouse = Omit<House, "windows"> & Partial<Pick<House, "windows">>;

/**
 * The house without what makes no difference to its home: lengths in whole centimetres, quarter turns, and only the walls that tell
 * the place of a passage, a door or a window, or the height of the ceiling.
 */
export function compactHouse(house: House): CompactHouse {
  return {
    rooms: house.rooms.map((room) => ({ ...room, floorPolygon: room.floorPolygon.map(rounded) })),
    walls: wallsThatMatter(house).map((wall) => ({ ...wall, polygon: wall.polygon.map(rounded) })),
    doors: house.doors.map(compactDoor),
    // Without windows the text, and with it the checksum by which a run names its houses, is that of earlier versions, which drew
    // no doors to the outside.
    ...(house.windows.length > 0 && { windows: house.windows.map(compactDoor) }),
    objects: house.objects.map((object) => ({
      ...compactObject(object),
      children: object.children.map(compactObject),
    })),
  };
}

/** As the import rounds, so that the home stays the same. */
const toCentimetres = (metres: number): number => Math.round(metres * 100) / 100;

const rounded = <P extends Record<string, number>>(point: P): P =>
  Object.fromEntries(Object.entries(point).map(([axis, metres]) => [axis, toCentimetres(metres)])) as P;

function wallsThatMatter({ walls, doors, windows }: House): HouseWall[] {
  const named = new Set([...doors, ...windows].map(({ wall0 }) => wall0));
  const height = Math.max(...walls.map(topOf));
  const highest = walls.find((wall) => topOf(wall) === height);
  return walls.filter((wall) => wall.empty || named.has(wall.id) || wall === highest);
}

const topOf = ({ polygon }: HouseWall): number => Math.max(...polygon.map(({ y }) => y));

const compactDoor = ({ holePolygon, boundingBox, ...door }: House["doors"][number]) => ({
  ...door,
  ...(holePolygon && { holePolygon: holePolygon.map(rounded) }),
  ...(boundingBox &&
    !holePolygon && { boundingBox: { min: rounded(boundingBox.min), max: rounded(boundingBox.max) } }),
});

const compactObject = <O extends HouseChild>({
  position,
  rotation,
  axisAlignedBoundingBox,
  ...object
}: O) => ({
  ...object,
  position: rounded(position),
  rotation: { y: quarterOf(rotation.y) * 90 },
  ...(axisAlignedBoundingBox && { axisAlignedBoundingBox: { size: rounded(axisAlignedBoundingBox.size) } }),
});
