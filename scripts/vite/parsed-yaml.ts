// `import data from "./file.yaml?parsed"`: the data of a YAML file, parsed when the page is built. Parsing all presets takes a browser several
// times as long as checking them.
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import { parse } from "yaml";

const QUERY = "?parsed";

export const parsedYaml: Plugin = {
  name: "parsed-yaml",
  enforce: "pre",
  async load(id) {
    if (!id.endsWith(`.yaml${QUERY}`)) return null;
    const file = id.slice(0, -QUERY.length);
    this.addWatchFile(file);
    return `export default ${JSON.stringify(parse(await readFile(file, "utf8")))};`;
  },
};
