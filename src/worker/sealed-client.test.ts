import { expect, it, vi } from "vitest";
import { type FromSealed, SealedWorker } from "./sealed-client.ts";

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

it("answers one question after another, and starts once", async () => {
  const { worker } = fakeWorker((question) => ({ kind: "answer", answer: [question] }));
  const start = vi.fn(() => worker);
  const sealed = new SealedWorker(start, asking);
  expect(start).not.toHaveBeenCalled();
  expect(await sealed.ask(7)).toEqual([7]);
  expect(await sealed.ask(8)).toEqual([8]);
  expect(start).toHaveBeenCalledTimes(1);
  expect(worker.terminate).not.toHaveBeenCalled();
  sealed.end();
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("starts again after a question that had no answer", async () => {
  const endless = fakeWorker(() => undefined).worker;
  const start = vi.fn(() => fakeWorker((question) => ({ kind: "answer", answer: question })).worker);
  const sealed = new SealedWorker(start.mockReturnValueOnce(endless), asking);
  await expect(sealed.ask(7)).rejects.toThrow("walk: it did not end within 1 seconds.");
  expect(endless.terminate).toHaveBeenCalledTimes(1);
  expect(await sealed.ask(7)).toBe(7);
});

it("ends a worker that never starts, and says so", async () => {
  const { worker } = fakeWorker(() => undefined, false);
  const sealed = new SealedWorker(() => worker, asking);
  await expect(sealed.ask(7)).rejects.toThrow("walk: its worker could not be started.");
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("passes on what the code threw, and why the worker died", async () => {
  const error = { name: "EnvError", code: "own_failed", message: "step failed", hint: "Correct it." };
  const failing = fakeWorker(() => ({ kind: "failed", error }));
  await expect(new SealedWorker(() => failing.worker, asking).ask(7)).rejects.toMatchObject({
    ...{ name: "ExtensionError", code: "failed", message: "step failed", hint: "Correct it." },
  });
  expect(failing.worker.terminate).toHaveBeenCalledTimes(1);
  const dying = fakeWorker(() => undefined);
  const asked = new SealedWorker(() => dying.worker, asking).ask(7);
  dying.die("");
  await expect(asked).rejects.toMatchObject({
    code: "failed",
    message: "walk: its worker has stopped: it needed too much memory.",
    hint: "Correct walk.",
  });
});
