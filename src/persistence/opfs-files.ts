// The browser's private file system (OPFS), for the training worker.
import { type Files, storageFull } from "./files.ts";

/** Files below a directory of the origin's private file system. */
export function opfsFiles(root: FileSystemDirectoryHandle): Files {
  const locate = (path: string, create: boolean) => find(root, path, create);
  return {
    async list(folder) {
      const names: string[] = [];
      const directory = await orNull(enter(root, folder.split("/"), false));
      if (directory) for await (const name of directory.keys()) names.push(name);
      return names;
    },
    async stat(path) {
      const file = await orNull(locate(path, false).then((handle) => handle.getFile()));
      return file && { bytes: file.size, modified: file.lastModified };
    },
    async read(path, end, start = 0) {
      const file = await orNull(locate(path, false).then((handle) => handle.getFile()));
      return file && new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
    write: async (path, bytes) => write(await locate(path, true), path, bytes, 0),
    append: async (path, bytes, from) => write(await locate(path, true), path, bytes, from),
    move: (from, to) => move(root, from, to),
    async remove(path) {
      const { folder, name } = split(path);
      const directory = await orNull(enter(root, folder, false));
      await orNull(directory?.removeEntry(name, { recursive: true }) ?? Promise.resolve());
    },
  };
}

/** A method of newer browsers that TypeScript's types lack. */
interface MovableHandle extends FileSystemFileHandle {
  move?(name: string): Promise<void>;
}

/** Atomic where handles can be moved. Elsewhere the file is copied; after a crash the older checkpoints remain. */
async function move(root: FileSystemDirectoryHandle, from: string, to: string): Promise<void> {
  const source: MovableHandle = await find(root, from, false);
  const { folder, name } = split(to);
  if (source.move) return source.move(name);
  const bytes = new Uint8Array(await (await source.getFile()).arrayBuffer());
  await write(await find(root, to, true), to, bytes, 0);
  await (await enter(root, folder, false)).removeEntry(split(from).name);
}

/** Writes after the first `from` bytes, or at the end. Only workers have synchronous handles. */
async function write(
  handle: FileSystemFileHandle,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  from?: number,
): Promise<void> {
  try {
    const file = await handle.createSyncAccessHandle();
    try {
      writeAt(file, path, bytes, Math.min(from ?? Number.POSITIVE_INFINITY, file.getSize()));
    } finally {
      file.close();
    }
  } catch (error) {
    throw (error as DOMException).name === "QuotaExceededError" ? storageFull(path, error) : error;
  }
}

/** Writes behind the first `at` bytes; after a failure these are all that is left. */
function writeAt(
  file: FileSystemSyncAccessHandle,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
): void {
  try {
    file.truncate(at);
    writeAll(file, path, bytes, at);
    file.flush();
  } catch (error) {
    attempt(() => file.truncate(at));
    throw error;
  }
}

/** A full disk need not throw: Chromium then writes fewer bytes, or returns a negative number as an unsigned one. */
function writeAll(
  file: FileSystemSyncAccessHandle,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
) {
  for (let done = 0; done < bytes.length; ) {
    const written = file.write(bytes.subarray(done), { at: at + done });
    if (!(written > 0 && written <= bytes.length - done)) throw storageFull(path);
    done += written;
  }
  if (file.getSize() !== at + bytes.length) throw storageFull(path);
}

/** Ignores a failure: the error that led here is the one to report. */
function attempt(undo: () => void): void {
  try {
    undo();
  } catch {}
}

function split(path: string): { folder: string[]; name: string } {
  const folder = path.split("/");
  return { name: folder.pop()!, folder };
}

async function find(root: FileSystemDirectoryHandle, path: string, create: boolean) {
  const { folder, name } = split(path);
  return (await enter(root, folder, create)).getFileHandle(name, { create });
}

async function enter(root: FileSystemDirectoryHandle, folder: readonly string[], create: boolean) {
  let directory = root;
  for (const name of folder) if (name) directory = await directory.getDirectoryHandle(name, { create });
  return directory;
}

/** A missing file gives null; any other failure (quota, a lost origin) is rethrown. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as DOMException).name === "NotFoundError") return null;
    throw error;
  }
}
