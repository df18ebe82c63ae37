import { expect, it, vi } from "vitest";
import type { SerializedError } from "../core/errors.ts";
import { type FromSealed, SealedWorker, type ToSealed } from "./sealed-client.ts";

type Answer = { kind: "answer"; answer: unknown } | { kind: "failed"; error: SerializedError };

/** A worker that does what `answer` says with a question; nothing means that it goes on for ever. */
function fakeWorker(answer: (question: unknown) => Answer | undefined, isReady = true) {
  const target = new EventTarget();
  const post = (data: unknown) => target.dispatchEvent(new MessageEvent("message", { data }));
  const send = (data: FromSealed<unknown>) => queueMicrotask(() => post(data));
  const worker = {
    addEventListener: target.addEventListener.bind(target),
    postMessage: vi.fn(({ number, question }: ToSealed<unknown>) => {
      const message = answer(question);
      if (message) send({ ...message, to: number });
    }),
    terminate: vi.fn(),
  };
  if (isReady) send({ kind: "ready" });
  const die = (message?: string) => target.dispatchEvent(Object.assign(new Event("error"), { message }));
  return { worker, post, die };
}

const echo = (question: unknown): Answer => ({ kind: "answer", answer: question });
const asking = {
  limitMs: 20,
  code: "failed",
  say: (what: string) => ({ message: `walk: ${what}`, hint: "Correct walk." }),
  read: (answer: unknown) => {
    if (typeof answer !== "number") throw new Error("no number");
    return answer;
  },
} as const;

it("answers one question after another, and starts once", async () => {
  const { worker } = fakeWorker(echo);
  const start = vi.fn(() => worker);
  const sealed = new SealedWorker(start, asking);
  expect(start).not.toHaveBeenCalled();
  expect(await sealed.ask(7)).toBe(7);
  expect(await sealed.ask(8)).toBe(8);
  expect(start).toHaveBeenCalledTimes(1);
  expect(worker.terminate).not.toHaveBeenCalled();
  sealed.end();
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("starts again after a question that had no answer", async () => {
  const endless = fakeWorker(() => undefined).worker;
  const start = vi.fn(() => fakeWorker(echo).worker);
  const sealed = new SealedWorker(start.mockReturnValueOnce(endless), asking);
  await expect(sealed.ask(7)).rejects.toThrow("walk: it did not end within 1 seconds.");
  expect(endless.terminate).toHaveBeenCalledTimes(1);
  expect(await sealed.ask(7)).toBe(7);
});

it("advises of an answer that is late what was asked for it", async () => {
  const late = { ...asking, lateHint: "Look for a loop." };
  const endless = new SealedWorker(() => fakeWorker(() => undefined).worker, late);
  await expect(endless.ask(7)).rejects.toMatchObject({ hint: "Look for a loop." });
  const unreadable = new SealedWorker(() => fakeWorker(echo).worker, late);
  await expect(unreadable.ask("no number")).rejects.toMatchObject({ hint: "Correct walk." });
});

it("rejects at once what waits when it is ended", async () => {
  const { worker } = fakeWorker(() => undefined);
  const sealed = new SealedWorker(() => worker, { ...asking, limitMs: 1e6 });
  const asked = sealed.ask(7);
  sealed.end();
  await expect(asked).rejects.toThrow("walk: it was ended.");
  expect(worker.terminate).toHaveBeenCalled();
});

it.each([
  ["before it is ready", undefined],
  ["with an error, as a module that cannot be fetched does", ""],
])("does not blame the code where the worker fails to start: %s", async (_, error) => {
  const { worker, die } = fakeWorker(() => undefined, false);
  const asked = new SealedWorker(() => worker, asking).ask(7);
  if (error !== undefined) die(error);
  await expect(asked).rejects.toMatchObject({
    code: "unavailable",
    message: "walk: its worker could not be started.",
    hint: "Check the connection and reload the page.",
  });
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

it("passes over messages that the code sends, and answers to other questions", async () => {
  const { worker, post } = fakeWorker((question) => {
    for (const stray of [null, "debug", { kind: "ready" }, { kind: "answer", to: 0, answer: 3 }]) post(stray);
    return echo(question);
  });
  const sealed = new SealedWorker(() => worker, asking);
  expect(await sealed.ask(7)).toBe(7);
  expect(await sealed.ask(8)).toBe(8);
  expect(worker.postMessage).toHaveBeenCalledTimes(2);
});

it("keeps its limit whatever the code sends meanwhile", async () => {
  const { worker, post } = fakeWorker(() => undefined);
  const stray = setInterval(() => post({ kind: "ready" }), 2);
  await expect(new SealedWorker(() => worker, asking).ask(7)).rejects.toThrow("did not end within");
  clearInterval(stray);
});

it("refuses an answer that cannot be read", async () => {
  const { worker } = fakeWorker(() => ({ kind: "answer", answer: "seven" }));
  const asked = new SealedWorker(() => worker, asking).ask(7);
  await expect(asked).rejects.toThrow("walk: it gave an answer that cannot be read.");
});

it("passes on what the code threw, and why the worker died", async () => {
  const error = { name: "EnvError", code: "own_failed", message: "step failed", hint: "Correct it." };
  const failing = fakeWorker(() => ({ kind: "failed", error }));
  await expect(new SealedWorker(() => failing.worker, asking).ask(7)).rejects.toMatchObject({
    ...{ name: "ExtensionError", code: "failed", message: "step failed", hint: "Correct it." },
  });
  expect(failing.worker.terminate).toHaveBeenCalledTimes(1);
  const dying = fakeWorker(() => undefined);
  const asked = new SealedWorker(() => dying.worker, { ...asking, limitMs: 1e4 }).ask(7);
  await vi.waitFor(() => expect(dying.worker.postMessage).toHaveBeenCalled());
  dying.die("");
  await expect(asked).rejects.toMatchObject({
    code: "failed",
    message: "walk: its worker has stopped: it needed too much memory.",
    hint: "Correct walk.",
  });
});
