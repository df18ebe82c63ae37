// The map of the project: which layer may import which. Every import under src/ is checked against it.

import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join, posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";
import { envs } from "./envs/index.ts";

interface Layer {
  /** Other layers it may import. */
  readonly layers: readonly string[];
  /** Other layers of which it may import types, and nothing that runs. */
  readonly typesOf?: readonly string[];
  /** Runs anywhere: no Node, no DOM, no GPU, and of packages only those that read configurations and expressions. */
  readonly pure?: boolean;
  /** Runs in the page: no Node. */
  readonly browser?: boolean;
  /** May import WGSL from shaders/. */
  readonly shaders?: boolean;
}

const mayImport: Readonly<Record<string, Layer>> = {
  core: { layers: [], pure: true },
  // The schema of a run names every environment, estimator and reward term, and derives their forms.
  config: { layers: ["core", "envs", "rl"], pure: true },
  envs: { layers: ["core"], pure: true },
  rl: { layers: ["core"], pure: true },
  judge: { layers: ["core"], pure: true },
  gpu: { layers: ["core"], shaders: true },
  // A scripted policy plays an environment's own oracle, so the contract names the type `Env`.
  policy: { layers: ["core", "gpu"], typesOf: ["envs"], shaders: true },
  // What a device is checked by: the kernels' cases with the numbers of their CPU twins.
  conformance: { layers: ["core", "rl", "gpu"], browser: true },
  persistence: { layers: ["core"] },
  // Another runtime for the same policies; it knows nothing of the engine that trains them.
  onnx: { layers: ["core", "policy", "persistence"] },
  // The agent loop records what a judge said; a run decides which judge that is.
  agent: { layers: ["core", "envs", "policy"], typesOf: ["judge"] },
  // What users add while the studio runs.
  extension: { layers: ["core", "envs", "rl", "agent", "judge"], pure: true },
  eval: { layers: ["core", "agent", "policy"], typesOf: ["envs"] },
  training: {
    layers: ["core", "config", "rl", "judge", "gpu", "policy", "agent", "eval"],
    typesOf: ["persistence"],
  },
  run: {
    layers: [
      ...["core", "config", "envs", "rl", "judge", "gpu", "policy", "persistence", "onnx", "agent"],
      ...["training", "extension"],
    ],
  },
  // It keeps any run alive that reports events; how one is trained it must not know.
  supervision: { layers: ["core", "config", "rl", "gpu", "persistence", "training"] },
  worker: {
    layers: [
      ...["core", "config", "envs", "gpu", "conformance", "policy", "persistence", "onnx", "agent"],
      ...["training", "run", "supervision", "extension"],
    ],
    typesOf: ["rl", "judge"],
    browser: true,
  },
  cli: {
    layers: [
      ...["core", "config", "envs", "rl", "judge", "gpu", "conformance", "policy", "persistence", "onnx"],
      ...["agent", "eval", "training", "run", "supervision", "replay"],
    ],
    typesOf: ["extension"],
  },
  // Not part of the product: speed and memory on this machine.
  bench: {
    layers: [
      ...[
        "core",
        "config",
        "envs",
        "gpu",
        "policy",
        "persistence",
        "training",
        "run",
        "supervision",
        "worker",
        "cli",
      ],
    ],
  },
  // Nothing imports it but tests and `npm run torture`.
  fuzz: {
    layers: [
      ...["core", "config", "envs", "judge", "policy", "persistence", "agent"],
      ...["extension", "training", "run", "supervision", "worker", "cli", "ui"],
    ],
  },
  // Recordings and what can be said about them, for the page and for the command that records.
  replay: { layers: ["core", "envs"], typesOf: ["config"], pure: true },
  // Of some layers it sees only what `partial` lists.
  ui: {
    layers: ["core", "config", "envs", "rl", "agent", "training", "run", "worker", "replay", "extension"],
    browser: true,
  },
  // src/main.tsx
  main: { layers: ["ui"], browser: true },
};

/** Layers of which another sees single files only. */
const partial: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // The page reads extensions at once, and most of the language and of the judges is for workers.
  extension: { agent: ["own"], judge: ["statement", "surroundings"] },
  ui: {
    // The trace shows tokens as text, which only the vocabulary can do.
    agent: ["vocabulary"],
    training: ["events", "eta"],
    run: ["snippet"],
    worker: [
      ...["client", "protocol", "onnx-client", "onnx-protocol", "check-client", "check-protocol"],
      ...["extension-check-client", "own-env-client", "own-env-protocol"],
    ],
  },
  supervision: { training: ["events"], gpu: ["device-loss"] },
  bench: { worker: ["protocol"] },
};

