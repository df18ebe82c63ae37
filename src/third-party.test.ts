// The page names the packages that it is made of, with their licences.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rolldown } from "vite";
import { expect, test } from "vitest";
import { packagesOf, thirdPartyText } from "../scripts/vite/third-party.ts";

const root = join(import.meta.dirname, "..");
const installed = (name: string) => join(root, "node_modules", name);

function packageWith(files: Readonly<Record<string, string>>, name = "some-package"): string {
  const folder = mkdtempSync(join(tmpdir(), "package-"));
  const about = { name, version: "1.2.3", license: "ISC" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(about));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

test("a package is listed with its licence and its notice, and with no other file", () => {
  const text = thirdPartyText([
    packageWith({ "LICENSE.md": "Do as you like.", NOTICE: "Made by me.", "licenses.js": "code" }),
  ]);
  expect(text).toContain("some-package 1.2.3, ISC\n\nDo as you like.\n\nMade by me.\n\n===");
});

test("packages with one licence text share it", () => {
  const files = { LICENSE: "Do as you like." };
  const text = thirdPartyText([packageWith(files, "second"), packageWith(files, "first")]);
  expect(text).toContain("\nfirst 1.2.3, ISC\nsecond 1.2.3, ISC\n\nDo as you like.\n");
});

test("a package without a licence text is named, with the remedy", () => {
  expect(() => thirdPartyText([packageWith({ "README.md": "# Some package" })])).toThrow(
    /some-package 1\.2\.3 comes without the text of its licence \(ISC\).* scripts\/vite\/licence-notices\.ts/,
  );
});

test("every package of the icons is listed", () => {
  const icons = readFileSync(join(root, "scripts/icons.mjs"), "utf8");
  const packages = [...icons.matchAll(/^ +package: "(.+)"/gm)].map(([, name]) => name!);
  expect(packages.length).toBeGreaterThanOrEqual(3);
  const text = thirdPartyText([]);
  for (const name of packages) expect(text).toContain(`\n${name} `);
});

/** The text on a package, and its WebAssembly file. */
function wasmPackage(name: string, file: string) {
  const { version } = JSON.parse(readFileSync(join(installed(name), "package.json"), "utf8"));
  const [about = ""] = thirdPartyText([installed(name)])
    .split("=".repeat(80))
    .filter((part) => part.includes(`\n${name} ${version}, `));
  return { version, about, wasm: readFileSync(join(installed(name), file), "latin1") };
}

test("every library that leaves its path in the WebAssembly file of resvg is named, with its version", () => {
  const { version, about, wasm } = wasmPackage("@resvg/resvg-wasm", "index_bg.wasm");
  expect(about).toContain(`The WebAssembly file of @resvg/resvg-wasm ${version} `);
  const crates = [...wasm.matchAll(/registry\/src\/[^/]+\/([\w-]+)-(\d+\.\d+\.\d+)\//g)];
  expect(crates.length).toBeGreaterThan(38);
  for (const [, name, number] of crates) expect(about).toContain(`\n${name} ${number} (`);
  const commits = [...wasm.matchAll(/git\/checkouts\/[\w-]+\/([0-9a-f]{7})\//g)].map(([, commit]) => commit!);
  expect(new Set(commits).size).toBe(2);
  for (const commit of commits) expect(about).toContain(`/tree/${commit}`);
});

test("every library in the WebAssembly file of MuJoCo is named, as far as its functions show", () => {
  const { version, about, wasm } = wasmPackage("@mujoco/mujoco", "mujoco.wasm");
  expect(about).toContain(`The WebAssembly file of @mujoco/mujoco ${version} `);
  for (const [library, symbol] of [
    ["Qhull", "qh_initqhull_globals"],
    ["libccd", "ccdMPRPenetration"],
    ["LodePNG", "lodepng_decode"],
    ["MarchingCubeCpp", "MC::marching_cube"],
    ["TinyOBJLoader", "tinyobj::LoadMtl"],
    ["TinyXML2", "tinyxml2::XMLDocument"],
    ["miniz", "mz_zip_reader_init_mem"],
  ] as const) {
    expect(wasm, library).toContain(symbol);
    expect(about).toContain(`\n${library}, https://github.com/`);
  }
});

test("a bundle's packages are those of its modules and of its files, also where one lies in another", () => {
  const bundle = {
    "page.js": {
      type: "chunk",
      moduleIds: [
        `${root}/src/main.tsx`,
        `\0${root}/node_modules/react/index.js?commonjs`,
        `${root}/node_modules/a/node_modules/@b/c/dist/d.js`,
      ],
    },
    "mujoco.wasm": { type: "asset", originalFileNames: ["node_modules/@mujoco/mujoco/mujoco.wasm"] },
  } as unknown as Rolldown.OutputBundle;
  const expected = ["react", join("a", "node_modules", "@b", "c"), join("@mujoco", "mujoco")];
  expect(packagesOf(bundle)).toEqual(expected.map(installed));
});
