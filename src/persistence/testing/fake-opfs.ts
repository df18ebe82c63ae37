// The part of the browser's FileSystemDirectoryHandle that we use, in memory, for tests.

export interface FakeOptions {
  /** Offer FileSystemFileHandle.move. */
  move: boolean;
  /** Writing throws after this many bytes, as a crash or a full disk would. */
  failAfter?: number;
  /** A synchronous handle writes half of what it is given, and returns that number or, as Chromium on a full disk, −8 as an unsigned one. */
  half?: "short" | "negative" | "NaN";
}

type Node = Map<string, Node> | { bytes: Uint8Array<ArrayBuffer> };
type Folder = Map<string, Node>;

/** An empty file system; `options` may be changed while it is used. */
export function fakeOpfs(options: FakeOptions): FileSystemDirectoryHandle {
  return directory(new Map(), options) as unknown as FileSystemDirectoryHandle;
}

const missing = (name: string) => new DOMException(`${name} is not there`, "NotFoundError");

function directory(folder: Folder, options: FakeOptions) {
  return {
    async *keys() {
      yield* [...folder.keys()];
    },
    async getDirectoryHandle(name: string, { create = false } = {}) {
      if (create && !folder.has(name)) folder.set(name, new Map());
      const node = folder.get(name);
      if (!(node instanceof Map)) throw missing(name);
      return directory(node, options);
    },
    async getFileHandle(name: string, { create = false } = {}) {
      if (create && !folder.has(name)) folder.set(name, { bytes: new Uint8Array() });
      const node = folder.get(name);
      if (!node || node instanceof Map) throw missing(name);
      return fileHandle(folder, name, options);
    },
    async removeEntry(name: string) {
      if (!folder.delete(name)) throw missing(name);
    },
  };
}

function fileHandle(folder: Folder, name: string, options: FakeOptions) {
  const file = folder.get(name) as { bytes: Uint8Array<ArrayBuffer> };
  return {
    getFile: async () => new File([file.bytes], name, { lastModified: 1 }),
    createSyncAccessHandle: async () => syncHandle(file, options),
    ...(options.move && {
      async move(to: string) {
        folder.delete(name);
        folder.set(to, file);
      },
    }),
  };
}

function syncHandle(file: { bytes: Uint8Array<ArrayBuffer> }, options: FakeOptions) {
  return {
    getSize: () => file.bytes.length,
    truncate(size: number) {
      file.bytes = file.bytes.slice(0, size);
    },
    write(bytes: Uint8Array, { at = 0 } = {}) {
      const half = Math.ceil(bytes.length / 2);
      put(file, options.half ? bytes.subarray(0, half) : bytes, at, options);
      if (options.half === "negative") return -8 >>> 0;
      if (options.half === "NaN") return Number.NaN;
      return options.half ? half : bytes.length;
    },
    flush() {},
    close() {},
  };
}

function put(
  file: { bytes: Uint8Array<ArrayBuffer> },
  bytes: Uint8Array,
  at: number,
  { failAfter }: FakeOptions,
) {
  const fits = bytes.subarray(0, failAfter);
  const grown = new Uint8Array(Math.max(file.bytes.length, at + fits.length));
  grown.set(file.bytes);
  grown.set(fits, at);
  file.bytes = grown;
  if (fits.length < bytes.length) throw new DOMException("the disk is full", "QuotaExceededError");
}
