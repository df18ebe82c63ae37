// The few file operations that persistence needs. Two of them exist: the browser's private file system and Node's.

/** Paths are relative, with "/" between their parts. Missing parent folders are made on writing. */
export interface Files {
  /** Names in a folder; empty when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Size and time (epoch milliseconds) of a file, or null. */
  stat(path: string): Promise<{ bytes: number; modified: number } | null>;
  /** Bytes [0, end) of a file, or all of it. Null when there is no such file. */
  read(path: string, end?: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The file is afterwards either entirely the new one or untouched, even when the process dies in between. */
  replace(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  append(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** A file, or a folder with everything in it. Not being there is fine. */
  remove(path: string): Promise<void>;
}

/** Ending of files that are still being written. */
export const PART = ".part";
