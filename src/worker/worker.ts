// The dedicated worker that owns the GPU and trains. The page can come and go; this is where a run lives.
import { bundledFile, chosenFile, INIT_CHECKPOINT, noSuchCheckpoint } from "../config/init-checkpoint.ts";
import { platformClock } from "../core/clock.ts";
import { CheckpointError } from "../core/errors.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { headBytes } from "../persistence/safetensors.ts";
import { openStore } from "../persistence/store.ts";
import { buildRun, planMemory } from "../run/build-run.ts";
import { watchStorage } from "../supervision/storage-watch.ts";
import { Supervisor } from "../supervision/supervisor.ts";
import type { TrainerEvent } from "../training/events.ts";
import { train } from "../training/trainer.ts";
import { trainingHost } from "./commands.ts";
import { probeGpu } from "./probe.ts";
import { KEPT_TRACES } from "./protocol.ts";
import { tabLocks } from "./run-lock.ts";
import { eventSender, type Handlers, type Port, serve } from "./serve.ts";

const scope = globalThis as unknown as Port & WorkerGlobalScope;
const emit = eventSender(scope);

/** Null when this browser keeps no files; runs then last as long as the page. */
async function openOpfs(): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle("runs", { create: true });
  } catch {
    return null;
  }
}

/** Undefined where there is none; where site data is blocked, even reading the property may throw. */
function lockManager(): LockManager | undefined {
  try {
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** A checkpoint that ships with the studio, by name, or one that the page handed over as a blob. */
async function loadInitial(name: string): Promise<Uint8Array<ArrayBuffer>> {
  // The built worker lies in assets/, beside checkpoints/; while developing, everything is served from the root.
  const chosen = chosenFile(name);
  if (chosen) return loadChosen(chosen);
  const folder = import.meta.env.DEV ? "/checkpoints/" : "../checkpoints/";
  const response = await fetch(new URL(folder + bundledFile(name), scope.location.href).href);
  // Some servers answer with the page where a file is missing.
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (response.ok && !isPage) return new Uint8Array(await response.arrayBuffer());
  throw noSuchCheckpoint(
    INIT_CHECKPOINT,
    name,
    "Or choose a file under “Start from”, or leave it empty to start from nothing.",
  );
}

/** A file lasts as long as the page in which it was chosen. */
async function loadChosen(chosen: { url: string; name: string }): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await openChosen(chosen)).arrayBuffer());
}

async function openChosen({ url, name }: { url: string; name: string }): Promise<Response> {
  const response = await fetch(url).catch(() => null);
  if (response?.ok) return response;
  throw new CheckpointError(
    "not_found",
    `${INIT_CHECKPOINT}: the file ${name} can no longer be read: it was chosen before the page was loaded again, or has changed since.`,
    "Choose it again under “Start from”.",
  );
}

/** The header of a chosen file; the rest, which may be large, is not read. */
async function readHead(choice: string): Promise<{ head: Uint8Array; fileBytes: number }> {
  const chosen = chosenFile(choice);
  if (!chosen) throw new CheckpointError("not_found", `${choice} is not a chosen file.`);
  const blob = await (await openChosen(chosen)).blob();
  const first = async (bytes: number) => new Uint8Array(await blob.slice(0, bytes).arrayBuffer());
  return { head: await first(headBytes(await first(8))), fileBytes: blob.size };
}

/** The adapter's limit for one buffer in bytes; undefined without an adapter. */
async function largestBinding(): Promise<number | undefined> {
  const limits = (await navigator.gpu?.requestAdapter())?.limits;
  return limits && Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
}

async function createHandlers(): Promise<Handlers> {
  const opfs = await openOpfs();
  const store = openStore(opfs ? opfsFiles(opfs) : memoryFiles());
  const warnVolatile = (event: TrainerEvent, send: (event: TrainerEvent) => void) => {
    if (opfs || event.type !== "run_started") return;
    send({
      type: "warning",
      update: event.update,
      code: "storage_volatile",
      message: "This browser stores no files for this page, so the run is lost when the page closes.",
      hint: "Download checkpoints while it trains. To have runs stored, allow site data for this address, or use a window that is not private.",
    });
  };
  return trainingHost({
    store,
    locks: tabLocks(lockManager(), { tries: 10, everyMs: 250 }),
    emit,
    readHead,
    probe: () => probeGpu({ isSecureContext: scope.isSecureContext, gpu: navigator.gpu }),
    plan: async (config) => planMemory(config, await largestBinding()),
    supervise(runId, send, judgeHost) {
      const watch = watchStorage(() => navigator.storage.estimate(), send);
      return new Supervisor(runId, {
        store,
        clock: platformClock,
        loadInitial,
        train,
        build: (id, config, gpu, checkpoint, onPrepare) =>
          buildRun(id, config, gpu, checkpoint, onPrepare, judgeHost),
        keepTraces: KEPT_TRACES,
        requestGpu: async () => navigator.gpu,
        emit(event) {
          send(event);
          warnVolatile(event, send);
          if (opfs) void watch(event);
        },
      });
    },
  });
}

// A rejection that nobody handles would leave the page waiting for ever; as an error it reaches the page.
scope.addEventListener("unhandledrejection", (event) => {
  setTimeout(() => {
    throw (event as PromiseRejectionEvent).reason;
  });
});

serve(scope, createHandlers());
