import { expect, it, vi } from "vitest";
import { askSealed, type FromSealed } from "./sealed-client.ts";

/** A worker that does what `answer` says with a question; nothing means that it goes on for ever. */
function fakeWorker(answer: (question: unknown) => FromSealed<unknown> | undefined, isReady = true) {
  const target = new EventTarget();
  const send = (data: unknown) =>
    queueMicrotask(() => target.dispatchEvent(new MessageEvent("message", { data })));
  const worker = {
    addEventListener: target.addEventListener.bind(target),
    postMessage(question: unknown) {
      const message = answer(question);
      if (message) send(message);
    },
    terminate: vi.fn(),
  };
  if (isReady) send({ kind: "ready" });
  return {
    worker,
    die: (message: string) => target.dispatchEvent(Object.assign(new Event("error"), { message })),
  };
}

const asking = {
  limitMs: 20,
  code: "failed",
  say: (what: string) => ({ message: `walk: ${what}`, hint: "Correct walk." }),
} as const;

it("gives the answer, and ends the worker", async () => {
  const { worker } = fakeWorker((question) => ({ kind: "answer", answer: [question] }));
  expect(await askSealed(worker, 7, asking)).toEqual([7]);
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("ends a worker that never answers", async () => {
  const { worker } = fakeWorker(() => undefined);
  await expect(askSealed(worker, 7, asking)).rejects.toThrow("walk: it did not end within 1 seconds.");
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("ends a worker that never starts, and says so", async () => {
  const { worker } = fakeWorker(() => undefined, false);
  await expect(askSealed(worker, 7, asking)).rejects.toThrow("walk: its worker could not be started.");
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("passes on what the code threw, and why the worker died", async () => {
  const error = { name: "EnvError", code: "own_failed", message: "step failed", hint: "Correct it." };
  const failing = fakeWorker(() => ({ kind: "failed", error }));
  await expect(askSealed(failing.worker, 7, asking)).rejects.toMatchObject({
    ...{ name: "ExtensionError", code: "failed", message: "step failed", hint: "Correct it." },
  });
  const dying = fakeWorker(() => undefined);
  const asked = askSealed(dying.worker, 7, asking);
  dying.die("");
  await expect(asked).rejects.toMatchObject({
    code: "failed",
    message: "walk: its worker has stopped: it needed too much memory.",
    hint: "Correct walk.",
  });
});
