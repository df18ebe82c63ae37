// Bundles src/cli into dist-cli: the command line, and the threads that simulate for it. Packages stay outside the bundles and load from
// node_modules.

import { build } from "vite";
import { root } from "./process.mjs";

for (const [source, bundle] of [
  ["index.ts", "cli.js"],
  ["env-thread.ts", "env-thread.js"],
]) {
  await build({
    root,
    logLevel: "warn",
    build: {
      ssr: `src/cli/${source}`,
      outDir: "dist-cli",
      emptyOutDir: bundle === "cli.js",
      copyPublicDir: false,
      sourcemap: true,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: bundle } },
    },
  });
}
