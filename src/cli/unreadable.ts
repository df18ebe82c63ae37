// Why a file cannot be read or written, in plain words: the system's messages name calls and codes.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EACCES: "you may not access it",
  EPERM: "you may not access it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "its symbolic links form a loop",
  EFBIG: "it is too large, or never ends",
};

/** "run.yaml cannot be read: there is no such file." */
export function unreadable(file: string, cause: unknown): string {
  return `${file} cannot be read: ${reasonOf(cause)}.`;
}

/** The reason alone, without a stop. */
export function reasonOf(cause: unknown): string {
  const { code, message = String(cause) } = cause as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? message.split(",")[0]!;
}
