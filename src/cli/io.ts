// The part of a terminal that the commands use; tests pass their own.
import { createInterface } from "node:readline";

export interface Io {
  /** Results: standard output. */
  out(text: string): void;
  /** Progress and errors: standard error, so that results can be piped. */
  err(text: string): void;
  /** Standard error is a terminal, whose last line can be rewritten. */
  isTty: boolean;
  columns(): number;
  /** Asks for a yes or no, once for each question; absent without a terminal to answer on. */
  confirm?(question: string): Promise<boolean>;
  /** Listens for Ctrl+C and SIGTERM; passes the exit code that they imply. Returns a function that stops listening. */
  onInterrupt(listener: (exitCode: number) => void): () => void;
  /** Ends at once. */
  quit(exitCode: number): void;
}

/** The line of a warning, without its end. */
export const warning = (text: string): string => `warning: ${text}`;

/** Prints a warning. */
export const warn = (io: Io, text: string): void => io.err(`${warning(text)}\n`);

/** Exit codes of a process that a signal ends: 128 + its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(text),
    isTty: process.stderr.isTTY === true,
    columns: () => process.stderr.columns ?? 80,
    ...(process.stdin.isTTY && process.stderr.isTTY && { confirm: remembered(askOnTerminal) }),
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

/** A run that is built again must not ask again. */
function remembered(ask: (question: string) => Promise<boolean>): (question: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return (question) => {
    const answer = answers.get(question) ?? ask(question);
    answers.set(question, answer);
    return answer;
  };
}

/** Anything but yes is no, the end of the input too. */
async function askOnTerminal(question: string): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `);
  // Without `terminal`, Ctrl+C remains a signal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line);
    return false;
  } finally {
    lines.close();
  }
}
