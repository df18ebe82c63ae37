// Writes third-party.txt into the build: the packages of the page, with the notices and licences that must go with every copy.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { NOTICES } from "./licence-notices.ts";

const root = join(import.meta.dirname, "..", "..");
const FILE = "third-party.txt";
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const PACKAGE = /^\0?(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//;

const installed = (name: string): string => join(root, "node_modules", name);

/** In the page without a module of theirs: the icons of `npm run icons`, the base of the styles, and what joins the scripts. */
const WITHOUT_MODULES = [
  ...["@mdi/svg", "@primer/octicons", "bootstrap-icons"],
  ...["tailwindcss", "rolldown", "vite"],
].map(installed);

interface Package {
  readonly title: string;
  readonly licence: string;
}

/** @throws Error when neither the package nor licence-notices.ts has the text of its licence. */
function packageIn(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = NOTICES[name] ?? licenceFiles(folder);
  if (texts.length === 0)
    throw new Error(
      `${name} ${version} comes without the text of its licence (${license}), which must go with every copy of the page. ` +
        "Add it, with the copyright that its source states, to scripts/vite/licence-notices.ts.",
    );
  return { title: `${name} ${version}, ${license}`, licence: texts.map((text) => text.trim()).join("\n\n") };
}

function licenceFiles(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).filter((name) => LICENCE_FILE.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), "utf8"));
}

/** The text for visitors; packages with the same licence text share it. */
export function thirdPartyText(folders: Iterable<string>): string {
  const packages = [...new Set([...folders, ...WITHOUT_MODULES])].map(packageIn);
  packages.sort((a, b) => (a.title < b.title ? -1 : 1));
  const titles = new Map<string, string[]>();
  for (const { title, licence } of packages) titles.set(licence, [...(titles.get(licence) ?? []), title]);
  const parts = [...titles].map(([licence, names]) => `${names.join("\n")}\n\n${licence}`);
  const head = "VAGEN Studio contains code and data of these packages, under these licences.";
  // Many servers do not name the encoding of a text; the mark at its beginning does.
  return `\uFEFF${[head, ...parts].join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

/** Folders of the packages of which a bundle has modules, WebAssembly or other files. */
export function packagesOf(bundle: Rolldown.OutputBundle): string[] {
  const sources = Object.values(bundle).flatMap((file) =>
    file.type === "chunk" ? file.moduleIds : file.originalFileNames,
  );
  const folders = sources.flatMap((source) => PACKAGE.exec(source)?.[1] ?? []);
  return folders.map((folder) => resolve(root, folder));
}

/** Vite bundles each worker by itself, before the page is finished. */
const ofWorkers = new Set<string>();

export const workerPackages: Plugin = {
  name: "worker-packages",
  generateBundle(_, bundle) {
    for (const folder of packagesOf(bundle)) ofWorkers.add(folder);
  },
};

/** Before there is a bundle: the packages that the project names, without those that these bring along. */
function textWhileDeveloping(): string {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return `${thirdPartyText(Object.keys(dependencies).map(installed))}
This is the development server. In a built page this file also lists the packages that these bring along.
`;
}

export const thirdParty: Plugin = {
  name: "third-party",
  apply: (_, { isSsrBuild }) => !isSsrBuild,
  generateBundle(_, bundle) {
    const source = thirdPartyText([...ofWorkers, ...packagesOf(bundle)]);
    this.emitFile({ type: "asset", fileName: FILE, source });
  },
  configureServer(server) {
    server.middlewares.use(`/${FILE}`, (_request, response) => {
      response.setHeader("Content-Type", "text/plain; charset=utf-8").end(textWhileDeveloping());
    });
  },
};
