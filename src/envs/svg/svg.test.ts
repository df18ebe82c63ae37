import { beforeAll, describe, expect, test } from "vitest";
import { vocabularyFor } from "../../agent/vocabulary.ts";
import { EnvError } from "../../core/errors.ts";
import { rng } from "../../core/rng.ts";
import type { Frame, WorldTruth } from "../../core/types.ts";
import { drawingClaims, shapesIn } from "./claims.ts";
import { config } from "./config.ts";
import { covers, drawingText, type Shape } from "./drawing.ts";
import icons from "./icon-set.json" with { type: "json" };
import { iconSets } from "./icon-set.ts";
import { drawIcon } from "./icons.ts";
import { svg } from "./index.ts";
import { mosaic } from "./mosaic.ts";
import { loadRenderer, rasterise } from "./raster.ts";
import { readDrawing, type SafeDrawing } from "./sanitise.ts";
import { Svg } from "./svg.ts";

beforeAll(() => svg.load!());

const SQUARE: Shape = { kind: "rect", x: 16, y: 16, width: 32, height: 32, fill: "red" };
const drawn = (text: string): Frame => rasterise(readDrawing(text) as SafeDrawing, 64);

function begin(options: object = {}, seed = 1): Svg {
  const env = new Svg(config.parse(options));
  env.reset(seed);
  return env;
}

const factsOf = (env: Svg) => (env.groundTruth() as WorldTruth).facts!;
const EMPTY = '<svg viewBox="0 0 64 64"><g/></svg>';

describe("the picture", () => {
  test("of a square is red inside, white outside, and as wide as asked", () => {
    const { width, height, data } = drawn(drawingText([SQUARE]));
    expect([width, height]).toEqual([64, 64]);
    const at = (x: number, y: number) => [...data.slice(4 * (64 * y + x), 4 * (64 * y + x) + 4)];
    expect([at(32, 32), at(16, 16), at(47, 47)]).toEqual(Array(3).fill([255, 0, 0, 255]));
    expect([at(15, 32), at(48, 32), at(0, 0)]).toEqual(Array(3).fill([255, 255, 255, 255]));
  });

  test("is drawn after the module has been evaluated again, as a development server does", async () => {
    const before = drawn(drawingText([SQUARE]));
    const fresh = "./raster.ts?again";
    const again: typeof import("./raster.ts") = await import(/* @vite-ignore */ fresh);
    await again.loadRaster();
    expect(again.rasterise(readDrawing(drawingText([SQUARE])) as SafeDrawing, 64)).toEqual(before);
  });

  test("names the renderer and its file where the file does not arrive", async () => {
    const failed = loadRenderer(() => Promise.reject(new TypeError("Failed to fetch.")));
    const error = (await failed.catch((reason: unknown) => reason)) as EnvError;
    expect(error).toBeInstanceOf(EnvError);
    expect(error.code).toBe("not_loaded");
    expect(error.message).toBe("SVG reconstruction could not load its renderer, resvg: Failed to fetch.");
    expect(error.hint).toContain("index_bg.wasm");
  });

  test("is fitted into the canvas, whatever units the drawing has", () => {
    const square = '<rect x="25" y="25" width="50" height="50" fill="red"/>';
    const same = drawn(drawingText([SQUARE]));
    for (const frame of ['viewBox="0 0 100 100"', 'width="100" height="100"', 'width="100px" height="100px"'])
      expect(drawn(`<svg xmlns="http://www.w3.org/2000/svg" ${frame}>${square}</svg>`)).toEqual(same);
  });

  test("agrees with the geometry of icons", () => {
    for (let seed = 0; seed < 10; seed++) {
      const icon = drawIcon(rng(seed), 3, 4);
      const { data } = drawn(drawingText(icon));
      let wrong = 0;
      for (let i = 0; i < 64 * 64; i++) {
        const [x, y] = [(i % 64) + 0.5, Math.floor(i / 64) + 0.5];
        const isPaper = [0, 1, 2].every((channel) => data[4 * i + channel] === 255);
        if (isPaper === icon.some((shape) => covers(shape, [x, y]))) wrong++;
      }
      // Pixels on an edge are both.
      expect(wrong).toBeLessThan(0.03 * 64 * 64);
    }
  });

  test("leaves out translucent shapes far outside, at which the renderer fails by itself", () => {
    const paper = drawn(EMPTY);
    for (const far of [
      '<circle cx="-200" r="3" opacity=".5"/>',
      '<g opacity=".5"><rect x="500" width="9" height="9"/></g>',
    ])
      expect(drawn(`<svg viewBox="0 0 64 64">${far}</svg>`)).toEqual(paper);
  });

  test("is drawn of anything that the sanitiser lets through", () => {
    const random = rng(3);
    const names = [
      "path",
      "rect",
      "circle",
      "ellipse",
      "line",
      "polyline",
      "polygon",
      "g",
      "linearGradient",
      "stop",
    ];
    const attributes = [
      ..."x y width height rx ry cx cy r d points".split(" "),
      "transform",
      "fill",
      "stroke",
    ];
    const more = ["stroke-width", "opacity", "offset", "id", "gradientUnits", "viewBox", "fill-rule"];
    const values = [
      "",
      "0",
      "-5",
      "1e5",
      "NaN",
      "10%",
      "M0 0L",
      "MMM",
      "1,2 3",
      "red",
      "url(#a)",
      "rotate(",
      "a",
    ];
    const one = (): string => {
      const name = random.pick(names);
      const given = new Map(
        Array.from({ length: random.int(5) }, () => [
          random.pick([...attributes, ...more]),
          random.pick(values),
        ]),
      );
      const text = [...given].map(([key, value]) => ` ${key}="${value}"`).join("");
      return random.int(3) === 0 ? `<${name}${text}>${one()}</${name}>` : `<${name}${text}/>`;
    };
    let drawings = 0;
    for (let i = 0; i < 3000; i++) {
      const read = readDrawing(
        `<svg${random.int(2) ? ` viewBox="${random.pick(values)}"` : ""}>${one()}${one()}</svg>`,
      )!;
      if ("refused" in read) continue;
      drawings++;
      expect(rasterise(read, 16).data).toHaveLength(16 * 16 * 4);
    }
    expect(drawings).toBeGreaterThan(150);
  });

  test("as letters names the colours", () => {
    const lines = mosaic(drawn(drawingText([SQUARE])));
    expect(lines[3]).toBe(".".repeat(16));
    expect(lines[4]).toBe("....rrrrrrrr....");
  });
});

