// Lists in the built page what the front page shows first, so that a browser loads all of it at once: its code and the
// recording that plays there. public/before-paint.js follows these links on the front page only.
import { basename } from "node:path";
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";
import { firstCase } from "../../src/replay/first-case.ts";

type Bundle = Rolldown.OutputBundle;

/** The module of the front page. */
const HOME = "src/ui/routes/home.tsx";
const SCRIPT = /\s*<script src="[^"]*before-paint\.js"><\/script>/;

export const homeLinks: Plugin = {
  name: "home-links",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle, filename }) {
      if (!bundle || basename(filename) !== "index.html") return html;
      const known = (file: string) => html.includes(file);
      const links = filesOf(bundle).filter((file) => !known(file));
      return {
        // The script has to find the links before it.
        html: html.replace(SCRIPT, ""),
        tags: [
          ...links.map((file) => link("modulepreload", `./${file}`)),
          link("preload", `./replays/${recording}.json`, { as: "fetch" }),
          { tag: "script", attrs: { src: "./before-paint.js" }, injectTo: "head" },
        ],
      };
    },
  },
};

/** The one that plays there first. */
const recording = firstCase.replays[0]?.id;

const link = (rel: string, href: string, more = {}): HtmlTagDescriptor => ({
  tag: "link",
  attrs: { "data-home": rel, crossorigin: true, href, ...more },
  injectTo: "head",
});

/** The chunk of the front page with everything that it imports statically. */
function filesOf(bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const home = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(HOME));
  if (!home) throw new Error(`No chunk of the build begins with ${HOME}.`);
  const files = new Set([home.fileName]);
  for (const file of files)
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
      files.add(imported);
  return [...files];
}
