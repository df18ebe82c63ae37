import { availableParallelism } from "node:os";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { EMBED_PAGE, embedPage } from "./scripts/vite/embed-page.ts";
import { homeLinks } from "./scripts/vite/home-links.ts";
import { mujocoPolicy } from "./scripts/vite/mujoco-policy.ts";
import { offline } from "./scripts/vite/offline.ts";
import { parsedYaml } from "./scripts/vite/parsed-yaml.ts";
import { securityHeaders, securityPolicy } from "./scripts/vite/security-policy.ts";
import { thirdParty, workerPackages } from "./scripts/vite/third-party.ts";
import { wasmBytes } from "./scripts/vite/wasm-bytes.ts";

/**
 * The presets lie in public/, from where a built page serves them as files, and are bundled as text and data besides. Vite advises
 * against such imports, for every preset at every request, which buries everything else that `npm start` prints. This
 * one piece of advice is left out, for these files only.
 */
const importsPresets: Plugin = {
  name: "imports-presets",
  apply: "serve",
  configResolved({ logger }) {
    const warn = logger.warn.bind(logger);
    logger.warn = (message, options) => {
      const isAdvice = message.includes("public directory cannot be imported from JavaScript");
      if (!isAdvice || !message.includes("/public/presets/")) warn(message, options);
    };
  },
};

// One file configures the page, the command-line bundle (`vite build --ssr`) and the three test projects.
export default defineConfig({
  base: "./",
  plugins: [
    react(),
    tailwindcss(),
    importsPresets,
    embedPage,
    homeLinks,
    mujocoPolicy,
    parsedYaml,
    wasmBytes,
    securityPolicy,
    securityHeaders,
    thirdParty,
    offline(),
  ],
  worker: { format: "es", plugins: () => [mujocoPolicy, parsedYaml, wasmBytes, workerPackages] },
  optimizeDeps: {
    // Bundled ahead by the development server, they would look for their WebAssembly in the wrong place.
    exclude: ["onnxruntime-web", "@mujoco/mujoco"],
    // Only a worker imports them; found when that starts, they would reload the page.
    include: [
      "@bufbuild/protobuf",
      "onnx-buf",
      "onnxruntime-common",
      "@resvg/resvg-wasm",
      "@rgrove/parse-xml",
    ],
  },
  build: {
    target: "es2023",
    chunkSizeWarningLimit: 1024,
    // The studio, and the player that other pages embed.
    rolldownOptions: { input: ["index.html", EMBED_PAGE] },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["src/**/*.test.{ts,tsx}"],
          globalSetup: ["scripts/vite/temp-folder.ts"],
          setupFiles: ["scripts/vite/equal-bytes.ts"],
          exclude: ["src/**/*.gpu.test.ts"],
          // The files of a worker share its modules, because most of a file's time was to load them. So a test that
          // changes a store or a registry puts it back.
          pool: "threads",
          isolate: false,
          maxWorkers: availableParallelism(),
          // A hundred demonstrated episodes take a second, and many more on a machine that does other work.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "gpu",
          environment: "node",
          include: ["src/**/*.gpu.test.ts"],
          globalSetup: ["scripts/vite/temp-folder.ts"],
          // One process runs every file on one device: Dawn and the driver use every core already, and the process compiles
          // each kernel once (test-sharing.ts).
          pool: "forks",
          isolate: false,
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 120_000,
          setupFiles: ["scripts/vite/equal-bytes.ts", "src/gpu/test-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          environment: "node",
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["scripts/vite/temp-folder.ts", "e2e/lib/global-setup.ts"],
          // One process loads Playwright and the libraries of the tests once.
          pool: "forks",
          isolate: false,
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 120_000,
          // A machine that others use may stall in the middle of a test. The summary of `npm test` names what passed on a second try.
          retry: process.env.CI ? 1 : 0,
          // A page answers when it can; nothing that it shows is read only once.
          expect: { poll: { timeout: 120_000, interval: 100 } },
        },
      },
    ],
  },
});