describe("icons", () => {
  test("have as many shapes as allowed, in colours of their own, on the lattice and on the canvas", () => {
    const counts = new Set<number>();
    for (let seed = 0; seed < 200; seed++) {
      const icon = drawIcon(rng(seed), 4, 4);
      counts.add(icon.length);
      expect(new Set(icon.map(({ fill }) => fill)).size).toBe(icon.length);
      for (const number of drawingText(icon).slice(24).match(/\d+/g)!.map(Number)) {
        expect(number % 4).toBe(0);
        expect(number).toBeLessThanOrEqual(64);
      }
    }
    expect([...counts].sort()).toEqual([1, 2, 3, 4]);
  });

  test.each([1, 2, 3, 5, 6, 7, 8])(
    "exist on a lattice of %i, with as many shapes as there may be",
    (lattice) => {
      for (let seed = 0; seed < 30; seed++)
        for (const number of drawingText(drawIcon(rng(seed), 5, lattice))
          .slice(24)
          .match(/\d+/g)!
          .map(Number)) {
          expect(number % lattice).toBe(0);
          expect(number).toBeLessThanOrEqual(64);
        }
    },
  );
});

describe("an episode", () => {
  test("ends with an exact copy, which earns the whole score", () => {
    const env = begin({ success_reward: 2 });
    expect(env.step(env.oracle()[0]!)).toEqual({
      reward: 3,
      terminated: true,
      success: true,
      effective: true,
      note: "",
    });
    expect(factsOf(env)).toMatchObject({ similarity: 1, ms_ssim: 1, edges: 1, color: 1, solved: true });
  });

  test("pays what a drawing adds to the best before it", () => {
    const env = begin({ success_similarity: 1 });
    let best = 0;
    for (const text of [EMPTY, drawingText([SQUARE]), EMPTY, env.oracle()[0]!]) {
      const { reward } = env.step(text);
      const score = Number(factsOf(env).similarity);
      expect(reward).toBeCloseTo(Math.max(0, score - best));
      best = Math.max(best, score);
    }
    expect(best).toBe(1);
  });

  test("pays every drawing under VAGEN's rule, the same one twice too", () => {
    const env = begin({ paid: "every_drawing", success_similarity: 1 });
    const first = env.step(drawingText([SQUARE]));
    const again = env.step(drawingText([SQUARE]));
    expect(again.reward).toBe(first.reward);
    expect(again).toMatchObject({ effective: false, note: "the same drawing as before" });
  });

  test("knows the same picture in other code, and keeps that code", () => {
    const env = begin({ success_similarity: 1 });
    const square = drawingText([SQUARE]);
    env.step(square);
    const [seen, measured] = [env.render(8), factsOf(env).similarity];
    const reworded = square.replace("</svg>", "<title>Again</title></svg>");
    expect(env.step(reworded)).toEqual({
      reward: 0,
      terminated: false,
      success: false,
      effective: false,
      note: "the same drawing as before",
    });
    expect(env.render(8)).toEqual(seen);
    expect(factsOf(env)).toMatchObject({ drawing: reworded, similarity: measured });
    expect(env.step(EMPTY)).toMatchObject({ effective: true, note: "" });
  });

  test("names a colour that there is not, which changes no reward", () => {
    const square = drawingText([SQUARE]);
    const noted = (code: string) => begin().step(code);
    expect(noted(square).note).toBe("");
    const misspelt = noted(square.replace('"red"', '"blu"'));
    expect(misspelt.note).toBe('fill="blu" names no colour; use one such as "red" or "#d33"');
    expect(misspelt.reward).toBe(noted(square.replace('"red"', '"black"')).reward);
    for (const color of ["RED", "none", "#123", "currentColor", "darkslategrey"])
      expect(noted(square.replace('"red"', `"${color}"`)).note).toBe("");
    const inherited = square.replace("<svg", '<svg stroke="bluee"');
    expect(noted(inherited).note).toMatch(/^stroke="bluee"/);
  });

  test("names a colour that is written wrongly", () => {
    const square = drawingText([SQUARE]);
    const noteOf = (color: string) => begin().step(square.replace('"red"', `"${color}"`)).note;
    expect(noteOf("#12345")).toBe('fill="#12345" is no colour; use one such as "red" or "#d33"');
    // The renderer paints nothing with what it cannot read, if it is a stroke.
    const isPainted = (color: string) => {
      const line = `<path d="M0 32H64" stroke-width="64" stroke="${color}"/>`;
      return drawn(`<svg viewBox="0 0 64 64">${line}</svg>`).data.some((byte) => byte !== 255);
    };
    for (const color of [
      ...["#123", "#1234", "#123456", "#12345678", "#ABC", "rgb(1,2,3)", "rgb( 1 2 , 3 )", "RGB(1.5,2,3)"],
      ...["rgb(10%,20%,30%)", "rgb(1%2%3%)", "rgb(10%,20,30)", "rgb(300,2,3.5)", "rgb(1,2,3,)"],
      ...["rgb(1,2,3,.5)", "rgba(1,2,3,.5)", "rgba(1,2,3)", "rgba(1 2 3 .5)", "hsl(120,50.5%,40.5%)"],
      ...["hsl(500 50% 40%)", "hsl(120,50%,40%,.5)", "hsla(120,50%,40%)", "hsla(120,50%,40%,.5)"],
    ])
      expect([color, isPainted(color), noteOf(color)]).toEqual([color, true, ""]);
    for (const color of [
      ...["#12345", "#1234567", "rgb(1,2)", "rgb(123)", "rgb(1,,2,3)", "rgb(,1,2,3)", "rgb(1,2,3,4,5)"],
      ...["rgb(1..2,2,3)", "rgb(1,2.5,3)", "rgb(10,20%,30)", "rgba(1,2,3,50%)", "rgba(1,2)", "hsl(120,50%)"],
      ...["hsl(120%,50%,40%)", "hsl(1.5,50%,40%)", "hsla(120,50%)"],
    ])
      expect([color, isPainted(color), noteOf(color)]).toEqual([
        ...[color, false],
        expect.stringContaining(`fill="${color}" is no colour`),
      ]);
  });

  test("needs something to be measured by", () => {
    const none = config.parse({ ms_ssim_weight: 0, edge_weight: 0, color_weight: 0 });
    expect(() => svg.check!(none)).toThrow(/env.config.ms_ssim_weight is 0; no measure counts/);
    expect(() => svg.check!({ ...none, color_weight: 0.1 })).not.toThrow();
    expect(() => svg.check!({ ...none, dino_weight: 0.1 })).not.toThrow();
    expect(() => svg.check!({ ...none, structural_weight: 0.1 })).not.toThrow();
  });

  test("pays shared edges by the weight of structure, as a part of the score", () => {
    const options = { structural_weight: 5, success_similarity: 1 };
    for (const paid of ["improvement", "every_drawing"] as const) {
      const [env, without] = [begin({ ...options, paid }), begin({ success_similarity: 1, paid })];
      let best = 0;
      for (const text of [EMPTY, drawingText([SQUARE]), EMPTY, env.oracle()[0]!]) {
        const { reward, success } = env.step(text);
        const own = without.step(text);
        const { structure, ...others } = factsOf(env);
        expect(others).toEqual(factsOf(without));
        expect(success).toBe(own.success);
        const score = Number(others.similarity) + 5 * Number(structure);
        expect(reward).toBeCloseTo(paid === "improvement" ? Math.max(0, score - best) : score);
        best = Math.max(best, score);
      }
      expect(factsOf(env).structure).toBe(1);
    }
  });

  test("measures structure only where it is paid", () => {
    const env = begin();
    env.step(EMPTY);
    expect(factsOf(env)).not.toHaveProperty("structure");
    expect(svg.measures!(config.parse({}))).toEqual(["similarity", "ms_ssim", "edges", "color"]);
    expect(svg.measures!(config.parse({ structural_weight: 1 }))).toContain("structure");
  });

  test("decides on success by its own measures, also where only models are paid", () => {
    const env = begin({ ms_ssim_weight: 0, edge_weight: 0, color_weight: 0, dreamsim_weight: 5 });
    const usual = begin();
    for (const text of [drawingText([SQUARE]), String(factsOf(env).icon)]) {
      const { success } = usual.step(text);
      expect(env.step(text)).toMatchObject({ reward: 0, success, terminated: success });
      expect(factsOf(env).similarity).toBeCloseTo(Number(factsOf(usual).similarity), 12);
    }
    expect(factsOf(env).solved).toBe(true);
  });

  test("weighs the measures as configured", () => {
    const only = { ms_ssim_weight: 0, edge_weight: 0, color_weight: 5, success_similarity: 1 };
    const env = begin(only);
    const { reward } = env.step(drawingText([SQUARE]));
    expect(reward).toBeCloseTo(5 * Number(factsOf(env).color));
    expect(factsOf(env).similarity).toBe(factsOf(env).color);
  });

  test("shows the icon first, then the drawing, shape by shape", () => {
    const env = begin();
    const icon = env.render(8);
    expect(env.motion()).toBeNull();
    const text = drawingText([SQUARE, { kind: "circle", cx: 32, cy: 32, r: 8, fill: "blue" }]);
    env.step(text);
    expect(env.render(8)).not.toEqual(icon);
    expect(env.render(8)).toEqual(drawn(text));
    const motion = env.motion()!;
    // Half of the time is the square's, which is whole at the end of it.
    expect(motion.picture(motion.seconds / 2 - 0.01, 8)).toEqual(drawn(drawingText([SQUARE])));
    expect([icon, drawn(drawingText([SQUARE]))]).not.toContainEqual(motion.picture(0, 8));
    expect(motion.picture(motion.seconds, 8)).toEqual(env.render(8));
  });

  test("draws a path in the middle of its motion as far as its code has come", () => {
    const env = begin();
    const squares = ["M4 4L20 4L20 20L4 20Z", "M40 4L60 4L60 20L40 20Z", "M4 40L20 40L20 60L4 60Z"];
    const withPath = (d: string) => `<svg viewBox="0 0 64 64"><g fill="blue"><path d="${d}"/></g></svg>`;
    env.step(withPath(squares.join("")));
    const { seconds, picture } = env.motion()!;
    expect(picture(seconds / 2 - 0.01, 8)).toEqual(drawn(withPath(`${squares[0]}M40 4L60 4L60 20`)));
    expect(picture(seconds / 2 + 0.01, 8)).toEqual(drawn(withPath(`${squares[0]}${squares[1]}`)));
    expect(picture(seconds, 8)).toEqual(env.render(8));
  });

  test("plays the motion of many shapes within seconds, and draws each of its pictures once", () => {
    const env = begin();
    env.step(drawingText(Array.from({ length: 240 }, () => SQUARE)));
    const motion = env.motion()!;
    expect(motion.seconds).toBe(4);
    const shown = Array.from({ length: 200 }, (_, i) => motion.picture((i / 200) * motion.seconds, 8));
    expect(new Set(shown).size).toBe(24);
    expect(motion.picture(1, 16).width).toBe(128);
  });

  test("is drawn up to the size of the other worlds", () => {
    const env = begin({ resolution: 256 });
    expect(env.render(64).width).toBe(2048);
    expect(() => env.render(65)).toThrow(/patchPx is 65/);
  });

  test("has pictures to compare once there is a drawing; where they are equal, the difference is white", () => {
    const env = begin();
    expect(svg.drawings!.views(env.groundTruth())).toEqual([]);
    env.step(env.oracle()[0]!);
    const [icon, drawing, difference] = svg.drawings!.views(env.groundTruth());
    expect([icon?.title, drawing?.title, difference?.title]).toEqual(["Target", "Drawing", "Difference"]);
    expect(drawing!.frame).toEqual(icon!.frame);
    expect(difference!.frame.data.every((value) => value === 255)).toBe(true);
  });

  test("has nothing to compare in a recording whose drawings are refused", () => {
    const facts = { icon: "<svg><script/></svg>", drawing: drawingText([SQUARE]) };
    for (const wrong of [facts, { ...facts, icon: "none" }, { drawing: "<svg></svg>" }])
      expect(svg.drawings!.views({ frame: "canvas", things: [], facts: wrong })).toEqual([]);
  });

  test("refuses to draw what the sanitiser refuses", () => {
    const env = begin();
    expect(() => env.step("<svg><script/></svg>")).toThrow(EnvError);
    expect(svg.readAction!("<svg><script/></svg>")).toBeNull();
    expect(svg.whyUnknown!("<svg><script/></svg>")).toContain("<script> is not allowed");
    expect(svg.whyUnknown!("a red circle")).toBe("The answer has no <svg>…</svg>.");
  });

  test("takes the first drawing of an answer, with words around it", () => {
    const text = drawingText([SQUARE]);
    expect(svg.readAction!(`Here it is:\n${text}\nand ${EMPTY}`)).toBe(text);
  });
});