/** Files of houses, which users load for any environment that takes them. */
const ofHouses = ["envs/navigation/houses.ts", "envs/navigation/procthor/read-houses.ts"];

/** The rooms of the page. Each may import those before it, and none after it. */
const pageRooms = [
  ...["lib", "components", "metrics", "settings", "store", "session"],
  ...["episode", "replay", "charts", "trace", "method", "configure", "train", "home", "shell", "routes"],
];

const purePackages = ["yaml", "zod", "mathjs"];
/** Packages of one pure file: physics and rasters, which run wherever WebAssembly does, and parsers. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  "envs/primitive-skill/physics.ts": ["@mujoco/mujoco", "@mujoco/mujoco/mujoco.wasm?bytes"],
  "envs/svg/drawn-shapes.ts": ["@rgrove/parse-xml"],
  "envs/svg/raster.ts": ["@resvg/resvg-wasm", "@resvg/resvg-wasm/index_bg.wasm?bytes"],
  "envs/svg/sanitise.ts": ["@rgrove/parse-xml"],
  "extension/count-steps.ts": ["acorn", "acorn-walk", "magic-string"],
};
const dawn = "gpu/node-device.ts";
/** Built from test fixtures; `ui/app.tsx` imports it in development builds only. */
const gallery = "ui/testing/gallery.tsx";

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const programs = new Map<string, ESTree.Program>();

function programOf(file: string, source: string): ESTree.Program {
  const key = `${file}\n${source}`;
  const known = programs.get(key);
  if (known) return known;
  const { program, errors } = parseSync(file, source);
  if (errors.length) throw new Error(`${file}: ${errors[0]!.message}`);
  programs.set(key, program);
  return program;
}

/** Every module that a source text names: imports, re-exports, `import()` of a value or a type, workers by URL. */
function importsOf(file: string, source: string): Import[] {
  const program = programOf(file, source);
  const found: Import[] = [];
  const add = (node: ESTree.Node | null, typeOnly: boolean) => {
    if (node?.type === "Literal" && typeof node.value === "string") {
      found.push({ specifier: node.value, typeOnly });
    }
  };
  new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers;
      add(node.source, node.importKind === "type" || (named.length > 0 && named.every(isTypeSpecifier)));
    },
    ExportNamedDeclaration(node) {
      add(node.source, node.exportKind === "type");
    },
    ExportAllDeclaration(node) {
      add(node.source, node.exportKind === "type");
    },
    ImportExpression(node) {
      add(node.source, false);
    },
    TSImportType(node) {
      add(node.source, true);
    },
    NewExpression(node) {
      const [first] = node.arguments;
      if (node.callee.type === "Identifier" && node.callee.name === "URL" && isModuleUrl(first))
        add(first, false);
    },
  }).visit(program);
  return found;
}

function isTypeSpecifier(node: ESTree.ImportDeclarationSpecifier): boolean {
  return node.type === "ImportSpecifier" && node.importKind === "type";
}

/** `new URL("./worker.ts", import.meta.url)` names a module; an address on the network does not. */
function isModuleUrl(node: ESTree.Argument | undefined): node is ESTree.StringLiteral {
  return node?.type === "Literal" && typeof node.value === "string" && node.value.startsWith(".");
}

const resolve = (file: string, specifier: string): string =>
  posix.normalize(posix.join(posix.dirname(file), specifier.split("?")[0]!));

/** Files of the project that a file imports, types included. */
function targetsOf(file: string, source: string): string[] {
  const own = importsOf(file, source).filter(({ specifier }) => specifier.startsWith("."));
  return own.map(({ specifier }) => resolve(file, specifier));
}

