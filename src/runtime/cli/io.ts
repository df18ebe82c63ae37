// The terminal, as little of it as the commands use; tests hand in their own.

export interface Io {
  /** Results: standard output. */
  out(text: string): void;
  /** Progress and errors: standard error, so that results can be piped. */
  err(text: string): void;
  /** Standard error is a terminal, whose last line can be rewritten. */
  isTty: boolean;
  columns(): number;
  /** Ctrl+C, or a request to end from outside, with the exit code that follows from it. Returns the way to stop listening. */
  onInterrupt(listener: (exitCode: number) => void): () => void;
  /** Ends at once. */
  quit(exitCode: number): void;
}

/** Exit codes of a process that a signal ends: 128 + its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(text),
    isTty: process.stderr.isTTY === true,
    columns: () => process.stderr.columns ?? 80,
    onInterrupt(listener) {
      const handlers = Object.entries(SIGNALS).map(([name, code]) => ({
        name,
        handler: () => listener(code),
      }));
      for (const { name, handler } of handlers) process.on(name, handler);
      return () => {
        for (const { name, handler } of handlers) process.off(name, handler);
      };
    },
    quit: (exitCode) => process.exit(exitCode),
  };
}
