// Bundles the command line and e2e/torture/main.ts, and runs the latter in a process of its own.

import { join } from "node:path";
import { build } from "vite";
import { ensureBundle } from "./headless.mjs";
import { ensureDependencies } from "./install.mjs";
import { root, run } from "./process.mjs";

// As deep below the root as the sources, which find files of the repository relative to themselves.
const outDir = join(root, ".cache", "torture");

/** Puts these entries in the place of the pages', to which Vite would add them. */
const entries = {
  name: "torture-entries",
  enforce: "post",
  config(config) {
    config.build.rolldownOptions.input = { main: "e2e/torture/main.ts", child: "e2e/torture/child.ts" };
  },
};

/** Runs the suites that `args` name; the process then exits with their code. */
export async function runTorture(args) {
  await ensureDependencies();
  // The suites run the command line; a list of them does not.
  if (!args.includes("--help")) await ensureBundle();
  await build({
    root,
    logLevel: "warn",
    plugins: [entries],
    build: {
      ssr: true,
      outDir,
      copyPublicDir: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" } },
    },
  });
  process.exit(await run(process.execPath, ["--enable-source-maps", join(outDir, "main.js"), ...args]));
}
