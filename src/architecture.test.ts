// The map of the project: which layer may import which. Every import under src/ is checked against it.

import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join, posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";

interface Layer {
  /** Other layers it may import. */
  readonly layers: readonly string[];
  /** Other layers of which it may import types, and nothing that runs. */
  readonly typesOf?: readonly string[];
  /** Runs anywhere: no Node, no DOM, no GPU, and of packages only the two that read configurations. */
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
  persistence: { layers: ["core"] },
  // The agent loop writes down what a judge said; which judge that is, the runtime decides.
  agent: { layers: ["core", "envs", "policy"], typesOf: ["judge"] },
  eval: { layers: ["core", "agent", "policy"] },
  runtime: {
    layers: ["core", "config", "envs", "rl", "judge", "gpu", "policy", "persistence", "agent", "eval"],
  },
  // Nothing imports it but tests and `npm run torture`.
  fuzz: {
    layers: ["core", "config", "envs", "judge", "policy", "persistence", "agent", "runtime", "ui"],
  },
  // Of runtime and agent it sees only what `partlyForUi` lists.
  ui: { layers: ["core", "config", "envs", "rl", "runtime", "agent"], browser: true },
  // src/main.tsx
  main: { layers: ["ui"], browser: true },
};

/** Layers of which the page sees single files only. */
const partlyForUi: Readonly<Record<string, readonly string[]>> = {
  runtime: ["client", "events", "protocol", "snippet"],
  // The trace shows tokens as text, which only the vocabulary can tell.
  agent: ["vocabulary"],
};
const purePackages = ["yaml", "zod"];
const dawn = "gpu/node-device.ts";

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Every module that a source text names: imports, re-exports, `import()` of a value or a type, workers by URL. */
function importsOf(file: string, source: string): Import[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length) throw new Error(`${file}: ${errors[0]!.message}`);
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
  return problemOfPackage(layer, specifier);
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
  const target = posix.normalize(posix.join(posix.dirname(file), imported.specifier.split("?")[0]!));
  if (target.startsWith("..")) return "it lies outside src/";
  if (isForTests(target)) return "it is for tests";
  if (isReference(target)) return isReference(file) ? undefined : "references are for tests";
  if (target === dawn && !mayUseDawn(file)) return "only tests, gpu and runtime/cli may use Dawn";
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === to) return undefined;
  const shown = from === "ui" ? partlyForUi[to] : undefined;
  if (shown && !shown.includes(basename(target, ".ts"))) return `of ${to}, ui sees only ${shown.join(", ")}`;
  if (layer.layers.includes(to) || (imported.typeOnly && layer.typesOf?.includes(to))) return undefined;
  return `${from} must not know ${to}`;
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

function mayUseDawn(file: string): boolean {
  return layerOf(file) === "gpu" || /^runtime\/cli[-./]/.test(file);
}

/** What a layer may import, as the table in docs/architecture.md says it. */
function tell(layer: string): string {
  const { layers, typesOf = [] } = mayImport[layer]!;
  const others = Object.keys(mayImport).filter((name) => ![layer, "main", "ui", "fuzz"].includes(name));
  if (layers.length === others.length) return "everything but ui";
  const shown = layer === "ui" ? partlyForUi : {};
  const names = layers.map((name) => (shown[name] ? `${name} (${shown[name].join(", ")})` : name));
  return [...names, ...typesOf.map((name) => `types of ${name}`)].join(", ") || "nothing";
}

