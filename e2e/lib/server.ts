// Serves the production build to the browser tests, as a static host would.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Plugin, preview } from "vite";

/** A running server of `dist/`. */
export interface TestServer {
  /** `http://localhost:<port>/` */
  readonly url: string;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "..", "..");

/** Files go to a browser on the same machine: compressing them for every request would take a tenth of the CPU time of a visit. */
const uncompressed: Plugin = {
  name: "uncompressed",
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      delete request.headers["accept-encoding"];
      next();
    });
  },
};

/** Serves `dist/` on a free port of localhost, a secure context as WebGPU wants. */
export async function serveBuild(): Promise<TestServer> {
  if (!existsSync(join(root, "dist", "index.html"))) {
    throw new Error("dist/ holds no build. Run `npm run build` first; `npm test` does.");
  }
  const server = await preview({
    root,
    logLevel: "error",
    plugins: [uncompressed],
    preview: { host: "localhost", port: 0, open: false },
  });
  const address = server.httpServer.address();
  if (typeof address !== "object" || !address) throw new Error("The preview server has no port.");
  return { url: `http://localhost:${address.port}/`, close: () => server.close() };
}