describe("claims", () => {
  const CIRCLE: Shape = { kind: "circle", cx: 32, cy: 40, r: 16, fill: "blue" };
  const code = drawingText([
    SQUARE,
    CIRCLE,
    {
      kind: "path",
      corners: [
        [8, 0],
        [24, 40],
        [0, 40],
      ],
      fill: "gold",
    },
  ]);

  test("name each shape with its left, upper, right and lower end", () => {
    expect(shapesIn(code)).toBe("red rect 16 16 48 48 ; blue circle 16 24 48 56 ; gold path 0 0 24 40");
  });

  test("end where the canvas ends", () => {
    expect(shapesIn(drawingText([{ ...CIRCLE, cx: 8, cy: 60 }]))).toBe("blue circle 0 44 24 64");
  });

  test("are where the shape shows in the picture", () => {
    const truth = { frame: "canvas", things: [], facts: { icon: code } } as const;
    const [square, circle] = drawingClaims.read(shapesIn(code), truth);
    expect(drawingClaims.outline(square!, truth)).toEqual({ x: 0.25, y: 0.25, width: 0.5, height: 0.5 });
    expect(drawingClaims.outline(circle!, truth)).toEqual({ x: 0.25, y: 0.375, width: 0.5, height: 0.5 });
  });

  test("without an extent show nowhere", () => {
    const truth = { frame: "canvas", things: [], facts: { icon: code } } as const;
    for (const text of ["red rect 8 8 8 24", "red rect 40 8 16 24", "red rect 80 80 90 90"])
      expect(drawingClaims.outline(drawingClaims.read(text, truth)[0]!, truth)).toBeNull();
  });

  test("are within the ends of every shape in the picture, of any icon", () => {
    for (let seed = 0; seed < 20; seed++) {
      const [shape] = drawIcon(rng(seed), 1, 4);
      const said = shapesIn(drawingText([shape!]))
        .split(" ")
        .slice(2)
        .map(Number);
      const { data } = drawn(drawingText([shape!]));
      const inked = Array.from({ length: 64 * 64 }, (_, i) => i).filter((i) =>
        [0, 1, 2].some((channel) => data[4 * i + channel]! < 250),
      );
      const [xs, ys] = [inked.map((i) => i % 64), inked.map((i) => Math.floor(i / 64))];
      const seen = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
      // The tip of a triangle or a diamond covers little of its pixel.
      for (const [i, end] of said.entries()) expect(Math.abs(end - seen[i]!)).toBeLessThanOrEqual(1);
    }
  });
});