describe("the layers", () => {
  const src = import.meta.dirname;
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));

  test("hold in every file under src/", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((file) => violations(file, readFileSync(join(src, file), "utf8")))).toEqual([]);
  });

  test("are those that docs/architecture.md tells", () => {
    const page = readFileSync(join(src, "..", "docs", "architecture.md"), "utf8");
    const rows = [...page.matchAll(/^\| `src\/(\w+)\/` \|.*\| ([^|]+) \|$/gm)];
    const { main: _, ...layers } = mayImport;
    expect(rows.map(([, layer]) => layer).sort()).toEqual(Object.keys(layers).sort());
    for (const [, layer = "", told = ""] of rows) expect(told, layer).toBe(tell(layer));
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
    ["ui/app.tsx", 'import { train } from "../runtime/trainer.ts";'],
    ["ui/app.tsx", 'import { compileKernel } from "../gpu/kernel.ts";'],
    ["gpu/arena.ts", 'import type { RunConfig } from "../config/schema.ts";'],
    ["rl/ppo.ts", 'export { compileKernel } from "../gpu/kernel.ts";'],
    ["rl/ppo.ts", 'export * from "../gpu/kernel.ts";'],
    ["rl/ppo.ts", 'const kernel = await import("../gpu/kernel.ts");'],
    ["rl/ppo.ts", 'let kernel: import("../gpu/kernel.ts").Kernel;'],
    ["rl/ppo.ts", 'export type { Kernel } from "../gpu/kernel.ts";'],
    ["ui/app.tsx", 'new Worker(new URL("../runtime/worker.ts", import.meta.url), { type: "module" });'],
    ["main.tsx", 'import { train } from "./runtime/trainer.ts";'],
    ["attic/old.ts", 'import { rng } from "../core/rng.ts";'],
  ])("%s may not say %s (layers)", (file, source) => {
    expect(check(file, source)).toHaveLength(1);
  });

  test.each([
    ["gpu/kernels/rmsnorm.ts", 'import { rmsnormRef } from "./rmsnorm.ref.ts";'],
    ["runtime/trainer.ts", 'import { requestNodeGpu } from "../gpu/node-device.ts";'],
    ["runtime/client.ts", 'import { requestNodeGpu } from "../gpu/node-device.ts";'],
    ["gpu/device.ts", 'import { create } from "webgpu";'],
    ["gpu/device.gpu.test.ts", 'import { create } from "webgpu";'],
    ["rl/metrics.ts", 'import { readFileSync } from "node:fs";'],
    ["rl/metrics.ts", 'import { readFileSync } from "fs";'],
    ["ui/app.tsx", 'import { join } from "node:path";'],
    ["envs/env.ts", 'import { useState } from "react";'],
    ["rl/advantage/gae.ts", 'import code from "#shaders/gae.wgsl?raw";'],
    ["gpu/device.ts", 'import "./test-setup.ts";'],
    ["gpu/device.ts", 'import manifest from "../../package.json";'],
  ])("%s may not say %s (special rules)", (file, source) => {
    expect(check(file, source)).toHaveLength(1);
  });

  test.each([
    ["config/schema.ts", 'import { envs } from "../envs/index.ts"; import { z } from "zod";'],
    ["rl/ppo.ts", 'import { clip } from "./clip.ts"; import type { Turn } from "../core/types.ts";'],
    ["ui/app.tsx", 'import { connect } from "../runtime/client.ts"; import { useState } from "react";'],
    ["runtime/client.ts", 'new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });'],
    ["main.tsx", 'import { App } from "./ui/app.tsx"; import "./ui/styles.css";'],
    ["runtime/cli.ts", 'import { requestNodeGpu } from "../gpu/node-device.ts"; import "node:fs";'],
    ["gpu/node-device.ts", 'import { readdirSync } from "node:fs"; await import("webgpu");'],
    ["gpu/kernels/gae.ts", 'import code from "#shaders/gae.wgsl?raw";'],
    ["gpu/kernels/mlp.ref.ts", 'import { geluRef } from "./gelu.ref.ts";'],
    [
      "gpu/kernels/gae.gpu.test.ts",
      'import { gae } from "../../rl/advantage/gae.ts"; import "./gae.ref.ts";',
    ],
    ["agent/rollout.ts", 'import type { Judge } from "../judge/judge.ts";'],
    ["rl/ppo.ts", '// as in import { train } from "../runtime/trainer.ts"'],
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
