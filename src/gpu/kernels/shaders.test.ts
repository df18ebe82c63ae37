import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

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

const shaders = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".wgsl"),
);

it("shaders/README.md lists every shader, and nothing else", () => {
  const files = shaders.map((file) => file.replace(/^lib[/\\]/, "").replace(/\.wgsl$/, ""));
  expect([...listedKernels()].sort()).toEqual(files.sort());
});

/** Index of the first character after the balanced brackets that follow `at`, and how many there are side by side. */
function skipIndices(code: string, at: number): { end: number; indices: number } {
  let indices = 0;
  let end = at;
  while (code[end] === "[") {
    let depth = 0;
    do {
      if (code[end] === "[") depth++;
      if (code[end] === "]") depth--;
      end++;
    } while (depth > 0);
    indices++;
  }
  return { end, indices };
}

/**
 * Writes to single components of vectors, and pointers by which such writes could happen, in memory that invocations share.
 * WGSL lets a write to a component access the whole vector, so two invocations that write different components of one
 * vector race. Metal and FXC compile it to a read and a write of the whole vector.
 */
function componentWrites(source: string): string[] {
  const code = source.replace(/\/\/.*/g, "");
  const shared = /var<(?:workgroup|storage, read_write)>\s*(\w+)\s*:\s*([^;]+);/g;
  return [...code.matchAll(shared)].flatMap(([, name = "", type = ""]) => {
    const arrays = type.match(/array</g)?.length ?? 0;
    const uses = [...code.matchAll(new RegExp(`(&\\s*)?\\b${name}\\b(?!\\s*:)`, "g"))];
    return uses.flatMap(({ 0: use, 1: pointer, index }) => {
      const { end, indices } = skipIndices(code, index + use.length);
      const [, component = ""] = /^(\s*\.\w+)?/.exec(code.slice(end)) ?? [];
      const isWrite = /^\s*([-+*/%&|^]|<<|>>)?=(?!=)|^\s*(\+\+|--)/.test(code.slice(end + component.length));
      const isComponent = /\bvec/.test(type) && (indices > arrays || component !== "");
      const isVectorPointer = /\bvec/.test(type) && pointer !== undefined;
      return (isWrite && isComponent) || isVectorPointer ? [code.slice(index, end + component.length)] : [];
    });
  });
}

/**
 * Reads of a buffer by a `select` whose condition is a constant. Both sides of a `select` are computed, so the read takes place
 * even where the constant says that the buffer is not read and another, shorter one is bound in its place.
 */
const unwantedReads = (source: string): string[] =>
  [...source.replace(/\/\/.*/g, "").matchAll(/\bselect\(([^;]*), [A-Z][A-Z_]* [!=]= \d+u\)/g)]
    .map(([whole, sides = ""]) => (sides.includes("[") ? whole : ""))
    .filter(Boolean);

describe("buffers that a constant leaves out", () => {
  it.each(shaders)("%s does not read them", (file) => {
    expect(unwantedReads(readFileSync(join(folder, file), "utf8"))).toEqual([]);
  });

  it("finds such a read", () => {
    expect(unwantedReads("let x = select(0.0, values[i], CRITIC == 1u);")).toHaveLength(1);
    expect(unwantedReads("let x = select(1.0, 1.0 + EPS, KIND == 0u); let y = values[i];")).toEqual([]);
  });
});

describe("memory that invocations share", () => {
  it.each(shaders)("%s writes its vectors only whole", (file) => {
    expect(componentWrites(readFileSync(join(folder, file), "utf8"))).toEqual([]);
  });

  it.each([
    ["var<workgroup> a: array<array<vec4f, 17>, 16>;", "a[kk + 1u][r / 4u][r % 4u] = x.x;"],
    ["var<workgroup> a: array<vec4f, 17>;", "a[kk].y += 1.0;"],
    ["var<workgroup> a: vec4u;", "a[lane]++;"],
    ["var<storage, read_write> a: array<vec4f>;", "a[i][lane % 4u] *= 2.0;"],
    ["var<workgroup> a: array<vec4f, 4>;", "put(&a[1], 2.0);"],
  ])("finds a write to a component: %s %s", (declaration, statement) => {
    expect(componentWrites(`${declaration}\nfn main() { ${statement} }`)).toHaveLength(1);
  });

  it.each([
    ["var<workgroup> a: array<array<vec4f, 5>, 64>;", "a[r][lane % 4u] = x;"],
    ["var<workgroup> a: array<f32, 64>;", "a[b[i][j]] = x;"],
    ["var<storage, read_write> a: array<vec4f>;", "let x = a[i].y == a[i][2];"],
    ["var<storage, read> a: array<vec4f>;", "var b = a[0]; b.x = 1.0;"],
  ])("accepts %s %s", (declaration, statement) => {
    expect(componentWrites(`${declaration}\nfn main() { ${statement} }`)).toEqual([]);
  });
});
