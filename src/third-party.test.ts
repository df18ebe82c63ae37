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
