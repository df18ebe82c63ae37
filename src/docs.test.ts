// The documentation refers to files, sections and commands that exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const pages = [...markdownIn("."), ...markdownIn("docs"), "public/checkpoints/README.md"];
const scripts = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts);

const testFiles = ["src", "e2e"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.test\.tsx?$/.test(file));

const read = (page: string) => readFileSync(join(root, page), "utf8");

/** GitHub's name of a heading: lower case, without punctuation, hyphens for spaces. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!));

/** Whether the target of a relative link exists, with its section. */
function resolves(page: string, link: string): boolean {
  const [path = "", section] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return section === undefined || anchorsOf(read(target)).includes(section);
}

/** Paths of the repository in backticks; placeholders (`x.ts`, `mine.ts`) are skipped. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:src|docs|e2e|scripts|shaders|public)\/[\w./-]+)`/g)]
    .map(([, path]) => path!)
    .filter((path) => !/(^|\/)(x|mine)\./.test(path));

describe.each(pages)("%s", (page) => {
  const text = read(page);

  test("links to files and sections that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(relative.filter((link) => !resolves(page, link))).toEqual([]);
  });

  test("names npm commands that exist", () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test("names test files that exist", () => {
    const named = [...text.matchAll(/vitest run --project (?:unit|gpu|e2e) ([\w/-]+)/g)].map(
      ([, word]) => word!,
    );
    expect(
      named.filter((word) => !word.startsWith("-") && !testFiles.some((file) => file.includes(word))),
    ).toEqual([]);
  });

  // The diary keeps the names of its time, here and below.
  test.skipIf(page === "docs/log.md")("names presets that exist", () => {
    const named = [...text.matchAll(/--preset ([\w-]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !existsSync(join(root, "public/presets", `${name}.yaml`)))).toEqual([]);
  });

  test.skipIf(page === "docs/log.md" || page === "CHANGELOG.md")("names files that exist", () => {
    expect(pathsIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

const CHECKPOINTS = "public/checkpoints";

test("the page about the checkpoints lists exactly those that ship", () => {
  const [tables = "", made = ""] = read(`${CHECKPOINTS}/README.md`).split("## How they were made");
  const shipped = readdirSync(join(root, CHECKPOINTS))
    .filter((name) => name.endsWith(".safetensors"))
    .map((name) => name.replace(".safetensors", ""));
  const listed = [...tables.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
  expect([...new Set(listed)].sort()).toEqual(shipped);
  expect(shipped.filter((name) => !made.includes(`\`${name}\``))).toEqual([]);
});

test("the code of Blackjack that is shown is that of its files", () => {
  const section = read("docs/environments.md")
    .split("\n## ")
    .find((text) => text.startsWith("Blackjack"))!;
  const shown = [...section.matchAll(/```ts\n([^`]*)\n```/g)].map(([, code]) => code!);
  const source = ["index", "blackjack"].map((name) => read(`src/envs/blackjack/${name}.ts`)).join("\n");
  expect(shown.length).toBe(2);
  expect(shown.filter((code) => !source.includes(code))).toEqual([]);
});
