// `npm run icons`: writes the icons that SVG reconstruction draws besides its own, from the package bootstrap-icons (MIT).
import "./lib/node-version.mjs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ensureDependencies } from "./lib/install.mjs";
import { main, root } from "./lib/process.mjs";

/** Longer ones are no icons for a small policy. */
const MOST_CHARACTERS = 260;
/** The package's icons are 16 units wide. */
const SCALE = 4;

await main(async () => {
  await ensureDependencies();
  const { default: svgpath } = await import("svgpath");
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve("bootstrap-icons/package.json")), "icons");
  // Two names of one picture could end up in both parts of the set.
  const icons = new Map();
  for (const file of (await readdir(folder)).sort()) {
    const d = pathOf(await readFile(join(folder, file), "utf8"), svgpath);
    if (d && d.length <= MOST_CHARACTERS && !icons.has(d)) icons.set(d, file.slice(0, -".svg".length));
  }
  const paths = Object.fromEntries([...icons].map(([d, name]) => [name, d]));
  await writeFile(join(root, "src/envs/svg/icon-set.json"), `${JSON.stringify(paths, null, 2)}\n`);
  console.log(`${icons.size} icons`);
});

/** All paths of an icon as one, in whole units of a canvas of 64: only M, L, C and Z. Null for icons that need more. */
function pathOf(svg, svgpath) {
  if (/<(circle|rect|ellipse|line|poly|g|use)\b|evenodd/.test(svg)) return null;
  const paths = [...svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/g)].map(([, d]) => d);
  if (paths.length === 0) return null;
  const plainPath = svgpath(paths.join(" "))
    .abs()
    .unshort()
    .unarc()
    .scale(SCALE)
    .round(0)
    .iterate(plain)
    .toString();
  const text = plainPath.replace(/ ?([MLCZ]) ?/gi, "$1").replaceAll("z", "Z");
  const isOnCanvas = (text.match(/-?\d+/g) ?? []).every((number) => number >= 0 && number <= 64);
  return isOnCanvas && /^[MLCZ\d ]+$/.test(text) ? text : null;
}

/** A horizontal or vertical line as one between points. */
function plain([command, ...values], _index, x, y) {
  if (command === "H") return [["L", values[0], y]];
  if (command === "V") return [["L", x, values[0]]];
  return undefined;
}
