// The worker's end of `sealed-client.ts`.
import { serializeError } from "../core/errors.ts";
import { seal } from "./seal.ts";
import type { FromSealed } from "./sealed-client.ts";

/** Answers the page's questions, after the worker has given up its network and its storage. */
export function answerSealed<Q, A>(answer: (question: Q) => Promise<A>): void {
  const scope = globalThis as unknown as {
    postMessage(message: FromSealed<A>): void;
    onmessage: ((event: MessageEvent<Q>) => void) | null;
  };
  scope.onmessage = async ({ data }) => {
    try {
      seal();
      scope.postMessage({ kind: "answer", answer: await answer(data) });
    } catch (error) {
      scope.postMessage({ kind: "failed", error: serializeError(error) });
    }
  };
  scope.postMessage({ kind: "ready" });
}
