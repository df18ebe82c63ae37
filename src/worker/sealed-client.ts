// The page's end of a worker that runs the code of an extension: it has no network and no storage, and is ended when it takes too long.
import { ExtensionError, type SerializedError } from "../core/errors.ts";

/** What such a worker reports; `A` is its answer. */
export type FromSealed<A> =
  /** It can be sent questions. */
  | { kind: "ready" }
  /** To the question of this number. */
  | { kind: "answer"; to: number; answer: A }
  | { kind: "failed"; to: number; error: SerializedError };

/** What it is sent. */
export interface ToSealed<Q> {
  readonly number: number;
  readonly question: Q;
}

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
interface Asking<A> {
  /** Milliseconds for an answer. */
  limitMs: number;
  /** Of what is wrong with the code. */
  code: ExtensionError["code"];
  /** What is said of something that is wrong, which is given in words that begin with "it" or "its". */
  say(what: string): Pick<SerializedError, "message" | "hint">;
  /** What helps when there is no answer in time; by default what `say` advises. */
  lateHint?: string;
  /** An answer that has been checked, because the code may have written it. @throws if it is none */
  read(answer: unknown): A;
}

/** A worker that answers one question after another. It starts with the first one, and again after it had to be ended. */
export class SealedWorker<Q, A> {
  private port: WorkerPort | null = null;
  private number = 0;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly start: () => WorkerPort,
    private readonly asking: Asking<A>,
  ) {}

  /**
   * Asks a question; the next one has to wait for the answer.
   * @throws ExtensionError in words of `say` when the worker does not answer in time, dies or is ended, else in those of what its code
   * threw; with the code "unavailable" when it cannot be started. The worker has ended then.
   */
  async ask(question: Q): Promise<A> {
    const isReady = this.port !== null;
    this.port ??= this.start();
    const { port } = this;
    this.number++;
    const waiting = new Waiting(port, { number: this.number, question }, this.asking);
    this.cancel = () => waiting.fail("it was ended.");
    if (isReady) waiting.send();
    try {
      return await waiting.answer;
    } catch (error) {
      port.terminate();
      if (this.port === port) this.port = null;
      throw error;
    }
  }

  /** Ends the worker; an answer that is still to come is an error. */
  end(): void {
    this.port?.terminate();
    this.port = null;
    this.cancel();
  }
}

/** A question and its answer, which is to come. */
class Waiting<Q, A> {
  readonly answer: Promise<A>;
  private resolve: (answer: A) => void = () => undefined;
  private reject: (error: ExtensionError) => void = () => undefined;
  private readonly over = new AbortController();
  private isSent = false;
  private timer: ReturnType<typeof setTimeout>;

  constructor(
    private readonly port: WorkerPort,
    private readonly question: ToSealed<Q>,
    private readonly asking: Asking<A>,
  ) {
    const { signal } = this.over;
    this.answer = new Promise<A>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    }).finally(() => {
      clearTimeout(this.timer);
      this.over.abort();
    });
    // A page that is busy starting must not blame the extension.
    this.timer = setTimeout(() => this.failToStart(), 6 * asking.limitMs);
    port.addEventListener("message", (event) => this.receive((event as MessageEvent).data), { signal });
    port.addEventListener("error", (event) => this.die((event as ErrorEvent).message), { signal });
  }

  /** Sends the question to a worker that is ready. */
  send(): void {
    if (this.isSent) return;
    this.isSent = true;
    clearTimeout(this.timer);
    const { limitMs } = this.asking;
    const seconds = Math.ceil(limitMs / 1000);
    this.timer = setTimeout(() => this.failLate(`it did not end within ${seconds} seconds.`), limitMs);
    this.port.postMessage(this.question);
  }

  /** Rejects the answer. @param what is wrong, in words that begin with "it" or "its" */
  fail(what: string): void {
    this.failWith(this.asking.say(what));
  }

  private failLate(what: string): void {
    const { say, lateHint } = this.asking;
    this.failWith({ ...say(what), ...(lateHint && { hint: lateHint }) });
  }

  /** Passes over what is no answer to the question: the code may send messages of its own. */
  private receive(message: FromSealed<unknown> | null): void {
    if (message?.kind === "ready") this.send();
    else if (message?.to !== this.question.number) return;
    else if (message.kind === "failed") this.failAs(message.error);
    else if (message.kind === "answer") this.read(message.answer);
  }

  private failAs(error: Partial<SerializedError> | null | undefined): void {
    if (typeof error?.message === "string")
      this.failWith({ message: error.message, hint: String(error.hint ?? "") });
    else this.fail("it failed.");
  }

  private read(answer: unknown): void {
    try {
      this.resolve(this.asking.read(answer));
    } catch {
      this.fail("it gave an answer that cannot be read.");
    }
  }

  private die(message: string | undefined): void {
    if (!this.isSent) this.failToStart();
    else this.fail(`its worker has stopped: ${message || "it needed too much memory"}.`);
  }

  private failToStart(): void {
    const { message } = this.asking.say("its worker could not be started.");
    this.reject(new ExtensionError("unavailable", message, "Check the connection and reload the page."));
  }

  private failWith({ message, hint }: Pick<SerializedError, "message" | "hint">): void {
    this.reject(new ExtensionError(this.asking.code, message, hint));
  }
}

/** A worker that a page makes of a text has the page's policy, which forbids code from strings and from other hosts. */
export function startSealed(workerUrl: string, name: string): WorkerPort {
  const code = `import ${JSON.stringify(new URL(workerUrl, location.href).href)};`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module", name });
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
