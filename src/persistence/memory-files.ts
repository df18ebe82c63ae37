// Files in memory, for browsers without persistent storage (private windows, some embedded ones). They last as long as the page.
import type { Files } from "./files.ts";

interface MemoryFile {
  bytes: Uint8Array<ArrayBuffer>;
  modified: number;
}

/** An empty file system in memory. */
export function memoryFiles(): Files {
  const files = new Map<string, MemoryFile>();
  const put = (path: string, bytes: Uint8Array<ArrayBuffer>) =>
    files.set(path, { bytes, modified: Date.now() });
  return {
    async list(folder) {
      const prefix = folder ? `${folder}/` : "";
      const below = [...files.keys()].filter((path) => path.startsWith(prefix));
      return [...new Set(below.map((path) => path.slice(prefix.length).split("/")[0]!))];
    },
    async stat(path) {
      const file = files.get(path);
      return file ? { bytes: file.bytes.length, modified: file.modified } : null;
    },
    async read(path, end, start = 0) {
      return files.get(path)?.bytes.slice(start, end) ?? null;
    },
    async write(path, bytes) {
      put(path, bytes.slice());
    },
    async append(path, bytes, from) {
      const old = files.get(path)?.bytes.subarray(0, from) ?? new Uint8Array();
      const grown = new Uint8Array(old.length + bytes.length);
      grown.set(old);
      grown.set(bytes, old.length);
      put(path, grown);
    },
    async move(from, to) {
      put(to, files.get(from)!.bytes);
      files.delete(from);
    },
    async remove(path) {
      for (const name of files.keys()) if (name === path || name.startsWith(`${path}/`)) files.delete(name);
    },
  };
}
