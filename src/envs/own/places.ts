// Checks the places that `where` returns: cells of a board, or points of a plane, which are rounded to whole units.
import type { Point } from "../../core/image.ts";
import { returned } from "./fault.ts";
import { isPlane, type OwnBoard, type OwnEnvironment, type OwnPlane } from "./own.ts";

/** The places of each thing: [row, col] on a board, [x, y] on a plane. */
export type Places = Readonly<Record<string, readonly Point[]>>;

type Fail = (what: string) => Error;

/** What places are on a board or a plane. */
interface Area {
  /** "cells", and how one is written. */
  readonly noun: string;
  readonly form: string;
  isPlace(value: unknown): value is [number, number];
  /** All places of a thing as they are recorded. */
  recorded(places: readonly Point[]): Point[];
  has(place: Point): boolean;
  readonly outside: string;
  /** How many places a thing may have at most. */
  most(name: string): number;
}

const isPair = (value: unknown, test: (part: unknown) => boolean): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(test);

const boardArea = ({ rows, cols }: OwnBoard): Area => ({
  noun: "cells",
  form: "[row, col]",
  isPlace: (value): value is [number, number] => isPair(value, Number.isInteger),
  recorded: (cells) => cells.map(([row, col]) => [row, col]),
  has: ([row, col]) => row >= 0 && col >= 0 && row < rows && col < cols,
  outside: `outside the board of ${rows} × ${cols}; keep it inside, or leave it out where it may be absent`,
  most: () => Number.POSITIVE_INFINITY,
});

const planeArea = ({ size: [width, height], things }: OwnPlane): Area => ({
  noun: "places",
  form: "[x, y], two finite numbers",
  isPlace: (value): value is [number, number] => isPair(value, Number.isFinite),
  // Plus 0: -0 is 0. In reading order, so that an order without meaning does not look like a change.
  recorded: (places) =>
    places
      .map(([x, y]): Point => [Math.round(x) + 0, Math.round(y) + 0])
      .sort(([x0, y0], [x1, y1]) => y0 - y1 || x0 - x1),
  has: ([x, y]) => x >= 0 && y >= 0 && x <= width && y <= height,
  outside: `outside the plane of ${width} × ${height} units; keep it inside, or leave it out where it may be absent`,
  most: (name) => things[name]!.most,
});

/**
 * Places by thing, each checked.
 * @param given the entries of what `where` returned, or what it returned in place of an object.
 * @throws what `fail` makes of a fault.
 */
export function checkedPlaces(own: OwnEnvironment, given: unknown, fail: Fail): Places {
  const area = isPlane(own) ? planeArea(own) : boardArea(own);
  if (!Array.isArray(given))
    throw fail(`where returned ${returned(given)}; it must be an object with the ${area.noun} of each thing`);
  const places: Record<string, readonly Point[]> = {};
  for (const [name, value] of given as [string, unknown][]) {
    if (!Object.hasOwn(own.things, name))
      throw fail(`where names "${name}", which is not among things (${Object.keys(own.things).join(", ")})`);
    places[name] = placesOf(name, value, area, fail);
  }
  for (const name of ["player", ...own.claims])
    if (places[name]?.length !== 1)
      throw fail(
        `${name} has ${places[name]?.length ?? 0} ${area.noun}; it must always have one, because the agent states it`,
      );
  return places;
}

function placesOf(name: string, value: unknown, area: Area, fail: Fail): readonly Point[] {
  const list = area.isPlace(value) ? [value] : value;
  if (!Array.isArray(list) || !list.every(area.isPlace))
    throw fail(
      `where returned ${returned(value)} for ${name}; it must be ${area.form}, or a list of such ${area.noun}`,
    );
  if (list.length > area.most(name))
    throw fail(
      `where returned ${list.length} places for ${name}; things.${name}.most allows ${area.most(name)}`,
    );
  const places = area.recorded(list);
  const outside = places.find((place) => !area.has(place));
  if (outside) throw fail(`${name} is at [${outside.join(", ")}], ${area.outside}`);
  return places;
}