describe.each([
  { set: "bootstrap", counts: [263, 63] },
  { set: "octicons", counts: [64, 14] },
  { set: "mdi", counts: [351, 78] },
  { set: "all", counts: [678, 155] },
] as const)("the icons of $set", ({ set, counts }) => {
  const { train, test: kept } = iconSets[set];

  test("are all drawable, on the canvas, in whole units, and in one part each", () => {
    expect([train.length, kept.length]).toEqual(counts);
    expect(new Set([...train, ...kept]).size).toBe(train.length + kept.length);
    for (const path of [...train, ...kept]) {
      expect(readDrawing(`<svg><path d="${path}"/></svg>`)).toMatchObject({ viewBox: "0 0 64 64" });
      expect(path).toMatch(/^M[MLCZ\d ]+$/);
      for (const number of path.match(/\d+/g)!.map(Number)) expect(number).toBeLessThanOrEqual(64);
    }
  });

  test.each(["train", "test"] as const)("are drawn under …_%s, and their code solves them", (part) => {
    for (let seed = 0; seed < 20; seed++) {
      const env = begin({ icons: `${set}_${part}` }, seed);
      const path = / d="([^"]*)"/.exec(env.oracle()[0]!)![1]!;
      expect(iconSets[set][part]).toContain(path);
      expect(env.step(env.oracle()[0]!)).toMatchObject({ success: true });
    }
  });

  test("are written in tokens, half bytes apart", () => {
    const config = svg.config.parse({ icons: `${set}_train` });
    const vocabulary = vocabularyFor(svg, config, 2, { format: "free_think" });
    for (const path of [...train, ...kept])
      for (const token of vocabulary.encode(`<svg viewBox="0 0 64 64"><path d="${path}" fill="red"/></svg>`))
        expect(vocabulary.surface(token)).not.toMatch(/^<0x/);
  });
});

