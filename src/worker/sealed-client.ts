// The page's end of a worker that runs the code of an extension: it has no network and no storage, and is ended when it takes too long.
import { ExtensionError, type SerializedError } from "../core/errors.ts";

/** What such a worker reports; `A` is its answer. */
export type FromSealed<A> =
  /** It can be sent the question. */
  { kind: "ready" } | { kind: "answer"; answer: A } | { kind: "failed"; error: SerializedError };

interface WorkerPort {
  postMessage(message: unknown): void;
  addEventListener(
    type: "message" | "error",
    listener: (event: Event) => void,
    options: AddEventListenerOptions,
  ): void;
  terminate(): void;
}

/** How a worker is asked. */
interface Asking {
  /** Milliseconds for an answer. */
  limitMs: number;
  /** Of every error that `ask` throws. */
  code: ExtensionError["code"];
  /** What is said of something that is wrong, which is given in words that begin with "it" or "its". */
  say(what: string): Pick<SerializedError, "message" | "hint">;
}

/** A worker that answers one question after another. It starts with the first one, and again after it had to be ended. */
export class SealedWorker<Q, A> {
  private port: WorkerPort | null = null;

  constructor(
    private readonly start: () => WorkerPort,
    private readonly asking: Asking,
  ) {}

  /**
   * Asks a question; the next one has to wait for the answer.
   * @throws ExtensionError in words of `say` when the worker does not answer in time or dies, else in those of what its code threw. The
   * worker has ended then.
   */
  async ask(question: Q): Promise<A> {
    const isReady = this.port !== null;
    this.port ??= this.start();
    const { port } = this;
    try {
      return await answerOf<A>(port, question, isReady, this.asking);
    } catch (error) {
      port.terminate();
      if (this.port === port) this.port = null;
      throw error;
    }
  }

  /** Ends the worker; an answer that is still to come never comes. */
  end(): void {
    this.port?.terminate();
    this.port = null;
  }
}

async function answerOf<A>(
  port: WorkerPort,
  question: unknown,
  isReady: boolean,
  { limitMs, code, say }: Asking,
): Promise<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const asked = new AbortController();
  const answer = new Promise<A>((resolve, reject) => {
    const rejectWith = ({ message, hint }: ReturnType<Asking["say"]>) =>
      reject(new ExtensionError(code, message, hint));
    const rejectAs = (what: string) => rejectWith(say(what));
    const send = () => {
      const seconds = Math.ceil(limitMs / 1000);
      timer = setTimeout(() => rejectAs(`it did not end within ${seconds} seconds.`), limitMs);
      port.postMessage(question);
    };
    const onMessage = (event: Event) => {
      const message = (event as MessageEvent<FromSealed<A>>).data;
      clearTimeout(timer);
      if (message.kind === "answer") resolve(message.answer);
      else if (message.kind === "failed") rejectWith(message.error);
      else send();
    };
    const onError = (event: Event) =>
      rejectAs(`its worker has stopped: ${(event as ErrorEvent).message || "it needed too much memory"}.`);
    port.addEventListener("message", onMessage, { signal: asked.signal });
    port.addEventListener("error", onError, { signal: asked.signal });
    if (isReady) send();
    // A page that is busy starting must not blame the extension.
    else timer = setTimeout(() => rejectAs("its worker could not be started."), 6 * limitMs);
  });
  return answer.finally(() => {
    clearTimeout(timer);
    asked.abort();
  });
}

/** A worker that a page makes of a text has the page's policy, which forbids code from strings and from other hosts. */
export function startSealed(workerUrl: string, name: string): WorkerPort {
  const code = `import ${JSON.stringify(new URL(workerUrl, location.href).href)};`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module", name });
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
