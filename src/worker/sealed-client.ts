// The page's end of a worker that runs the code of an extension: it has no network and no storage, gets one question, and is ended after
// its answer, or when it takes too long.
import { ExtensionError, type SerializedError } from "../core/errors.ts";

/** What such a worker reports; `A` is its answer. */
export type FromSealed<A> =
  /** It can be sent the question. */
  { kind: "ready" } | { kind: "answer"; answer: A } | { kind: "failed"; error: SerializedError };

interface WorkerPort {
  postMessage(message: unknown): void;
  addEventListener(type: "message" | "error", listener: (event: Event) => void): void;
  terminate(): void;
}

/** How a worker is asked. */
interface Asking {
  /** Milliseconds for the answer. */
  limitMs: number;
  /** Of every error that `askSealed` throws. */
  code: ExtensionError["code"];
  /** What is said of something that is wrong, which is given in words that begin with "it" or "its". */
  say(what: string): Pick<SerializedError, "message" | "hint">;
}

/**
 * Asks a worker once, and ends it.
 * @throws ExtensionError in words of `say` when it does not answer in time or dies, else in those of what its code threw
 */
export function askSealed<A>(
  worker: WorkerPort,
  question: unknown,
  { limitMs, code, say }: Asking,
): Promise<A> {
  return new Promise<A>((resolve, reject) => {
    const rejectWith = ({ message, hint }: ReturnType<Asking["say"]>) =>
      reject(new ExtensionError(code, message, hint));
    const rejectAs = (what: string) => rejectWith(say(what));
    // A page that is busy starting must not blame the extension.
    let timer = setTimeout(() => rejectAs("its worker could not be started."), 6 * limitMs);
    worker.addEventListener("message", (event) => {
      const message = (event as MessageEvent<FromSealed<A>>).data;
      clearTimeout(timer);
      if (message.kind === "answer") return resolve(message.answer);
      if (message.kind === "failed") return rejectWith(message.error);
      const seconds = Math.ceil(limitMs / 1000);
      timer = setTimeout(() => rejectAs(`it did not end within ${seconds} seconds.`), limitMs);
      worker.postMessage(question);
    });
    worker.addEventListener("error", (event) =>
      rejectAs(`its worker has stopped: ${(event as ErrorEvent).message || "it needed too much memory"}.`),
    );
  }).finally(() => worker.terminate());
}

/** A worker that a page makes of a text has the page's policy, which forbids code from strings and from other hosts. */
export function startSealed(workerUrl: string, name: string): WorkerPort {
  const code = `import ${JSON.stringify(new URL(workerUrl, location.href).href)};`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module", name });
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
