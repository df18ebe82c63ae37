// The physics of PrimitiveSkill in the browser: bundled for a worker, under the page's security policy, with Node's numbers.
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import { expect, test } from "vitest";
import { mujocoPolicy, withoutEval } from "../scripts/vite/mujoco-policy.ts";
import { securityHeaders } from "../scripts/vite/security-policy.ts";
import { wasmBytes } from "../scripts/vite/wasm-bytes.ts";
import golden from "../src/envs/primitive-skill/golden/states.json" with { type: "json" };
import { TASK_IDS } from "../src/envs/primitive-skill/task-ids.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

test("comes to the same states and pictures as in Node, bit for bit, alone and in threads", async () => {
  const outDir = await mkdtemp(join(tmpdir(), "vagen-physics-"));
  const plugins = [mujocoPolicy, wasmBytes, securityHeaders];
  const root = join(import.meta.dirname, "physics");
  const config = { root, configFile: false, logLevel: "error", base: "./", plugins } as const;
  await build({
    ...config,
    worker: { format: "es", plugins: () => [mujocoPolicy, wasmBytes] },
    build: { outDir, target: "es2023", chunkSizeWarningLimit: 1024 },
  });
  const server = await preview({ ...config, build: { outDir }, preview: { host: "localhost", port: 0 } });
  const context = await open.visitor();
  try {
    const page = await context.newPage();
    await page.goto(server.resolvedUrls?.local[0] ?? "");
    const answer = await page.locator("output").textContent({ timeout: 120_000 });
    // On a processor with one core there are no threads, and everything is left to the games.
    const left = availableParallelism() < 2 ? TASK_IDS : [];
    expect(JSON.parse(answer ?? "null")).toEqual({ alone: golden, ahead: golden, left });
  } finally {
    await context.close();
    await server.close();
    await rm(outDir, { recursive: true });
  }
});

test("refuses bindings of another version than the one that it knows", () => {
  expect(() => withoutEval("var invokerFn = new Function(body)();")).toThrow("@mujoco/mujoco has changed");
});