/** Each cycle once, as the path that closes it. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(" > "));
    if (start >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

/** What a file takes from others: `file name`, or `file *` when it may take everything. */
function usesOf(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (node: ESTree.Node | null, name: string) => {
    if (node?.type === "Literal" && typeof node.value === "string" && node.value.startsWith("."))
      found.push(`${resolve(file, node.value)} ${name}`);
  };
  const nameOf = (node: ESTree.ModuleExportName) => (node.type === "Literal" ? node.value : node.name);
  new Visitor({
    ImportDeclaration(node) {
      for (const specifier of node.specifiers) {
        if (specifier.type === "ImportSpecifier") add(node.source, nameOf(specifier.imported));
        else add(node.source, specifier.type === "ImportDefaultSpecifier" ? "default" : "*");
      }
    },
    ExportNamedDeclaration(node) {
      for (const specifier of node.specifiers) add(node.source, nameOf(specifier.local));
    },
    ExportAllDeclaration: (node) => add(node.source, "*"),
    ImportExpression: (node) => add(node.source, "*"),
    TSImportType: (node) => add(node.source, "*"),
  }).visit(programOf(file, source));
  return found;
}

/** Names that a file declares and exports. */
function exportsOf(file: string, source: string): string[] {
  const found: string[] = [];
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (!declaration) return;
      if (declaration.type === "VariableDeclaration")
        for (const { id } of declaration.declarations) found.push(id.type === "Identifier" ? id.name : "");
      else if ("id" in declaration && declaration.id?.type === "Identifier") found.push(declaration.id.name);
    },
  }).visit(programOf(file, source));
  return found.filter(Boolean);
}

/** What is wrong with the imports of one file; `file` is relative to src/, with forward slashes. */
function violations(file: string, source: string): string[] {
  return importsOf(file, source).flatMap((imported) => {
    const problem = problemOf(file, imported);
    return problem ? [`${file} imports ${imported.specifier}: ${problem}`] : [];
  });
}

function problemOf(file: string, imported: Import): string | undefined {
  const { specifier } = imported;
  if (specifier === "webgpu") return file === dawn ? undefined : `only ${dawn} may`;
  if (isForTests(file)) return undefined;
  const layer = mayImport[layerOf(file)];
  if (!layer) return `${layerOf(file)}/ is not in the table of layers`;
  if (specifier.startsWith(".")) return problemOfFile(file, layer, imported);
  return packagesOf[file]?.includes(specifier) ? undefined : problemOfPackage(layer, specifier);
}

function problemOfPackage(layer: Layer, specifier: string): string | undefined {
  if (specifier.startsWith("#shaders/"))
    return layer.shaders ? undefined : "shaders belong to gpu and policy";
  const isNode = specifier.startsWith("node:") || builtinModules.includes(specifier);
  if (isNode && (layer.pure || layer.browser)) return "this layer runs without Node";
  const name = specifier.split("/")[0]!;
  if (layer.pure && !purePackages.includes(name)) return "pure layers use no such package";
  return undefined;
}

function problemOfFile(file: string, layer: Layer, imported: Import): string | undefined {
  const target = resolve(file, imported.specifier);
  if (target.startsWith("..")) return "it lies outside src/";
  if (isForTests(target) && !(file === "ui/app.tsx" && target === gallery)) return "it is for tests";
  if (isReference(target) && !mayUseReferences(file)) return "references are for tests and conformance";
  if (target === dawn && !mayUseDawn(file)) return "only tests, gpu and cli may use Dawn";
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === to) return from === "ui" ? problemOfRoom(file, target) : undefined;
  const shown = partial[from]?.[to];
  if (shown && !shown.includes(basename(target, ".ts")))
    return `of ${to}, ${from} sees only ${shown.join(", ")}`;
  if (layer.layers.includes(to) || (imported.typeOnly && layer.typesOf?.includes(to))) return undefined;
  return `${from} must not know ${to}`;
}

/** Files of `ui/` that lie in no room, such as `app.tsx`, join the rooms and may import them all. */
function problemOfRoom(file: string, target: string): string | undefined {
  const [from, to] = [file, target].map((path) => pageRooms.indexOf(path.split("/")[1]!)) as [number, number];
  return from >= 0 && to > from ? `ui/${pageRooms[from]} must not know ui/${pageRooms[to]}` : undefined;
}

/** The first folder; files directly under src/ are `main`. */
function layerOf(file: string): string {
  return file.includes("/") ? file.split("/")[0]! : "main";
}

/** Tests, and helpers whose name says that they are for tests: `test-setup.ts`, `testing.ts`, `testing/…`. */
function isForTests(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || /(^|\/)(test-[^/]*|testing)(\.tsx?$|\/)/.test(file);
}

