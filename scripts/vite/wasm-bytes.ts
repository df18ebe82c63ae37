// `import { bytes, size } from "package/file.wasm?bytes"`: the bytes of a WebAssembly file, wherever the code runs, and their number. A page
// fetches the file, which the build copies, and counts what arrives; Node reads it from its package.
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const QUERY = "?bytes";

// The size is that of the file, because a server that compresses it does not say how much will arrive.
const forPage = (id: string, size: number) => `
  import url from ${JSON.stringify(`${id}?url`)};
  export const size = ${size};
  export async function bytes(onBytes = () => {}) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(\`the server answered \${response.status} to \${url.split("/").at(-1)}\`);
    let arrived = 0;
    const counted = response.body.pipeThrough(new TransformStream({
      transform(chunk, controller) {
        onBytes((arrived += chunk.byteLength));
        controller.enqueue(chunk);
      },
    }));
    return new Response(counted).arrayBuffer();
  }`;

const forNode = (file: string, size: number) => `
  import { readFile } from "node:fs/promises";
  export const size = ${size};
  export const bytes = () => readFile(${JSON.stringify(file)});`;

export const wasmBytes: Plugin = {
  name: "wasm-bytes",
  enforce: "pre",
  resolveId: (id) => (id.endsWith(QUERY) ? `\0${id}` : null),
  load(id, options) {
    if (!id.startsWith("\0") || !id.endsWith(QUERY)) return null;
    const name = id.slice(1, -QUERY.length);
    const file = fileURLToPath(import.meta.resolve(name));
    const { size } = statSync(file);
    return options?.ssr ? forNode(file, size) : forPage(name, size);
  },
};
