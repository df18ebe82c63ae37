// Claims about drawings: what counts is what the picture shows, whatever the code looks like.
import { beforeAll, describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { drawingClaims } from "./claims.ts";
import { drawnShapes } from "./drawn-shapes.ts";
import { loadRaster, rasterise } from "./raster.ts";
import { readDrawing, type SafeDrawing } from "./sanitise.ts";

beforeAll(() => loadRaster());

const svg = (inside: string, box = "0 0 64 64") => `<svg viewBox="${box}">${inside}</svg>`;
const truthOf = (drawing: string): WorldTruth => ({
  frame: "canvas",
  things: [],
  facts: { icon: svg('<rect x="8" y="0" width="32" height="48" fill="green"/>'), drawing, solved: false },
});
const judged = (text: string, drawing: string) =>
  judgeStatements(text, "prediction", truthOf(drawing), drawingClaims);
const scoreOf = (text: string, drawing: string) => judged(text, drawing).score;

describe("the truth of a drawing", () => {
  it.each([
    ['<path d="M8 8h16v16h-16z" fill="red"/>', "0 0 64 64", "red path 8 8 24 24"],
    ['<path d="m8,8 16 0 0,16-16 0Z" fill="red"/>', "0 0 64 64", "red path 8 8 24 24"],
    ['<path d="M0 48C0 0 64 0 64 48Z" fill="red"/>', "0 0 64 64", "red path 0 12 64 48"],
    ['<path d="M0 48q32-96 64 0z" fill="red"/>', "0 0 64 64", "red path 0 0 64 48"],
    ['<path d="M0 32S0 0 16 0t16 32z" fill="red"/>', "0 0 64 64", "red path 0 0 32 32"],
    ['<circle r="20" cx="32" cy="32" fill="red"/>', "0 0 64 64", "red circle 12 12 52 52"],
    ['<rect width="40" height="24" x="12" y="20" fill="red"/>', "0 0 64 64", "red rect 12 20 52 44"],
    ['<rect id="c1" x="4" y="8" width="8" height="8" fill="red"/>', "0 0 64 64", "red rect 4 8 12 16"],
    ["<circle fill='red' cx='32' cy='32' r='20' />", "0 0 64 64", "red circle 12 12 52 52"],
    ['<circle fill="red" cx="50" cy="50" r="25" />', "0 0 100 100", "red circle 16 16 48 48"],
    ['<rect width="64" height="128" fill="red"/>', "0 0 64 128", "red rect 16 0 48 64"],
    [
      '<g transform="translate(10 0)"><rect width="20" height="20" fill="red"/></g>',
      "0 0 64 64",
      "red rect 10 0 30 20",
    ],
    [
      '<rect width="20" height="10" transform="rotate(90 32 32)" fill="red"/>',
      "0 0 64 64",
      "red rect 54 0 64 20",
    ],
    [
      '<g fill="red" transform="scale(2)"><circle cx="16" cy="16" r="8" transform="matrix(1 0 0 .5 0 8)"/></g>',
      "0 0 64 64",
      "red circle 16 24 48 40",
    ],
    ['<rect width="9" height="9" style="fill:red"/>', "0 0 64 64", "red rect 0 0 9 9"],
    ['<ellipse cx="32" cy="32" rx="8" ry="20" fill="red"/>', "0 0 64 64", "red ellipse 24 12 40 52"],
    ['<polygon points="0,0 20,0 10,30" fill="red"/>', "0 0 64 64", "red polygon 0 0 20 30"],
    ['<rect width="9" height="9"/>', "0 0 64 64", "black rect 0 0 9 9"],
    // Of these the canvas shows nothing.
    [
      '<rect width="9" height="9" fill="red"/><rect x="64" width="9" height="9" fill="blue"/>',
      "0 0 64 64",
      "red rect 0 0 9 9",
    ],
    [
      '<rect width="9" height="9" fill="red"/><circle cx="-40" cy="-40" r="56" fill="blue"/>',
      "0 0 64 64",
      "red rect 0 0 9 9",
    ],
    [
      '<rect width="9" height="9" fill="red"/><path d="M0 0L64 64" fill="blue"/>',
      "0 0 64 64",
      "red rect 0 0 9 9",
    ],
    [
      '<rect width="9" height="9" fill="red"/><rect width="60" height="60" fill="none"/>',
      "0 0 64 64",
      "red rect 0 0 9 9",
    ],
  ])("is that of %s in %s", (inside, box, text) => {
    expect(scoreOf(text, svg(inside, box))).toBe(1);
  });

  it("pays for no numbers of the code that are not where the shape ends", () => {
    const square = svg('<path d="M8 8h16v16h-16z" fill="red"/>');
    for (const text of ["red path 0 8 16 16", "red path 8 8 16 16", "red rect 8 8 24 24"])
      expect(scoreOf(text, square)).toBe(0);
    // The corner of the circle's box is on the canvas, the circle's own end is not.
    expect(scoreOf("red circle 0 0 16 16", svg('<circle cx="-24" cy="-24" r="40" fill="red"/>'))).toBe(0);
  });

  it("is within a pixel of what the picture shows, whatever legal code draws it", () => {
    const random = rng(5);
    const n = (most = 64) => random.int(most) - random.int(16);
    const element = () =>
      random.pick([
        () => `<circle r="${6 + n(20)}" cy="${n()}" cx="${n()}"`,
        () => `<rect height="${8 + random.int(40)}" width="${8 + random.int(40)}" y="${n()}" x="${n()}"`,
        () =>
          `<path d="M${n()} ${n()}c${n()},${n()} ${n()}-${random.int(9)} ${n()} ${n()}s${n()} ${n()} ${n()} ${n()}z"`,
        () => `<path d="M${n()} ${n()}q${n()} ${n()} ${n()} ${n()}t${n()} ${n()}V${n()}h${n()}z"`,
        () => `<polygon points="${n()},${n()} ${n()},${n()} ${n()},${n()}"`,
      ])();
    const transform = () =>
      random.pick([
        "",
        `translate(${n(20)} ${n(20)})`,
        `rotate(${n(90)},32,32)`,
        "scale(1.5,.75)",
        "skewX(20)",
      ]);
    let compared = 0;
    for (let i = 0; i < 100; i++) {
      const box = random.pick(["0 0 64 64", "-10 5 100 80", "0 0 24 24"]);
      const code = svg(
        `<g transform="${transform()}">${element()} transform="${transform()}" fill="red"/></g>`,
        box,
      );
      const [shape] = drawnShapes(code)!;
      const inked = inkOf(code);
      if (!shape) expect(inked, code).toBeNull();
      // A sliver may cover too little of any pixel.
      if (!shape || !inked) continue;
      compared++;
      for (const [side, end] of shape.ends.entries())
        expect(Math.abs(end - inked[side]!), code).toBeLessThanOrEqual(1);
    }
    expect(compared).toBeGreaterThan(50);
  });

  /** Left, upper, right and lower end of what is not white. */
  function inkOf(code: string): number[] | null {
    const side = 512;
    const { data } = rasterise(readDrawing(code) as SafeDrawing, side);
    const inked = Array.from({ length: side * side }, (_, i) => i).filter((i) => data[4 * i + 1]! < 255);
    if (inked.length === 0) return null;
    const [xs, ys] = [inked.map((i) => i % side), inked.map((i) => Math.floor(i / side))];
    const ends = [least(xs), least(ys), -least(xs.map((x) => -x)) + 1, -least(ys.map((y) => -y)) + 1];
    return ends.map((end) => (end * 64) / side);
  }
  const least = (list: number[]) => list.reduce((a, b) => Math.min(a, b));

  it.each([
    '<circle cx="32" cy="32" r="20" fill="darkred"/>',
    '<circle cx="32" cy="32" r="20" fill="#ff0000"/>',
    '<circle cx="32" cy="32" r="20" fill="red" stroke="blue"/>',
    '<circle cx="32" cy="32" r="20" fill="red" opacity=".5"/>',
    '<g stroke="red"><path d="M0 0L9 9"/></g>',
    '<path d="M8 8A8 8 0 0 0 24 24Z" fill="red"/>',
    '<path d="M8 8L24 8 24" fill="red"/>',
    '<path d="L8 8 24 8 24 24" fill="red"/>',
    '<path fill-rule="evenodd" d="M0 0H9V9H0ZM0 0H9V9H0Z" fill="red"/>',
    '<rect width="9" height="9" fill="red" transform="translate(1 2 3)"/>',
    '<linearGradient id="a"/><rect width="9" height="9" fill="url(#a)"/>',
  ])("is not judged where it cannot be said exactly: %s", (inside) => {
    for (const text of ["red circle 12 12 52 52", "red path 8 8 24 24", "red rect 0 0 9 9", ""])
      expect(judged(text, svg(inside))).toMatchObject({ status: "not_judged", score: 0, fields: [] });
  });
});

describe("a claim about a drawing", () => {
  const both = svg(
    '<rect x="8" y="0" width="32" height="48" fill="green"/><circle cx="32" cy="40" r="16" fill="red"/>',
  );
  const RIGHT = "green rect 8 0 40 48 ; red circle 16 24 48 56";

  it.each([
    "cyan circle 0 0 8 8",
    "red triangle 16 24 48 56",
    "gold square 0 0 8 8",
    "gold path 0 0 8 48.5.9",
    "gold path 0 0 8",
    "gold path 0 0 8 8 8",
    "gold  path: 0, 0, 8, 8",
    "gold path (0 0 8 8)",
    "gold path -1 1e1 8. 8",
    "circle 0 0 8 8",
    "#fff circle 0 0 8 8",
    "dark red circle 16 24 48 56",
  ])("loses by what is not there, in any spelling: %s", (invented) => {
    expect(scoreOf(RIGHT, both)).toBe(1);
    expect(scoreOf(`${RIGHT} ; ${invented}`, both)).toBe(2 / 3);
  });

  it.each([
    "Red circle: 16, 24, 48, 56. Green rect (8 0 40 48).",
    "a green rect at 8. 0. 40. 48. and a red circle at 16 24 4.8e1 56",
  ])("is right in another spelling: %s", (text) => {
    expect(scoreOf(text, both)).toBe(1);
  });

  it.each([
    ["rectangle", '<rect x="8" y="8" width="40" height="20" fill="red"/>', "red * 8 8 48 28"],
    ["box", '<rect x="8" y="8" width="40" height="20" fill="red"/>', "red * 8 8 48 28"],
    ["square", '<rect x="8" y="8" width="40" height="40" fill="red"/>', "red * 8 8 48 48"],
    [
      "square",
      '<rect x="18" y="18" width="28" height="28" transform="rotate(45 32 32)" fill="red"/>',
      "red * 12.2 12.2 51.8 51.8",
    ],
    ["disc", '<circle cx="32" cy="32" r="20" fill="red"/>', "red * 12 12 52 52"],
    ["oval", '<ellipse cx="32" cy="32" rx="8" ry="20" fill="red"/>', "red * 24 12 40 52"],
    ["triangle", '<path d="M8 8h40l-20 40z" fill="red"/>', "red * 8 8 48 48"],
    ["triangle", '<polygon points="8,8 28,8 48,8 28,48 8,8" fill="red"/>', "red * 8 8 48 48"],
    ["diamond", '<path d="M28 8L48 28L28 48L8 28Z" fill="red"/>', "red * 8 8 48 48"],
  ])("may call a shape a %s: %s", (name, inside, text) => {
    expect(scoreOf(text.replace("*", name), svg(inside))).toBe(1);
  });

  it.each([
    ["square", '<rect x="8" y="8" width="40" height="20" fill="red"/>', "red * 8 8 48 28"],
    [
      "square",
      '<rect x="12" y="27" width="40" height="10" transform="rotate(45 32 32)" fill="red"/>',
      "red * 14.32 14.32 49.68 49.68",
    ],
    // A skew keeps the box as wide as high.
    [
      "square",
      '<rect width="20" height="20" transform="matrix(1 .5 .5 1 4 4)" fill="red"/>',
      "red * 4 4 34 34",
    ],
    ["disc", '<ellipse cx="32" cy="32" rx="8" ry="20" fill="red"/>', "red * 24 12 40 52"],
    ["oval", '<circle cx="32" cy="32" r="20" fill="red"/>', "red * 12 12 52 52"],
    ["triangle", '<path d="M8 8h40v40h-40z" fill="red"/>', "red * 8 8 48 48"],
    ["triangle", '<path d="M8 48Q28 -32 48 48Z" fill="red"/>', "red * 8 8 48 48"],
    // Two triangles are none.
    ["triangle", '<path d="M8 8h20v20zM28 28h20v20z" fill="red"/>', "red * 8 8 48 48"],
    // The canvas shows five corners.
    ["triangle", '<path d="M-16 8h80l-40 40z" fill="red"/>', "red * 0 8 64 48"],
    ["diamond", '<path d="M8 8h40v40h-40z" fill="red"/>', "red * 8 8 48 48"],
    ["line", '<path d="M8 8h40l-20 40z" fill="red"/>', "red * 8 8 48 48"],
  ])("must not call a shape a %s that is none: %s", (name, inside, text) => {
    const element = drawnShapes(svg(inside))![0]!.kind;
    expect(scoreOf(text.replace("*", element), svg(inside))).toBe(1);
    expect(scoreOf(text.replace("*", name), svg(inside))).toBe(0);
  });

  it("may give two corners", () => {
    const text = "a green rectangle from (8, 0) to (40, 48) and a red circle: (16, 24), (48, 56)";
    expect(scoreOf(text, both)).toBe(1);
    expect(scoreOf(text.replace("(48, 56)", "(48, 66)"), both)).toBe(1 / 2);
  });

  it("gives no place with an alternative", () => {
    expect(scoreOf(`${RIGHT} or 0 0 8 8`, both)).toBe(1 / 2);
    expect(scoreOf(`${RIGHT} or red path 16 24 48 56`, both)).toBe(1 / 3);
  });

  it("is read in a moment whatever it is", () => {
    for (const text of [
      `red circle ${"1 ".repeat(20_000)}`,
      "red ".repeat(20_000),
      `red circle ${" ".repeat(40_000)}x`,
      `red circle (1, 2)${" ".repeat(40_000)}x`,
    ])
      expect(scoreOf(text, both)).toBe(0);
  });

  it("names its colours whole", () => {
    for (const other of ["lightgreen", "light green", "light-green", "darkgreen"])
      expect(scoreOf(RIGHT.replace("green", other), both), other).toBe(1 / 3);
    const sky = svg('<circle cx="32" cy="32" r="20" fill="deepskyblue"/>');
    expect(scoreOf("deep sky blue circle 12 12 52 52", sky)).toBe(1);
    expect(scoreOf("blue circle 12 12 52 52", sky)).toBe(0);
  });

  it("is wrong with a number that is none", () => {
    expect(scoreOf(RIGHT.replace("56", "56.5.9"), both)).toBe(1 / 2);
  });
});
