import { describe, expect, it } from "vitest";
import { EnvError } from "../../../core/errors.ts";
import { importHouse } from "./import-house.ts";
import { FILE_LIMITS, homesFrom, readHouses } from "./read-houses.ts";
import { house } from "./sample-house.ts";

const json = (data: unknown) => JSON.stringify(data);
const file = (text: string, name = "houses.jsonl") => ({ name, text });
const read = (...texts: string[]) => readHouses(texts.map((text, i) => file(text, `${i + 1}.json`)));

function refusalOf(...texts: string[]): EnvError {
  try {
    read(...texts);
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    expect((error as EnvError).hint).toMatch(/\.$/);
    return error as EnvError;
  }
  throw new Error("nothing was thrown");
}

/** A house whose fridge is at another place. */
const other = () => {
  const data = house();
  data.objects[0]!.position.z = 3;
  return data;
};

describe("files of houses", () => {
  const one = json(house());

  it("have one house, a list, or a line for each, and may be several", () => {
    const two = `${one}\n${json(other())}\n`;
    const counts = [[one], [json(JSON.parse(`[${one},${one}]`))], [`\uFEFF${two}\r\n\n`], [one, two]].map(
      (texts) => read(...texts).houses,
    );
    expect(counts).toEqual([1, 2, 2, 3]);
    expect(read(JSON.stringify(house(), null, 2)).source).toBe(read(one).source);
  });

  it("are kept as files of houses with the same homes, at a part of the length", () => {
    const long = { ...other(), padding: "x".repeat(5000) };
    long.rooms[0]!.floorPolygon[2]!.x = 6.0000001;
    const { source, rooms } = read(one, json(long));
    expect(source.length).toBeLessThan(5000);
    expect(rooms).toBe(4);
    expect(homesFrom(file(source))).toEqual([house(), other()].map((data) => importHouse(data).home));
    const again = readHouses([file(source)]);
    expect(again.source).toBe(source);
    expect(again.notes).toEqual(["side table: 2, drawn as boxes, never a target"]);
  });

  it("keep what lay on an object that is left out", () => {
    const data = house();
    data.objects[1]!.id = "Desk2|2|1";
    const { source } = read(json(data));
    expect(homesFrom(file(source))).toEqual([importHouse(data).home]);
    expect(source).toContain("Laptop");
  });

  it("keep a stand with its television, which would hang on the wall without it", () => {
    const { source } = read(one);
    expect(source).toContain("TVStand");
    expect(homesFrom(file(source))[0]!.things.find(({ kind }) => kind === "television")!.y).toBe(0);
  });

  it("say how many objects of each kind are boxes or left out", () => {
    expect(read(one, one).notes).toEqual([
      "side table: 2, drawn as boxes, never a target",
      "Apple: 2, left out",
      "Bed: 2, left out",
      "GrandPiano: 2, left out",
    ]);
  });

  it("leave out a picture in a passage, and say so, but keep one above a door and one on a front door", () => {
    const hung = (x: number, z: number, height: number, y = 0) => {
      const data = house();
      Object.assign(data.objects[4]!, { position: { x, y: height, z }, rotation: { x: 0, y, z: 0 } });
      const { notes, source } = read(json(data));
      return { notes, painting: homesFrom(file(source))[0]!.things.find(({ kind }) => kind === "painting") };
    };
    // The passage between the two rooms is at x = 6 m, from z = 1.5 to 2.5 m and 2.1 m high.
    const inside = hung(6.1, 2, 1.6, 90);
    expect(inside.painting).toBeUndefined();
    expect(inside.notes).toContain("Painting: 1, left out: hung in a passage");
    const above = hung(6.1, 2, 2.3, 90);
    expect(above.painting!.y).toBe(210);
    expect(above.notes.join()).not.toContain("Painting");
    const beside = hung(6.1, 0.8, 1.6, 90);
    expect(beside.painting!.z + beside.painting!.size[0] / 2).toBeLessThanOrEqual(150);
    expect(hung(1.5, 0.1, 1.6).painting).toMatchObject({ x: 150, size: [120, 90, 6.25] });
  });

  it("count kinds that are named like parts of every object", () => {
    const data = house();
    for (const object of data.objects.slice(-2)) Object.assign(object, { id: "constructor|1", assetId: "" });
    expect(read(json(data)).notes).toContain("constructor: 2, left out");
  });

  it("name a hundred kinds and count the others", () => {
    const data = house();
    const pianos = Array.from({ length: 120 }, (_, i) => ({ ...data.objects[6]!, id: `Piano${i}|1` }));
    const { notes } = read(json({ ...data, objects: [...data.objects, ...pianos] }));
    expect(notes.at(-1)).toBe("23 other kinds, left out");
  });

  it("lose houses without a target, and say so", () => {
    const bare = json({ ...house(), objects: [] });
    const { houses, notes } = read(one, bare);
    expect(houses).toBe(1);
    expect(notes[0]).toMatch(/^1 house left out/);
    expect(refusalOf(bare).message).toMatch(/^1\.json: no object in the houses can be the target/);
  });
});

describe("files that are none are refused by name:", () => {
  it.each([
    ["empty", "", /^1\.json holds no house/],
    ["a page", "<html>", /^1\.json is no JSON: line 1 begins with "<html>"/],
    ["an empty list", "[]", /^1\.json holds no house/],
    ["a number", "3", /^1\.json: the house is 3/],
    ["a broken line", `${json(house())}\n{"rooms": [`, /^1\.json is no JSON: line 2 begins with "\{/],
    ["NaN", json(house()).replace('"x":6', '"x":NaN'), /^1\.json is no JSON/],
    [
      "infinity",
      json(house()).replace('"x":6', '"x":1e999'),
      /^1\.json: rooms\[0\].*\.x is Infinity; it must be a finite number\.$/,
    ],
    ["packed", "\u001f\uFFFD\u0008", /^1\.json is packed/],
    ["too many", `${json(house())}\n`.repeat(FILE_LIMITS.houses + 1), /1001 houses are more than the 1000/],
    ["too long", " ".repeat(FILE_LIMITS.characters + 1), /characters are more than/],
  ])("%s", (_, text, message) => {
    expect(refusalOf(text).message).toMatch(message);
  });

  it("the second house of a list", () => {
    const broken = { ...house(), rooms: [{ ...house().rooms[0], roomType: "Garage" }] };
    const { message, hint } = refusalOf(json([house(), broken]));
    expect(message).toMatch(/^1\.json, house 2: rooms\[0\]\.roomType is "Garage"/);
    expect(hint).toContain("Kitchen");
  });
});