describe("the sets of icons", () => {
  test("can all be chosen", () => {
    const named = Object.keys(iconSets).flatMap((set) => [`${set}_train`, `${set}_test`]);
    expect(config.shape.icons.unwrap().options).toEqual(["shapes", ...named]);
  });

  test("have each name in one part only", () => {
    const partOf = new Map<string, boolean>();
    let shared = 0;
    for (const set of ["bootstrap", "octicons", "mdi"] as const)
      for (const [name, path] of Object.entries(icons[set])) {
        const isKept = iconSets[set].test.includes(path);
        if (partOf.has(name)) shared++;
        expect(partOf.get(name) ?? isKept, name).toBe(isKept);
        partOf.set(name, isKept);
      }
    expect(shared).toBeGreaterThan(50);
  });

  test.each([
    [
      "bootstrap_train",
      9,
      "M16 32C16 31 17 30 18 30L46 30C47 30 48 31 48 32 48 33 47 34 46 34L18 34C17 34 16 33 16 32",
      "blue",
    ],
    ["bootstrap_test", 9, "M27 0L8 37 19 37 27 22 35 37 46 37ZM46 37L40 48 35 37 26 37 40 64 54 37Z", "blue"],
    [
      "octicons_train",
      34,
      "M32 16C41 16 48 23 48 32 48 41 41 48 32 48 23 48 16 41 16 32 16 23 23 16 32 16Z",
      "orange",
    ],
    ["mdi_train", 587, "M3 56L61 56 32 5", "blue"],
  ] as const)("give a seed the icon that they have always given it (%s)", (icons, seed, path, fill) => {
    expect(begin({ icons }, seed).oracle()).toEqual([
      `<svg viewBox="0 0 64 64"><path d="${path}" fill="${fill}"/></svg>`,
    ]);
  });
});