/** A CPU twin, written to be read. */
function isReference(file: string): boolean {
  return /\.ref\.ts$/.test(file);
}

function mayUseReferences(file: string): boolean {
  return isReference(file) || layerOf(file) === "conformance";
}

function mayUseDawn(file: string): boolean {
  return ["gpu", "cli"].includes(layerOf(file));
}

/** What a layer may import, as the table in docs/architecture.md says it. */
function describeLayer(layer: string): string {
  const { layers, typesOf = [] } = mayImport[layer]!;
  const names = layers.map((name) => {
    const files = partial[layer]?.[name];
    return files ? `${name} (${files.join(", ")})` : name;
  });
  return [...names, ...typesOf.map((name) => `types of ${name}`)].join(", ") || "nothing";
}

describe("the layers", () => {
  const src = import.meta.dirname;
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
  const sources = files.map((file) => [file, readFileSync(join(src, file), "utf8")] as const);

  test("hold in every file under src/", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(sources.flatMap(([file, source]) => violations(file, source))).toEqual([]);
  });

  test("are those of docs/architecture.md", () => {
    const page = readFileSync(join(src, "..", "docs", "architecture.md"), "utf8");
    const rows = [...page.matchAll(/^\| `src\/(\w+)\/` \|.*\| ([^|]+) \|$/gm)];
    const { main: _, ...layers } = mayImport;
    expect(rows.map(([, layer]) => layer).sort()).toEqual(Object.keys(layers).sort());
    for (const [, layer = "", described = ""] of rows) expect(described, layer).toBe(describeLayer(layer));
  });

  test("have no file that imports itself through others, types included", () => {
    const graph = new Map(sources.map(([file, source]) => [file, targetsOf(file, source)]));
    expect(cyclesIn(graph)).toEqual([]);
  });

  test("export nothing that no other file imports", () => {
    const used = new Set(sources.flatMap(([file, source]) => usesOf(file, source)));
    const unused = sources
      .filter(([file]) => !isForTests(file))
      .flatMap(([file, source]) => exportsOf(file, source).map((name) => [file, name] as const))
      .filter(([file, name]) => !used.has(`${file} *`) && !used.has(`${file} ${name}`));
    expect(unused.map(([file, name]) => `${file}: ${name}`)).toEqual([]);
  });

  test("treat every environment alike: what differs is a field of its specification", () => {
    const quoted = new RegExp(`["'\`](${envs.ids.join("|")})["'\`]`);
    const naming = sources.filter(
      ([file, source]) =>
        ["ui", "eval", "training"].includes(layerOf(file)) && !isForTests(file) && quoted.test(source),
    );
    expect(naming.map(([file]) => file)).toEqual([]);
    const inside = new RegExp(`^envs/(${envs.ids.join("|")})/`);
    const knowing = sources
      .filter(([file]) => ["ui", "eval", "training"].includes(layerOf(file)) && !isForTests(file))
      .flatMap(([file, source]) => targetsOf(file, source).map((target) => [file, target] as const))
      .filter(([, target]) => inside.test(target) && !ofHouses.includes(target));
    expect(knowing.map((names) => names.join(" imports "))).toEqual([]);
  });

  test("have no cycle", () => {
    const visit = (layer: string, path: readonly string[]): void => {
      expect(path, "a layer that imports itself through others").not.toContain(layer);
      for (const next of mayImport[layer]!.layers) visit(next, [...path, layer]);
    };
    for (const layer of Object.keys(mayImport)) visit(layer, []);
  });
});

