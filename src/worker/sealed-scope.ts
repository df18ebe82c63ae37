// The worker's end of `sealed-client.ts`.
import { serializeError } from "../core/errors.ts";
import { seal } from "./seal.ts";
import type { FromSealed, ToSealed } from "./sealed-client.ts";

/** Answers the page's questions, after the worker has given up its network and its storage. */
export function answerSealed<Q, A>(answer: (question: Q) => Promise<A>): void {
  const scope = globalThis as unknown as {
    postMessage(message: FromSealed<A>): void;
    onmessage: ((event: MessageEvent<ToSealed<Q>>) => void) | null;
  };
  const send = scope.postMessage.bind(scope);
  scope.onmessage = async ({ data: { number: to, question } }) => {
    try {
      seal();
      send({ kind: "answer", to, answer: await answer(question) });
    } catch (error) {
      send({ kind: "failed", to, error: serializeError(error) });
    }
  };
  send({ kind: "ready" });
}
