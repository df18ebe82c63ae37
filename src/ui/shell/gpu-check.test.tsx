// Faces of the check of the GPU, and what starts and ends it.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { startGpuCheck } from "../../worker/check-client.ts";
import { cancelCheck, startCheck } from "../session/gpu-check.ts";
import { type GpuCheck, useCheck, usesGpu } from "../store/check-store.ts";
import { runStore } from "../store/run-store.ts";
import { emptyView, type RunState } from "../store/run-view.ts";
import { snapshot } from "../testing/snapshot.tsx";
import { GpuCheckPanel } from "./gpu-check.tsx";

const REPORT = {
  verdict: "1 of 2 kernel variants failed on this device.",
  heads: ["kernel", "result"],
  rows: [
    { label: "rope", ok: true, cells: ["rope", "ok"] },
    { label: "linear_forward_staged", ok: false, cells: ["linear_forward", "FAILED"] },
  ],
  text: "",
};

/** What a person reads. */
const read = (check: GpuCheck, state: RunState = "idle") =>
  snapshot(<GpuCheckPanel check={check} />, { ...emptyView(), state })
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

describe("the panel", () => {
  it("says what it does and offers to start", () => {
    expect(read({ state: "idle" })).toMatch(/compares it with the CPU.*Start the check/);
  });

  it("shows progress and can be cancelled", () => {
    const running = read({ state: "running", done: 4, of: 77, label: "rope" });
    expect(running).toContain("5 of 77: rope Cancel");
    expect(running).not.toContain("Start");
  });

  it("shows the table with a report to copy", () => {
    expect(read({ state: "done", report: REPORT })).toMatch(
      /1 of 2 kernel variants failed.*Copy the report.*kernel result rope ok linear_forward FAILED.*Check again/,
    );
  });

  it("says why it failed, in plain words", () => {
    const error = {
      name: "GpuError",
      code: "device_lost",
      message: "DXGI_ERROR_DEVICE_HUNG",
      hint: "Try again.",
    };
    expect(read({ state: "failed", error })).toMatch(
      /The graphics device was lost\. Try again\..*Check again/,
    );
  });

  it.each(["running", "preparing", "stepping"] as const)(
    "waits for a run that is %s, and offers to pause it",
    (state) => {
      const text = read({ state: "idle" }, state);
      expect(text).toMatch(/A run is using the GPU.*Pause the run.*Stop the run/);
      expect(text).not.toContain("Start the check");
    },
  );

  it("runs beside a paused run", () => {
    expect(usesGpu("paused")).toBe(false);
    expect(read({ state: "idle" }, "paused")).toContain("Start the check");
  });
});

describe("the session", () => {
  // Also before the first: other files that share the store may have left a run in it.
  const reset = () => {
    cancelCheck();
    runStore.setState(emptyView(), true);
  };
  beforeEach(reset);
  afterEach(reset);

  function started() {
    const cancel = vi.fn();
    let listener: Parameters<typeof startGpuCheck>[0] | null = null;
    const start = vi.fn((given: Parameters<typeof startGpuCheck>[0]) => {
      listener = given;
      return cancel;
    });
    startCheck(start);
    return { cancel, start, listener: listener as Parameters<typeof startGpuCheck>[0] | null };
  }

  it("follows a check to its report, once at a time", () => {
    const { start, listener } = started();
    startCheck(start);
    expect(start).toHaveBeenCalledOnce();
    listener?.onProgress(1, 77, "rope");
    expect(useCheck.getState().check).toEqual({ state: "running", done: 1, of: 77, label: "rope" });
    listener?.onReport(REPORT);
    expect(useCheck.getState().check).toEqual({ state: "done", report: REPORT });
  });

  it("starts none while a run trains, and ends one when a run starts", () => {
    runStore.setState({ state: "running" });
    expect(started().start).not.toHaveBeenCalled();
    runStore.setState({ state: "idle" });
    const { cancel } = started();
    runStore.setState({ state: "preparing" });
    expect(cancel).toHaveBeenCalledOnce();
    expect(useCheck.getState().check).toEqual({ state: "interrupted" });
  });

  it("cancels", () => {
    const { cancel } = started();
    cancelCheck();
    expect(cancel).toHaveBeenCalledOnce();
    expect(useCheck.getState().check).toEqual({ state: "idle" });
  });
});
