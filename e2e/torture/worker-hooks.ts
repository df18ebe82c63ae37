// What the suites do inside the training worker: see its events, and take its device away at a chosen one. Installed
// from outside, so that the product knows nothing of it.
import type { Worker } from "playwright-core";

/** How a device is lost. The browser's GPU process can only be crashed from outside the page. */
export const LOSSES = ["crash", "destroy", "out of memory", "time-out"] as const;
export type Loss = (typeof LOSSES)[number];

/** An event of the run, or a write of a large file, at which something is to happen. */
export interface Moment {
  /** A type of event, or `save` for the write of a checkpoint. */
  readonly type: string;
  readonly phase?: string;
  /** Such moments to let pass first. */
  readonly skip: number;
  readonly delayMs: number;
}

/** A device's loss as the run reports it. */
export interface ReportedLoss {
  readonly update: number;
  readonly resumeFrom: number;
}

interface Hooks {
  losses: ReportedLoss[];
  /** The update of the last checkpoint that was reported; 0 before the first. */
  saved: number;
  at(moment: Moment, loss: Loss): Promise<void>;
}

/** Installs the hooks in a worker that may not have asked for a device yet. */
export const installHooks = (worker: Worker): Promise<void> => worker.evaluate(hooks);

/** Resolves when the moment has come and the device is lost, or is about to be for `crash`. */
export const loseAt = (worker: Worker, moment: Moment, loss: Loss): Promise<void> =>
  worker.evaluate(([moment, loss]) => (globalThis as never as { torture: Hooks }).torture.at(moment, loss), [
    moment,
    loss,
  ] as const);

/** The losses that the worker has reported since it was last asked. */
export const reportedLosses = (worker: Worker): Promise<ReportedLoss[]> =>
  worker.evaluate(() => (globalThis as never as { torture: Hooks }).torture.losses.splice(0));

/** The update of the last checkpoint that the worker has reported; 0 before the first. */
export const savedUpdate = (worker: Worker): Promise<number> =>
  worker.evaluate(() => (globalThis as never as { torture: Hooks }).torture.saved);

/** Runs in the worker, where nothing outside this function exists. */
function hooks(): void {
  const scope = globalThis as unknown as DedicatedWorkerGlobalScope & { torture: Hooks };
  let device: GPUDevice | null = null;
  let isHung = false;
  let failsScope = false;
  const scopes: string[] = [];
  const waiting = new Set<{ moment: Moment; passed: number; come(): void }>();
  const losses: ReportedLoss[] = [];

  const see = (event: { type: string; phase?: string; update?: number }) => {
    if (event.type === "checkpoint") scope.torture.saved = event.update!;
    if (event.type === "device_lost") losses.push(event as never as ReportedLoss);
    for (const wait of waiting) {
      const { type, phase, skip } = wait.moment;
      if (event.type !== type || (phase && event.phase !== phase) || wait.passed++ < skip) continue;
      waiting.delete(wait);
      wait.come();
    }
  };
  const never = () => new Promise<never>(() => {});
  const lose: Record<Loss, () => void> = {
    crash: () => {},
    destroy: () => device?.destroy(),
    "out of memory": () => {
      // Whichever comes first: room that is asked for under a scope, or work that needs some.
      failsScope = true;
      const error = new GPUOutOfMemoryError("Injected: no room.");
      device?.dispatchEvent(new GPUUncapturedErrorEvent("uncapturederror", { error }));
    },
    "time-out": () => {
      isHung = true;
    },
  };
  scope.torture = {
    losses,
    saved: 0,
    at: (moment, loss) =>
      new Promise((resolve) => {
        const come = () => {
          const act = () => {
            lose[loss]();
            resolve();
          };
          if (moment.delayMs > 0) setTimeout(act, moment.delayMs);
          else act();
        };
        waiting.add({ moment, passed: 0, come });
      }),
  };

  const { postMessage } = scope;
  scope.postMessage = ((message: { kind: string; event: { type: string } }, ...rest: []) => {
    postMessage.call(scope, message, ...rest);
    if (message.kind === "event") see(message.event);
  }) as never;
  const { setTimeout: setTimer } = scope;
  // A device that hangs is given up after minutes.
  const timer = (work: () => void, ms = 0, ...rest: []) =>
    setTimer(work, isHung && ms >= 30_000 ? 300 : ms, ...rest);
  scope.setTimeout = timer as never;

  /** Replaces a method; `around` calls the original as it likes. */
  const wrap = (prototype: object, name: string, around: (call: () => never, args: never[]) => unknown) => {
    const methods = prototype as Record<string, (...args: never[]) => never>;
    const original = methods[name]!;
    methods[name] = function (this: object, ...args: never[]) {
      return around(() => original.apply(this, args), args) as never;
    };
  };
  wrap(GPUAdapter.prototype, "requestDevice", async (call) => {
    device = await call();
    isHung = false;
    return device;
  });
  for (const [prototype, name] of [
    [GPUBuffer.prototype, "mapAsync"],
    [GPUQueue.prototype, "onSubmittedWorkDone"],
  ] as const)
    wrap(prototype, name, (call) => (isHung ? never() : call()));
  wrap(GPUDevice.prototype, "pushErrorScope", (call, [kind]) => {
    scopes.push(kind as never);
    return call();
  });
  wrap(GPUDevice.prototype, "popErrorScope", (call) => {
    const fails = scopes.pop() === "out-of-memory" && failsScope;
    if (fails) failsScope = false;
    return fails ? Promise.resolve(new GPUOutOfMemoryError("Injected: no room.")) : call();
  });
  wrap(FileSystemSyncAccessHandle.prototype, "write", (call, [bytes]) => {
    if ((bytes as never as ArrayBufferView).byteLength > 100_000) see({ type: "save" });
    return call();
  });
}
