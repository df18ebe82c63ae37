// A terminal that records its output.
import type { Io } from "../io.ts";

export interface TestIo extends Io {
  readonly written: { out: string; err: string };
  /** Presses Ctrl+C. */
  interrupt(): void;
  quits: number[];
}

export function testIo(onErr: (text: string, io: TestIo) => void = () => {}): TestIo {
  const listeners = new Set<(code: number) => void>();
  const io: TestIo = {
    written: { out: "", err: "" },
    quits: [],
    out(text) {
      io.written.out += `${text}\n`;
    },
    err(text) {
      io.written.err += text;
      onErr(text, io);
    },
    isTty: false,
    columns: () => 80,
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt() {
      for (const listener of listeners) listener(130);
    },
    quit: (code) => void io.quits.push(code),
  };
  return io;
}
