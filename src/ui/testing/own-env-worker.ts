// The worker that plays an environment of a user's, run in this thread.
import { vi } from "vitest";
import { environmentsIn } from "../../extension/index.ts";
import { answerOwnEnv } from "../../worker/own-env.ts";

type Extension = Parameters<typeof environmentsIn>[0];

/** Plays the environment of an extension. It counts how often it was asked and ended. */
export function ownEnvWorker(extension: Extension) {
  const [spec] = environmentsIn(extension);
  const target = new EventTarget();
  const send = (data: unknown) => target.dispatchEvent(new MessageEvent("message", { data }));
  queueMicrotask(() => send({ kind: "ready" }));
  return {
    addEventListener: target.addEventListener.bind(target),
    postMessage: vi.fn(({ number: to, question }) => {
      try {
        send({ kind: "answer", to, answer: answerOwnEnv(spec!, question) });
      } catch (error) {
        send({ kind: "failed", to, error: { message: String(error), hint: "Correct it." } });
      }
    }),
    terminate: vi.fn(),
  };
}
