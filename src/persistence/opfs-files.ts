// The browser's private file system (OPFS), for the training worker.
import { type Files, PART } from "./files.ts";

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
    async read(path, end) {
      const file = await orNull(locate(path, false).then((handle) => handle.getFile()));
      return file && new Uint8Array(await file.slice(0, end).arrayBuffer());
    },
    async replace(path, bytes) {
      const part = await locate(path + PART, true);
      await write(part, bytes, 0);
      await moveTo(part, path, root, bytes);
    },
    async append(path, bytes) {
      const handle = await locate(path, true);
      await write(handle, bytes, "end");
    },
    async remove(path) {
      const { folder, name } = split(path);
      const directory = await orNull(enter(root, folder, false));
      await orNull(directory?.removeEntry(name, { recursive: true }) ?? Promise.resolve());
    },
  };
}

/** What newer browsers have beyond the library's types. */
interface MovableHandle extends FileSystemFileHandle {
  move?(name: string): Promise<void>;
}

/** `move` is atomic. Without it, the finished part is written once more: a crash then leaves the older checkpoints. */
async function moveTo(
  part: MovableHandle,
  path: string,
  root: FileSystemDirectoryHandle,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { folder, name } = split(path);
  if (part.move) return part.move(name);
  await write(await find(root, path, true), bytes, 0);
  await (await enter(root, folder, false)).removeEntry(name + PART);
}

/**
 * Overwrites the file, or adds to its end. The synchronous handle appends in place, where a writable stream first
 * copies the whole file; it exists in workers only.
 */
async function write(
  handle: FileSystemFileHandle,
  bytes: Uint8Array<ArrayBuffer>,
  at: 0 | "end",
): Promise<void> {
  if (typeof handle.createSyncAccessHandle === "function") return writeInPlace(handle, bytes, at);
  const stream = await handle.createWritable({ keepExistingData: at === "end" });
  if (at === "end") await stream.seek((await handle.getFile()).size);
  await stream.write(bytes);
  await stream.close();
}

async function writeInPlace(
  handle: FileSystemFileHandle,
  bytes: Uint8Array<ArrayBuffer>,
  at: 0 | "end",
): Promise<void> {
  const file = await handle.createSyncAccessHandle();
  try {
    if (at === 0) file.truncate(0);
    file.write(bytes, { at: file.getSize() });
    file.flush();
  } finally {
    file.close();
  }
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

/** "Not there" is an answer; any other failure (quota, a lost origin) is the caller's to see. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as DOMException).name === "NotFoundError") return null;
    throw error;
  }
}
