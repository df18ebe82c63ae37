// The client against a scripted worker.
import { expect, it, vi } from "vitest";
import { startGpuCheck } from "./check-client.ts";
import type { FromCheckWorker, ShownReport } from "./check-protocol.ts";

function scripted() {
  const listeners = new Map<string, (event: Event) => void>();
  const terminate = vi.fn();
  const listener = { onProgress: vi.fn(), onReport: vi.fn(), onFailure: vi.fn() };
  const cancel = startGpuCheck(listener, () => ({
    terminate,
    addEventListener: (type, listen) => void listeners.set(type, listen),
  }));
  const say = (data: FromCheckWorker) => listeners.get("message")?.({ data } as unknown as Event);
  const die = (message: string) => listeners.get("error")?.({ message } as unknown as Event);
  return { ...listener, terminate, cancel, say, die };
}

const REPORT: ShownReport = { verdict: "All right.", heads: [], rows: [], text: "" };

it("passes on progress and the report, and ends the worker", () => {
  const { say, onProgress, onReport, terminate } = scripted();
  say({ kind: "progress", done: 3, of: 77, label: "rope" });
  expect(onProgress).toHaveBeenCalledWith(3, 77, "rope");
  expect(terminate).not.toHaveBeenCalled();
  say({ kind: "report", report: REPORT });
  expect(onReport).toHaveBeenCalledExactlyOnceWith(REPORT);
  expect(terminate).toHaveBeenCalledOnce();
});

it("reports why a check failed, and a worker that died, once", () => {
  const failed = scripted();
  const error = { name: "GpuError", code: "no_adapter", message: "No WebGPU adapter was found." };
  failed.say({ kind: "failed", error });
  failed.die("late");
  expect(failed.onFailure).toHaveBeenCalledExactlyOnceWith(error);

  const died = scripted();
  died.die("out of memory");
  expect(died.onFailure).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ code: "worker_died", message: "The check has stopped: out of memory" }),
  );
});

it("says nothing after it was cancelled", () => {
  const { cancel, say, onProgress, onReport, terminate } = scripted();
  cancel();
  say({ kind: "progress", done: 4, of: 77, label: "rope" });
  say({ kind: "report", report: REPORT });
  expect(terminate).toHaveBeenCalledOnce();
  expect(onProgress).not.toHaveBeenCalled();
  expect(onReport).not.toHaveBeenCalled();
});
