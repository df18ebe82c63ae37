import { describe, expect, test } from "vitest";
import { readDrawing, type SafeDrawing, svgText } from "./sanitise.ts";

const read = (inside: string, attributes = "") => readDrawing(`<svg ${attributes}>${inside}</svg>`);
const refusedBecause = (text: string): string => {
  const drawing = readDrawing(text);
  return drawing && "refused" in drawing ? drawing.refused : "";
};
const CIRCLE = '<circle cx="1" cy="2" r="3"/>';

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
  expect(svgText(drawing, 64, 0)).not.toContain("circle");
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

test("shapes inherit what the whole drawing says of its paint", () => {
  const drawing = read(CIRCLE, 'fill="none" style="stroke: red" class="icon"') as SafeDrawing;
  expect(drawing.paint).toBe(' fill="none" stroke="red"');
  expect(svgText(drawing, 8)).toContain(`<g fill="none" stroke="red">${CIRCLE}</g>`);
});

test("an attribute cannot close its own quotes", () => {
  const drawing = read(`<path d='M0 0"/><script/>' fill="red"/>`);
  expect(drawing).toHaveProperty("refused");
});
