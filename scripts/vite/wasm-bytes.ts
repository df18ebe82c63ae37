// `import { bytes } from "package/file.wasm?bytes"`: the bytes of a WebAssembly file, wherever the code runs. A page fetches the file, which
// the build copies; Node reads it from its package.
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const QUERY = "?bytes";

const forPage = (id: string) => `
  import url from ${JSON.stringify(`${id}?url`)};
  export async function bytes() {
    const response = await fetch(url);
    if (!response.ok) throw new Error(\`\${url} answered \${response.status}\`);
    return response.arrayBuffer();
  }`;

const forNode = (file: string) => `
  import { readFile } from "node:fs/promises";
  export const bytes = () => readFile(${JSON.stringify(file)});`;

export const wasmBytes: Plugin = {
  name: "wasm-bytes",
  enforce: "pre",
  resolveId: (id) => (id.endsWith(QUERY) ? `\0${id}` : null),
  load(id, options) {
    if (!id.startsWith("\0") || !id.endsWith(QUERY)) return null;
    const name = id.slice(1, -QUERY.length);
    return options?.ssr ? forNode(fileURLToPath(import.meta.resolve(name))) : forPage(name);
  },
};
