// Why a file cannot be read, for people: the system's own words name calls and codes.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "reading it is not allowed",
  EPERM: "reading it is not allowed",
};

/** "run.yaml cannot be read: there is no such file." */
export function unreadable(file: string, cause: unknown): string {
  const { code, message = String(cause) } = cause as NodeJS.ErrnoException;
  return `${file} cannot be read: ${REASONS[code ?? ""] ?? message.split(",")[0]}.`;
}
