// `npm run icons`: writes the icons that SVG reconstruction draws besides its own, from packages that others publish under free licences.
import "./lib/node-version.mjs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ensureDependencies } from "./lib/install.mjs";
import { main, root } from "./lib/process.mjs";

/**
 * The sets, by the names that they have in `env.config.icons`. `units` is how wide the package's icons are, `files` which of its files are
 * taken and what in their names is the icon's, `without` which icons are not, by a tag in the package's list. A new set belongs at the end, because an icon that an earlier set has is left out.
 */
const SETS = {
  bootstrap: {
    package: "bootstrap-icons",
    folder: "icons",
    files: /^(.+)\.svg$/,
    units: 16,
    licence: "MIT",
  },
  // Each icon comes in several sizes; the smallest has the shortest paths.
  octicons: {
    package: "@primer/octicons",
    folder: "build/svg",
    files: /^(.+)-16\.svg$/,
    units: 16,
    licence: "MIT",
  },
  // Names of one word: the others are mostly variants (`account-box`, `account-box-outline`), which would be in both parts of the set.
  // Logos are left out, because they belong to their companies.
  mdi: {
    package: "@mdi/svg",
    folder: "svg",
    files: /^([^-]+)\.svg$/,
    units: 24,
    licence: "Apache-2.0",
    without: { list: "meta.json", tag: "Brand / Logo" },
  },
};

/** Longer ones are no icons for a small policy. */
const MOST_CHARACTERS = 260;
/** Width of the canvas on which they are drawn. */
const CANVAS = 64;

await main(async () => {
  await ensureDependencies();
  const { default: svgpath } = await import("svgpath");
  const require = createRequire(import.meta.url);
  // Of all sets: two names of one picture could end up among the icons to train on and among those to evaluate on.
  const taken = new Set();
  const sets = {};
  for (const [name, set] of Object.entries(SETS)) {
    const folder = join(dirname(require.resolve(`${set.package}/package.json`)), set.folder);
    const tagged = set.without ? require(`${set.package}/${set.without.list}`) : [];
    const leftOut = tagged.filter(({ tags }) => tags.includes(set.without.tag)).map((icon) => icon.name);
    sets[name] = {};
    for (const file of (await readdir(folder)).sort()) {
      const icon = set.files.exec(file)?.[1];
      if (!icon || leftOut.includes(icon)) continue;
      const d = pathOf(await readFile(join(folder, file), "utf8"), CANVAS / set.units, svgpath);
      if (!d || d.length > MOST_CHARACTERS || taken.has(d)) continue;
      taken.add(d);
      sets[name][icon] = d;
    }
    console.log(`${Object.keys(sets[name]).length} icons of ${set.package} (${set.licence})`);
  }
  await writeFile(join(root, "src/envs/svg/icon-set.json"), `${JSON.stringify(sets, null, 2)}\n`);
});

/** All paths of an icon as one, in whole units of the canvas: only M, L, C and Z. Null for icons that need more. */
function pathOf(svg, scale, svgpath) {
  if (/<(circle|rect|ellipse|line|poly|g|use)\b|evenodd/.test(svg)) return null;
  const paths = [...svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/g)].map(([, d]) => d);
  if (paths.length === 0) return null;
  const plainPath = svgpath(paths.join(" "))
    .abs()
    .unshort()
    .unarc()
    .scale(scale)
    .round(0)
    .iterate(plain)
    .toString();
  const text = plainPath.replace(/ ?([MLCZ]) ?/gi, "$1").replaceAll("z", "Z");
  const isOnCanvas = (text.match(/-?\d+/g) ?? []).every((number) => number >= 0 && number <= CANVAS);
  return isOnCanvas && /^[MLCZ\d ]+$/.test(text) ? text : null;
}

/** A horizontal or vertical line as one between points. */
function plain([command, ...values], _index, x, y) {
  if (command === "H") return [["L", values[0], y]];
  if (command === "V") return [["L", x, values[0]]];
  return undefined;
}
