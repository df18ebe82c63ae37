import { describe, expect, test } from "vitest";
import { readDrawing, type SafeDrawing, svgText } from "./sanitise.ts";

const read = (inside: string, attributes = "") => readDrawing(`<svg ${attributes}>${inside}</svg>`);
const refusedBecause = (text: string): string => {
  const drawing = readDrawing(text);
  return drawing && "refused" in drawing ? drawing.refused : "";
};
const CIRCLE = '<circle cx="1" cy="2" r="3"/>';

const GRADIENT = '<radialGradient id="a"><stop stop-color="red"/><stop offset="1"/></radialGradient>';
/** Of the whole picture. */
const FULL = '<rect width="64" height="64" fill="url(#a)"/>';

describe("refuses, by name and with a remedy,", () => {
  test.each([
    ["a script", `<svg><script>alert(1)</script></svg>`, /<script> is not allowed; draw with/],
    ["an event", `<svg onload="alert(1)">${CIRCLE}</svg>`, /onload="alert\(1\)" is not allowed; remove it/],
    ["an event on a shape", `<svg><rect onclick="x()"/></svg>`, /onclick="x\(\)" is not allowed/],
    ["HTML", `<svg><foreignObject><body/></foreignObject></svg>`, /<foreignObject> is not allowed/],
    ["an image", `<svg><image href="https://example.com/a.png"/></svg>`, /<image> is not allowed/],
    ["a link", `<svg><a href="javascript:alert(1)">${CIRCLE}</a></svg>`, /<a> is not allowed/],
    ["use", `<svg><use href="#a"/></svg>`, /<use> is not allowed/],
    [
      "an address on a gradient",
      `<svg><linearGradient href="https://x.y/#z"/></svg>`,
      /href=.* is not allowed/,
    ],
    [
      "an address as a fill",
      `<svg><rect fill="url(https://x.y/#z)"/></svg>`,
      /fill=.* cannot be drawn; use a colour/,
    ],
    ["an address in a style", `<svg><rect style="fill:url('//x.y')"/></svg>`, /fill=.* cannot be drawn/],
    ["a style sheet", `<svg><style>@import "//x.y";</style></svg>`, /<style> is not allowed/],
    ["an unknown style", `<svg><rect style="behavior:url(#x)"/></svg>`, /behavior=.* is not allowed/],
    ["a filter", `<svg><filter id="f"/><rect filter="url(#f)"/></svg>`, /<filter> is not allowed/],
    ["a filter on a shape", `<svg><rect filter="url(#f)"/></svg>`, /filter=.* is not allowed/],
    ["an animation", `<svg><animate attributeName="x"/></svg>`, /<animate> is not allowed/],
    ["text", `<svg><text>hello</text></svg>`, /<text> is not allowed/],
    ["bare text", `<svg>hello</svg>`, /<svg> holds text/],
    ["a drawing in a drawing", `<svg><svg/></svg>`, /<svg> is not allowed|well-formed/],
    [
      "a huge number",
      `<svg><rect width="1e9"/></svg>`,
      /width="1e9" cannot be drawn; use plain numbers up to/,
    ],
    [
      "a huge view box",
      `<svg viewBox="0 0 1e300 1">${CIRCLE}</svg>`,
      /viewBox=.* cannot be shown; use viewBox/,
    ],
    ["too many elements", `<svg>${CIRCLE.repeat(501)}</svg>`, /has 502 elements; use at most 500/],
    ["too long a text", `<svg><path d="${"M0 0".repeat(6000)}"/></svg>`, /characters; use at most 20000/],
    [
      "too deep a nest",
      `<svg>${"<g>".repeat(40)}${"</g>".repeat(40)}</svg>`,
      /nested 41 levels deep; use at most 16/,
    ],
    [
      "a deep nest behind brackets in values",
      `<svg>${'<g class="/>">'.repeat(40)}${"</g>".repeat(40)}</svg>`,
      /nested 41 levels deep/,
    ],
    [
      "a deep nest behind comments",
      `<svg>${"<g><!--</g>-->".repeat(40)}${"</g>".repeat(40)}</svg>`,
      /nested 41 levels deep/,
    ],
    ["a script among definitions", `<svg><defs><script/></defs></svg>`, /<script> is not allowed/],
    ["a script in a gradient", `<svg><linearGradient><script/></linearGradient></svg>`, /<script> is not/],
    ["what every object has", `<svg><constructor/></svg>`, /<constructor> is not allowed/],
    [
      "a shape that is enlarged",
      `<svg><ellipse cx="1e5" rx="5" ry="5" transform="scale(1e5 .5)" stroke="red"/></svg>`,
      /<ellipse> reaches 1.0e\+10 pixels far, where the picture is 64 wide; use smaller/,
    ],
    [
      "one that is enlarged step by step",
      `<svg>${'<g transform="scale(99)">'.repeat(3)}<circle r="1"/>${"</g>".repeat(3)}</svg>`,
      /<circle> reaches 9.7e\+5 pixels/,
    ],
    [
      "one that is enlarged by the view box",
      `<svg viewBox="0 0 1e-4 1e-4"><circle r="1"/></svg>`,
      /<circle> reaches 6.4e\+5 pixels/,
    ],
    [
      "a path that goes on and on",
      `<svg><path d="M0 0${"l900 0".repeat(20)}"/></svg>`,
      /<path> reaches 1.9e\+4/,
    ],
    ["a very broad stroke", `<svg stroke-width="2e4"><path d="M0 0L1 1"/></svg>`, /<path> reaches 2.0e\+4/],
    ["a share of no number", `<svg><rect width="wide%"/></svg>`, /width="wide%" cannot be drawn/],
    [
      "a broad share",
      `<svg stroke-width="99999%"><path d="M0 0L1 1"/></svg>`,
      /<path> reaches 6.4e\+4 pixels far/,
    ],
    [
      "a share of a huge view box",
      `<svg viewBox="0 0 100000 100000"><circle r="100000%" stroke="red" stroke-width="100000%"/></svg>`,
      /r="100000%" cannot be drawn; use plain numbers/,
    ],
    ["a colour of huge numbers", `<svg><rect fill="rgb(200000,0,0)"/></svg>`, /fill=.* cannot be drawn/],
    ["inches", `<svg><circle r="9999in"/></svg>`, /r="9999in" cannot be drawn/],
    [
      "a broad stroke of another unit",
      `<svg stroke-width="9e3em">${CIRCLE}</svg>`,
      /stroke-width="9e3em" cannot/,
    ],
    ["a negative size", `<svg width="-5">${CIRCLE}</svg>`, /^width="-5" height="64" cannot be shown/],
    [
      "gradients all over the picture again and again",
      `<svg>${GRADIENT}${FULL.repeat(420)}</svg>`,
      /^Gradients paint 420 times the area of the picture; use at most 20 times, with fewer or smaller shapes\.$/,
    ],
    [
      "translucent colours again and again",
      `<svg fill-opacity=".5">${'<rect width="64" height="64"/>'.repeat(101)}</svg>`,
      /^Translucent colours paint 101 times the area of the picture; use at most 100 times, with fewer/,
    ],
    [
      "a gradient of very many stops",
      `<svg><linearGradient>${'<stop offset="1"/>'.repeat(65)}</linearGradient></svg>`,
      /<linearGradient> has 65 stops; use at most 64/,
    ],
    ["a path without a start", '<svg><path d="bad"/></svg>', /begins with "bad"; begin it with M and/],
    ["a path that begins with a line", '<svg><path d="L1 2 3 4"/></svg>', /begins with "L1 2 3 4"/],
    ["a path that moves to half a point", '<svg><path d="M105 L2 3"/></svg>', /begins with "M105 L2 3"/],
    ["broken XML", `<svg><rect width=1/></svg>`, /no well-formed XML/],
    ["an unknown entity", `<svg><rect fill="&red;"/></svg>`, /no well-formed XML/],
  ])("%s", (_, text, reason) => {
    expect(refusedBecause(text)).toMatch(reason);
  });

  test("an entity bomb, without expanding it", () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg><rect fill="&b;"/></svg>`;
    expect(refusedBecause(bomb)).toMatch(/no well-formed XML/);
  });
});

describe("the area that gradients and translucent colours paint", () => {
  const refusalOf = (inside: string, attributes = "") =>
    refusedBecause(`<svg ${attributes}>${GRADIENT}${inside}</svg>`);
  /** How many times the whole picture is painted, from a shape that is repeated until it is refused. */
  const timesOf = (shape: string, count: number, attributes = "") =>
    Number(/paint (\d+) times/.exec(refusalOf(shape.repeat(count), attributes))?.[1] ?? 0);

  test("may be that of 20 and of 100 pictures", () => {
    expect(refusalOf(FULL.repeat(20))).toBe("");
    expect(refusalOf('<rect width="64" height="64" opacity=".5"/>'.repeat(100))).toBe("");
    expect(refusalOf('<rect width="64" height="64"/>'.repeat(480))).toBe("");
  });

  test("is that of each shape, in the units of the picture", () => {
    expect(timesOf('<rect width="32" height="32" fill="url(#a)"/>', 120)).toBe(30);
    expect(timesOf('<circle cx="32" cy="32" r="16" fill="url(#a)"/>', 120)).toBe(30);
    expect(timesOf('<path d="M0 0H50V100H0Z" fill="url(#a)"/>', 60, 'viewBox="0 0 100 100"')).toBe(30);
    expect(timesOf('<polygon points="0,0 8,0 8,16" fill="url(#a)"/>', 320, 'viewBox="0 0 16 16"')).toBe(160);
    expect(timesOf('<g transform="scale(2)"><rect width="16" height="32" fill="url(#a)"/></g>', 60)).toBe(30);
  });

  test("ends where the picture ends", () => {
    expect(timesOf('<rect x="-500" y="-500" width="1000" height="1000" fill="url(#a)"/>', 30)).toBe(30);
    expect(timesOf('<rect x="500" width="1000" height="1000" fill="url(#a)"/>', 200)).toBe(0);
  });

  test("counts what shapes inherit, and both fill and stroke", () => {
    expect(timesOf('<rect width="64" height="64"/>', 30, 'fill="url(#a)"')).toBe(30);
    expect(timesOf('<g style="fill:url(#a)"><rect width="64" height="64"/></g>', 30)).toBe(30);
    const asAround = '<g fill="url(#a)"><rect width="64" height="64" fill="inherit"/></g>';
    expect(timesOf(asAround, 30)).toBe(30);
    const both = '<circle cx="32" cy="32" r="20" fill="url(#a)" stroke="url(#a)" stroke-width="70"/>';
    expect(timesOf(both, 30)).toBe(Math.ceil(30 * (1 + (40 / 64) ** 2)));
  });

  test("counts a stroke by its length and width", () => {
    const thin = '<path d="M0 0L64 64" fill="none" stroke="red" stroke-opacity=".5"/>';
    expect(refusalOf(thin.repeat(280))).toBe("");
    expect(timesOf(thin.replace("/>", ' stroke-width="99"/>'), 200)).toBe(200);
    expect(timesOf('<line x2="64" y2="64" stroke="#f008" stroke-width="99"/>', 300)).toBe(300);
  });

  test("counts the whole picture where an outline is not known, or corners may stick out far", () => {
    expect(timesOf('<path d="M0 0A5 5 0 1 1 9 9Z" fill="url(#a)"/>', 21)).toBe(21);
    expect(timesOf('<rect width="9" height="9" fill="url(#a)" transform="none"/>', 21)).toBe(21);
    const spike = '<path d="M32 32h1l-1 .01" fill="none" stroke="url(#a)" stroke-width="9"';
    expect(timesOf(`${spike}/>`, 200)).toBeLessThan(100);
    expect(timesOf(`${spike} stroke-miterlimit="1e4"/>`, 200)).toBe(200);
  });

  test.each(["#f008", "#ff000080", "rgba(255,0,0,.5)", "hsla(0, 100%, 50%, .5)"])(
    "knows %s as translucent",
    (color) => {
      const shape = `<rect width="64" height="64" fill="${color}"/>`;
      expect(timesOf(shape, 150)).toBe(150);
      expect(timesOf('<rect width="64" height="64" fill="currentColor"/>', 150, `color="${color}"`)).toBe(
        150,
      );
      expect(timesOf('<rect width="64" height="64" fill="currentColor"/>', 150)).toBe(0);
    },
  );

  test("leaves out what is not painted", () => {
    for (const unseen of ['fill="none" opacity=".5"', 'opacity="0"', 'fill="url(#a)" fill-opacity="0"'])
      expect(refusalOf(`<rect width="64" height="64" ${unseen}/>`.repeat(300))).toBe("");
  });
});

test("reads pixels as plain numbers, shares in gradients, and a width that is a share as none", () => {
  const gradient =
    '<linearGradient id="a" x1="0%" x2="100%"><stop offset="50%" stop-color="red"/></linearGradient>';
  expect(read(`${gradient}<circle r="3px" fill="url(#a)"/>`, 'width="100%" height="100%"')).toMatchObject({
    viewBox: "0 0 64 64",
    shapes: ['<circle r="3px" fill="url(#a)"/>'],
  });
});

test.each([
  ['<rect width="100%" height="100%" fill="red"/>', '<rect width="200" height="100" fill="red"/>'],
  ['<rect x="-50%" y="+50%" rx="5%" ry="1e1%"/>', '<rect x="-100" y="50" rx="10" ry="10"/>'],
  ['<line x1="0%" y1="25%" x2="100%" y2=".5%"/>', '<line x1="0" y1="25" x2="200" y2="0.5"/>'],
  ['<ellipse cx="50%" cy="50%" rx="10" ry="3"/>', '<ellipse cx="100" cy="50" rx="10" ry="3"/>'],
  ['<rect style="width:10%;fill:red" width="5"/>', '<rect width="20" fill="red"/>'],
])("shares of the view box are plain numbers: %s", (shape, written) => {
  expect(read(shape, 'viewBox="10 20 200 100"')).toMatchObject({
    viewBox: "10 20 200 100",
    shapes: [written],
  });
});

test("radii and strokes are shares of the view box's diagonal", () => {
  const side = Math.sqrt((6 * 6 + 8 * 8) / 2);
  expect(
    read('<g stroke-width="50%"><circle r="100%"/></g>', 'viewBox="0 0 6 8" stroke-width="200%"'),
  ).toMatchObject({
    paint: ` stroke-width="${2 * side}"`,
    shapes: [`<g stroke-width="${side / 2}"><circle r="${side}"/></g>`],
  });
});

test("takes linear time for a text that begins a drawing again and again", () => {
  const started = performance.now();
  expect(readDrawing("<svg ".repeat(200_000))).toBeNull();
  // A quadratic search would take minutes.
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("no text but a drawing is one", () => {
  for (const text of ["", "red circle", "<svg", "<svgx></svgx>"]) expect(readDrawing(text)).toBeNull();
});

test("writes again what may be drawn, and drops what has no effect", () => {
  const drawing = read(
    '<title>A circle</title><!-- note --><circle cx="1" cy="2" r="3" class="big" data-x="1" style="fill: red; stroke:#000"/>',
    'xmlns="http://www.w3.org/2000/svg" width="10" height="20"',
  ) as SafeDrawing;
  expect(drawing).toEqual({
    viewBox: "0 0 10 20",
    paint: "",
    definitions: "",
    shapes: ['<circle cx="1" cy="2" r="3" fill="red" stroke="#000"/>'],
  });
  expect(svgText(drawing, 64)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 10 20"><g><circle cx="1" cy="2" r="3" fill="red" stroke="#000"/></g></svg>',
  );
});

test("keeps gradients, in definitions or beside the shapes, and groups", () => {
  const gradient = '<linearGradient id="g"><stop offset="50%" stop-color="red"/></linearGradient>';
  const shape = '<g transform="translate(1 2)"><rect fill="url(#g)"/></g>';
  for (const text of [`<defs>${gradient}</defs>${shape}`, gradient + shape])
    expect(read(text)).toEqual({
      viewBox: "0 0 64 64",
      paint: "",
      definitions: `<defs>${gradient}</defs>`,
      shapes: [shape],
    });
});

test("finds gradients in groups", () => {
  const gradient = '<linearGradient id="g"><stop stop-color="red"/></linearGradient>';
  for (const inside of [gradient, `<defs>${gradient}</defs>`])
    expect(read(`<g>${inside}<rect fill="url(#g)"/></g>`)).toMatchObject({
      definitions: `<defs>${gradient}</defs>`,
      shapes: ['<g><rect fill="url(#g)"/></g>'],
    });
});

test("a style comes before an attribute, and neither is written twice", () => {
  const { shapes } = read('<rect style="fill:blue" fill="red" stroke="red"/>') as SafeDrawing;
  expect(shapes).toEqual(['<rect fill="blue" stroke="red"/>']);
});

test("opacities become those of fills and strokes", () => {
  const { paint, shapes } = read(
    '<g opacity="50%" fill-opacity=".5"><rect opacity="0.5"/><rect stroke-opacity=".2" fill-opacity="7"/></g><rect/>',
    'opacity="0.5"',
  ) as SafeDrawing;
  expect(paint).toBe("");
  expect(shapes).toEqual([
    '<g><rect fill-opacity="0.0625" stroke-opacity="0.125"/><rect fill-opacity="0.25" stroke-opacity="0.05"/></g>',
    '<rect fill-opacity="0.5" stroke-opacity="0.5"/>',
  ]);
});

test("lets paths of many points and drawings in other units through", () => {
  const many = Array.from({ length: 1000 }, (_, i) => `L${i % 64} ${(7 * i) % 64}`).join("");
  expect(read(`<path d="M0 0${many}h9v-9l3 4z"/>`)).toHaveProperty("shapes");
  const traced =
    '<g transform="translate(0 512) scale(0.1 -0.1)"><path d="M5120 0c100 20 9 9000 0 5120z"/></g>';
  expect(read(traced, 'viewBox="0 0 512 512"')).toHaveProperty("shapes");
});

test("shapes inherit what the whole drawing says of its paint", () => {
  const drawing = read(CIRCLE, 'fill="none" style="stroke: red" class="icon"') as SafeDrawing;
  expect(drawing.paint).toBe(' fill="none" stroke="red"');
  expect(svgText(drawing, 8)).toContain(`<g fill="none" stroke="red">${CIRCLE}</g>`);
});

test.each(["#123456", "#e8e8e0", "#1e9", "url(#g200000)"])("the digits of %s are no number", (fill) => {
  const { shapes } = read(`<path d="M0 0h1" fill="${fill}"/>`) as SafeDrawing;
  expect(shapes).toEqual([expect.stringContaining(`fill="${fill}"`)]);
});

test("an attribute cannot close its own quotes", () => {
  const drawing = read(`<path d='M0 0"/><script/>' fill="red"/>`);
  expect(drawing).toHaveProperty("refused");
});

test.each([
  "",
  "M1 2",
  " m-1.5e1-.5L3 4z",
  "M1.5.5H9",
  "M 3 , 4 V5",
  // Drawn up to the error.
  "M1 2L3",
])("a path may be %j", (d) => {
  expect(read(`<path d="${d}"/>`)).not.toHaveProperty("refused");
});

test("reads a drawing once for the turn that it is used in, and the same again later", () => {
  const code = (x: number) => `<svg><rect x="${x}" width="9" height="9"/></svg>`;
  const first = readDrawing(code(1));
  expect(readDrawing(`So: ${code(1)}`)).toBe(first);
  for (let x = 2; x < 99; x++) expect(readDrawing(code(x))).not.toEqual(first);
  expect(readDrawing(code(1))).not.toBe(first);
  expect(readDrawing(code(1))).toEqual(first);
});
