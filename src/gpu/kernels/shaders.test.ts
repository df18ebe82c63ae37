import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../../shaders");
const readme = readFileSync(join(folder, "README.md"), "utf8");

/** Names in the first column of the tables; `_staged` and the like continue the first name of their row. */
function listedKernels(): Set<string> {
  const names = new Set<string>();
  for (const [, cell] of readme.matchAll(/^\| (`[^|]+) \|/gm)) {
    const [first = "", ...rest] = [...(cell as string).matchAll(/`(\w+)`/g)].map(
      ([, name]) => name as string,
    );
    names.add(first);
    for (const name of rest) names.add(name.startsWith("_") ? first + name : name);
  }
  return names;
}

it("shaders/README.md lists every shader, and nothing else", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".wgsl"))
    .map((file) => file.replace(/^lib[/\\]/, "").replace(/\.wgsl$/, ""));
  expect([...listedKernels()].sort()).toEqual(files.sort());
});