describe("the checker", () => {
  const check = (file: string, source: string) => violations(file, source);

  test.each([
    ["core/rng.ts", 'import { gae } from "../rl/advantage/gae.ts";'],
    ["envs/sokoban/sokoban.ts", 'import { compileKernel } from "../../gpu/kernel.ts";'],
    ["ui/app.tsx", 'import { train } from "../training/trainer.ts";'],
    ["ui/app.tsx", 'import { compileKernel } from "../gpu/kernel.ts";'],
    ["gpu/arena.ts", 'import type { RunConfig } from "../config/schema.ts";'],
    ["rl/ppo.ts", 'export { compileKernel } from "../gpu/kernel.ts";'],
    ["rl/ppo.ts", 'export * from "../gpu/kernel.ts";'],
    ["rl/ppo.ts", 'const kernel = await import("../gpu/kernel.ts");'],
    ["rl/ppo.ts", 'let kernel: import("../gpu/kernel.ts").Kernel;'],
    ["rl/ppo.ts", 'export type { Kernel } from "../gpu/kernel.ts";'],
    ["ui/app.tsx", 'new Worker(new URL("../worker/worker.ts", import.meta.url), { type: "module" });'],
    ["main.tsx", 'import { train } from "./training/trainer.ts";'],
    ["attic/old.ts", 'import { rng } from "../core/rng.ts";'],
  ])("%s may not say %s (layers)", (file, source) => {
    expect(check(file, source)).toHaveLength(1);
  });

  test.each([
    ["gpu/kernels/rmsnorm.ts", 'import { rmsnormRef } from "./rmsnorm.ref.ts";'],
    ["training/trainer.ts", 'import { requestNodeGpu } from "../gpu/node-device.ts";'],
    ["worker/client.ts", 'import { requestNodeGpu } from "../gpu/node-device.ts";'],
    ["gpu/device.ts", 'import { create } from "webgpu";'],
    ["gpu/device.gpu.test.ts", 'import { create } from "webgpu";'],
    ["rl/metrics.ts", 'import { readFileSync } from "node:fs";'],
    ["rl/metrics.ts", 'import { readFileSync } from "fs";'],
    ["ui/app.tsx", 'import { join } from "node:path";'],
    ["envs/env.ts", 'import { useState } from "react";'],
    ["envs/env.ts", 'await import("@mujoco/mujoco");'],
    ["rl/advantage/gae.ts", 'import code from "#shaders/gae.wgsl?raw";'],
    ["gpu/device.ts", 'import "./test-setup.ts";'],
    ["gpu/device.ts", 'import manifest from "../../package.json";'],
  ])("%s may not say %s (special rules)", (file, source) => {
    expect(check(file, source)).toHaveLength(1);
  });

  test.each([
    ["config/schema.ts", 'import { envs } from "../envs/index.ts"; import { z } from "zod";'],
    ["rl/ppo.ts", 'import { clip } from "./clip.ts"; import type { Turn } from "../core/types.ts";'],
    ["ui/app.tsx", 'import { connect } from "../worker/client.ts"; import { useState } from "react";'],
    ["worker/client.ts", 'new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });'],
    ["main.tsx", 'import { App } from "./ui/app.tsx"; import "./ui/styles.css";'],
    ["cli/index.ts", 'import { requestNodeGpu } from "../gpu/node-device.ts"; import "node:fs";'],
    ["gpu/node-device.ts", 'import { readdirSync } from "node:fs"; await import("webgpu");'],
    ["gpu/kernels/gae.ts", 'import code from "#shaders/gae.wgsl?raw";'],
    ["gpu/kernels/mlp.ref.ts", 'import { geluRef } from "./gelu.ref.ts";'],
    ["conformance/cases/mlp.ts", 'import { geluRef } from "../../gpu/kernels/gelu.ref.ts";'],
    [
      "gpu/kernels/gae.gpu.test.ts",
      'import { gae } from "../../rl/advantage/gae.ts"; import "./gae.ref.ts";',
    ],
    ["agent/rollout.ts", 'import type { Judge } from "../judge/judge.ts";'],
    ["rl/ppo.ts", '// as in import { train } from "../training/trainer.ts"'],
    ["rl/ppo.ts", "const text = 'import(\"../gpu/kernel.ts\")';"],
  ])("%s may say %s", (file, source) => {
    expect(check(file, source)).toEqual([]);
  });

  test("tells a type from a value", () => {
    expect(check("agent/rollout.ts", 'import { ruleJudge } from "../judge/rule.ts";')).toHaveLength(1);
    expect(check("agent/rollout.ts", 'import { type Judge } from "../judge/judge.ts";')).toEqual([]);
    expect(check("agent/rollout.ts", 'import "../judge/judge.ts";')).toHaveLength(1);
  });

  test("says who imports what, and why not", () => {
    expect(check("core/rng.ts", 'import { gae } from "../rl/gae.ts";')).toEqual([
      "core/rng.ts imports ../rl/gae.ts: core must not know rl",
    ]);
  });
});
