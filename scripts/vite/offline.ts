// Adds a service worker to the build, with the list of files that it keeps for visits without a network.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Plugin, ResolvedConfig } from "vite";

const SOURCE = join(import.meta.dirname, "service-worker.js");
/** Policies and ONNX Runtime have megabytes; the service worker keeps each when it is first used. */
const LATER = /^checkpoints\/|\.wasm$/;

/** Writes `sw.js` after all other files. Builds for Node have no page, and no service worker. */
export function offline(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "offline",
    apply: (_, { isSsrBuild }) => !isSsrBuild,
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle({ dir }) {
      if (config.command !== "build" || !dir) return;
      const files = filesOf(dir).filter((file) => file !== "sw.js" && !LATER.test(file));
      // The page is kept under the address of its folder: some hosts redirect its name there.
      const addresses = files.map((file) => (file === "index.html" ? "" : file));
      const head = `const VERSION = "${digest(dir, files)}";\nconst FILES = ${JSON.stringify(addresses)};\n`;
      writeFileSync(join(dir, "sw.js"), head + readFileSync(SOURCE, "utf8"));
    },
  };
}

function filesOf(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
  return paths.map((path) => path.replaceAll(sep, "/")).sort();
}

/** Changes with the content of any file. */
function digest(dir: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(join(dir, file)));
  return hash.digest("hex").slice(0, 16);
}
