// The client against a scripted other side.
import { expect, it, vi } from "vitest";
import { CheckpointError, ProtocolError, serializeError } from "../core/errors.ts";
import type { Turn } from "../core/types.ts";
import { createOnnxClient } from "./onnx-client.ts";
import type { FromOnnxWorker, ToOnnxWorker } from "./onnx-protocol.ts";

/** A worker that the test plays, and how many were started. */
function scripted() {
  const sent: ToOnnxWorker[] = [];
  const listeners = new Map<string, ((event: Event) => void)[]>();
  let started = 0;
  let ended = 0;
  const client = createOnnxClient({
    start: () => {
      started++;
      listeners.clear();
      return {
        terminate: () => void ended++,
        postMessage: (message) => void sent.push(message as ToOnnxWorker),
        addEventListener: (type, listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]),
      };
    },
    does: "is tested",
  });
  const emit = (type: string, event: unknown) => {
    for (const listener of listeners.get(type) ?? []) listener(event as Event);
  };
  const answer = (data: FromOnnxWorker) => emit("message", { data });
  return { client, sent, answer, die: () => emit("error", {}), started: () => started, ended: () => ended };
}

const PLAY = { policy: { bundled: "frozenlake-nano-trained" }, seed: 1, rngKey: 1 };

it("passes on turns and the result of its own call", async () => {
  const { client, answer } = scripted();
  const seen: Turn[] = [];
  const first = client.call("play", PLAY, { onTurn: (turn) => seen.push(turn) });
  const second = client.call("play", PLAY);
  answer({ kind: "turn", id: 0, turn: { index: 0 } as Turn });
  answer({ kind: "return", id: 1, value: null });
  answer({ kind: "return", id: 0, value: "done" });
  expect([await first, await second]).toEqual(["done", null]);
  expect(seen).toEqual([{ index: 0 }]);
});

it("throws the worker's error as one of the same class", async () => {
  const { client, answer } = scripted();
  const call = client.call("play", PLAY);
  const error = new CheckpointError("foreign", "mine.onnx is not an ONNX file.", "Choose another one.");
  answer({ kind: "throw", id: 0, error: serializeError(error) });
  await expect(call).rejects.toEqual(error);
});

it("aborts the worker's call, and ends at once", async () => {
  const { client, sent, answer } = scripted();
  const abort = new AbortController();
  const call = client.call("play", PLAY, { signal: abort.signal });
  abort.abort(new Error("stopped"));
  await expect(call).rejects.toThrow("stopped");
  expect(sent.at(-1)).toEqual({ kind: "abort", id: 0 });
  // A late answer is ignored.
  answer({ kind: "return", id: 0, value: "late" });
  await expect(client.call("play", PLAY, { signal: abort.signal })).rejects.toThrow("stopped");
});

it("rejects what waits when the worker dies, and starts another with the next call", async () => {
  const { client, answer, die, started, ended } = scripted();
  const call = client.call("play", PLAY);
  die();
  await expect(call).rejects.toEqual(
    new ProtocolError("worker_died", "The worker that is tested has stopped.", "Try again."),
  );
  const next = client.call("play", PLAY);
  answer({ kind: "return", id: 1, value: null });
  expect(await next).toBe(null);
  expect([started(), ended()]).toEqual([2, 1]);
});

it("ends a worker that is idle, with its runtime and session, and starts another with the next call", async () => {
  vi.useFakeTimers();
  try {
    const { client, answer, started, ended } = scripted();
    const call = client.call("play", PLAY);
    vi.advanceTimersByTime(3_600_000);
    expect(ended()).toBe(0);
    answer({ kind: "return", id: 0, value: null });
    await call;
    vi.advanceTimersByTime(60_000);
    expect(ended()).toBe(0);
    vi.advanceTimersByTime(600_000);
    expect(ended()).toBe(1);
    const next = client.call("play", PLAY);
    answer({ kind: "return", id: 1, value: null });
    await next;
    expect(started()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

it("says whether a worker runs: from the first call until the worker dies or is ended", async () => {
  vi.useFakeTimers();
  try {
    const { client, answer, die } = scripted();
    expect(client.isRunning()).toBe(false);
    const call = client.call("play", PLAY);
    expect(client.isRunning()).toBe(true);
    die();
    await expect(call).rejects.toThrow("has stopped");
    expect(client.isRunning()).toBe(false);
    const next = client.call("play", PLAY);
    answer({ kind: "return", id: 1, value: null });
    await next;
    expect(client.isRunning()).toBe(true);
    vi.advanceTimersByTime(600_000);
    expect(client.isRunning()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
