// Bundles src/cli/index.ts into dist-cli/cli.js. Packages stay outside the bundle and load from node_modules.

import { build } from "vite";
import { root } from "./process.mjs";

await build({
  root,
  logLevel: "warn",
  build: {
    ssr: "src/cli/index.ts",
    outDir: "dist-cli",
    emptyOutDir: true,
    copyPublicDir: false,
    sourcemap: true,
    rolldownOptions: { output: { codeSplitting: false, entryFileNames: "cli.js" } },
  },
});
