// A text that the browser keeps between sessions, as a file.
import type { TextStore } from "../gpu/tile-choice.ts";
import type { Files } from "../persistence/files.ts";

/** The text of one file of `files`. A failed write may leave a part of it, as it does in `Files`. */
export function textFile(files: Files, path: string): TextStore {
  return {
    async read() {
      const bytes = await files.read(path);
      return bytes && new TextDecoder().decode(bytes);
    },
    write: (text) => files.write(path, new TextEncoder().encode(text)),
  };
}
