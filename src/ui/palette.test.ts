// The colour promises, checked on the stylesheet itself (G1): contrast on every background, and that the section and run
// colours stay apart for people who see colours differently.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHARTS } from "./charts/catalog.ts";
import { COMPARED_LOOKS, THIS_RUN } from "./charts/compared.ts";
import { rewardColor } from "./episode/reward-color.ts";

type Rgb = readonly [number, number, number];
type Palette = Record<string, Rgb>;

const css = readFileSync(join(import.meta.dirname, "styles.css"), "utf8");
const parse = (hex: string): Rgb =>
  [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as unknown as Rgb;

function palettes(): { light: Palette; dark: Palette } {
  const [light, dark]: [Palette, Palette] = [{}, {}];
  for (const [, name, l, d] of css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)) {
    light[name!] = parse(l!);
    dark[name!] = parse(d!);
  }
  return { light, dark };
}

const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]: Rgb) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p) as [number, number];
  return (x + 0.05) / (y + 0.05);
}

/** Full-strength simulations (Machado, Oliveira, Fernandes 2009), on linear light. */
const simulations = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const FULL_SIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const multiply = (m: readonly number[], v: Rgb): Rgb =>
  [0, 3, 6].map((row) => m[row]! * v[0] + m[row + 1]! * v[1] + m[row + 2]! * v[2]) as unknown as Rgb;

function oklab(lin: Rgb): Rgb {
  const lms = multiply(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619,
      0.2817188376, 0.6299787005,
    ],
    lin,
  ).map((c) => Math.cbrt(Math.max(0, c))) as unknown as Rgb;
  return multiply(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371,
      0.7827717662, -0.808675766,
    ],
    lms,
  );
}

function smallestDistance(colors: readonly Rgb[], simulation: readonly number[]): number {
  const seen = colors.map((color) => oklab(multiply(simulation, color.map(linear) as unknown as Rgb)));
  let least = Number.POSITIVE_INFINITY;
  for (const [i, a] of seen.entries())
    for (const b of seen.slice(i + 1))
      least = Math.min(least, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  return least * 100;
}

const SECTIONS = ["observation", "reasoning", "prediction", "action", "environment"];
const RUNS = [1, 2, 3, 4, 5, 6].map((n) => `run-${n}`);

describe.each(Object.entries(palettes()))("the %s palette", (theme, colors) => {
  const on = (a: string, b: string) => contrast(colors[a]!, colors[b]!);

  it("has every token of the visual system", () => {
    expect(Object.keys(colors)).toHaveLength(9 + 2 * SECTIONS.length + RUNS.length + 4);
  });
  it.each(["text", "muted", "accent", "danger", "warning", "ok"])(
    "%s reads on surface and panel (4.5)",
    (name) => {
      expect(on(name, "surface")).toBeGreaterThanOrEqual(4.5);
      expect(on(name, "panel")).toBeGreaterThanOrEqual(4.5);
    },
  );
  it("control borders are visible (3)", () => {
    expect(on("control", "surface")).toBeGreaterThanOrEqual(3);
    expect(on("control", "panel")).toBeGreaterThanOrEqual(3);
  });
  it("the surface colour reads on an accent button (4.5)", () => {
    expect(on("surface", "accent")).toBeGreaterThanOrEqual(4.5);
  });
  it.each(SECTIONS)("section %s: text on its tint (9.9), rail on surface and tint (4)", (name) => {
    expect(on("text", `${name}-tint`)).toBeGreaterThanOrEqual(9.9);
    expect(on(name, "surface")).toBeGreaterThanOrEqual(4);
    expect(on(name, `${name}-tint`)).toBeGreaterThanOrEqual(4);
  });
  it.each(RUNS)("%s is visible on the surface (3)", (name) => {
    expect(on(name, "surface")).toBeGreaterThanOrEqual(3);
  });
  it.each(["heat-negative", "heat-positive", "heat-teal", "heat-purple"])("text reads on full %s", (name) => {
    expect(on("text", name)).toBeGreaterThanOrEqual(theme === "light" ? 7 : 5.2);
  });
  it.each(Object.entries(simulations))("section rails stay apart under %s", (_, simulation) => {
    const rails = SECTIONS.map((name) => colors[name]!);
    expect(smallestDistance(rails, simulation)).toBeGreaterThanOrEqual(11);
  });
  it.each(Object.entries(simulations))("runs stay apart under %s", (_, simulation) => {
    expect(
      smallestDistance(
        RUNS.map((name) => colors[name]!),
        simulation,
      ),
    ).toBeGreaterThanOrEqual(13);
  });
  it.each([["full sight", FULL_SIGHT], ...Object.entries(simulations)] as const)(
    "the kinds of neighbours stay apart under %s",
    (_, simulation) => {
      const { lines } = CHARTS.find(({ id }) => id === "surroundings_miss")!;
      // A dashed line is known by its dashes.
      const drawn = lines.filter(({ dash }) => !dash).map(({ color }) => colors[color.slice(2)]!);
      expect(drawn.length).toBe(lines.length - 1);
      expect(smallestDistance(drawn, simulation)).toBeGreaterThanOrEqual(6.5);
    },
  );
  it.each([["full sight", FULL_SIGHT], ...Object.entries(simulations)] as const)(
    "compared runs stay apart from each other and from the run on screen under %s",
    (_, simulation) => {
      const drawn = [THIS_RUN, ...COMPARED_LOOKS].map(({ color }) => colors[color.slice(2)]!);
      expect(smallestDistance(drawn, simulation)).toBeGreaterThanOrEqual(13);
    },
  );
  it.each([["full sight", FULL_SIGHT], ...Object.entries(simulations)] as const)(
    "the reward for the surroundings stays apart from the other parts under %s",
    (_, simulation) => {
      const drawn = (id: string) => colors[rewardColor(id).slice(2)]!;
      for (const other of ["task", "format", "state_estimation", "transition_modeling"])
        expect(
          smallestDistance([drawn("surroundings"), drawn(other)], simulation),
          other,
        ).toBeGreaterThanOrEqual(7);
    },
  );
  it.each(Object.entries(simulations))(
    "the ends of the two-sided heat-map stay apart under %s",
    (_, simulation) => {
      expect(
        smallestDistance([colors["heat-negative"]!, colors["heat-positive"]!], simulation),
      ).toBeGreaterThanOrEqual(15);
    },
  );
});
