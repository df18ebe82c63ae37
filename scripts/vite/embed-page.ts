// The page that other sites embed. Its source is src/embed.html; it is served, and built, as embed.html beside index.html.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const root = join(import.meta.dirname, "..", "..");
const SOURCE = join(root, "src", "embed.html");

/** Names the page for the build's list of inputs: a file that only `embedPage` knows. */
export const EMBED_PAGE = join(root, "embed.html");

export const embedPage: Plugin = {
  name: "embed-page",
  enforce: "pre",
  resolveId: (id) => (id === EMBED_PAGE ? id : null),
  load: (id) => (id === EMBED_PAGE ? readFileSync(SOURCE, "utf8") : null),
  configureServer(server) {
    server.middlewares.use(async (request, response, next) => {
      const path = (request.url ?? "").split("?")[0];
      if (path !== "/embed.html") return next();
      const html = await server.transformIndexHtml("/embed.html", readFileSync(SOURCE, "utf8"));
      response.setHeader("Content-Type", "text/html").end(html);
    });
  },
};
