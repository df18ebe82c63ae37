// The dedicated worker that owns the GPU and trains.
import { chosenFile, INIT_CHECKPOINT } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { platformClock } from "../core/clock.ts";
import { CheckpointError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import { createMutex } from "../core/mutex.ts";
import { endThreads, provideThreads } from "../envs/threads.ts";
import { GpuKeeper } from "../gpu/gpu-keeper.ts";
import { TileChoices } from "../gpu/tile-choice.ts";
import { type CheckpointMeta, decodeMeta } from "../persistence/checkpoint.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { opfsFiles } from "../persistence/opfs-files.ts";
import { headBytes } from "../persistence/safetensors.ts";
import { openStore } from "../persistence/store.ts";
import { buildRun } from "../run/build-run.ts";
import { planMemory } from "../run/memory-plan.ts";
import { Supervisor } from "../supervision/supervisor.ts";
import { train } from "../training/trainer.ts";
import { AdapterLimit } from "./adapter-limit.ts";
import { fetchBundled } from "./bundled-checkpoint.ts";
import { trainingHost } from "./commands.ts";
import { workerThreads } from "./env-threads.ts";
import { openSession } from "./onnx-runtimes.ts";
import { pageModels } from "./page-models.ts";
import { probeGpu } from "./probe.ts";
import { KEPT_TRACES } from "./protocol.ts";
import { tabLocks } from "./run-lock.ts";
import { confine } from "./seal.ts";
import { eventSender, type Handlers, type Port, reportLoads, serve } from "./serve.ts";
import { storageNotice } from "./storage-notice.ts";
import { textFile } from "./text-file.ts";

const scope = globalThis as unknown as Port & WorkerGlobalScope;
const emit = eventSender(scope);

/** A folder of the page's own. Null if this browser stores no files; a run then lasts as long as the page. */
async function openOpfs(folder: "runs" | "device"): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(folder, { create: true });
  } catch {
    return null;
  }
}

/** Undefined if there is none. If site data is blocked, reading the property may throw. */
function lockManager(): LockManager | undefined {
  try {
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** Reads a checkpoint that ships with the studio, or a file that the page passed as a blob URL. */
async function loadInitial(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const chosen = chosenFile(name);
  if (chosen) return loadChosen(chosen);
  return fetchBundled(
    name,
    setting(INIT_CHECKPOINT),
    "Or choose a file under “Start from”, or leave it empty to start from random weights.",
  );
}

/** A chosen file is readable until the page is reloaded. */
async function loadChosen(chosen: { url: string; name: string }): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await openChosen(chosen)).arrayBuffer());
}

async function openChosen({ url, name }: { url: string; name: string }): Promise<Response> {
  const response = await fetch(url).catch(() => null);
  if (response?.ok) return response;
  throw new CheckpointError(
    "not_found",
    message`${setting(INIT_CHECKPOINT)}: the file ${name} can no longer be read, because the page was reloaded or the file has changed since it was chosen.`,
    "Choose it again under “Start from”.",
  );
}

/** Reads only the header of a chosen file, which may be large. */
async function readHead(choice: string): Promise<{ head: Uint8Array; fileBytes: number }> {
  const chosen = chosenFile(choice);
  if (!chosen) throw new CheckpointError("not_found", `${choice} is not a chosen file.`);
  const blob = await (await openChosen(chosen)).blob();
  const first = async (bytes: number) => new Uint8Array(await blob.slice(0, bytes).arrayBuffer());
  return { head: await first(headBytes(await first(8))), fileBytes: blob.size };
}

/** The metadata of the chosen file that a run starts from; undefined if it starts from something else. */
async function chosenMeta({ trainer }: RunConfig): Promise<CheckpointMeta | undefined> {
  const choice = trainer.init_checkpoint;
  const chosen = chosenFile(choice);
  if (!chosen) return undefined;
  // The file of a run from storage may be gone; the start says so, and the size of the run is known without it.
  const read = await readHead(choice).catch(() => undefined);
  return read && decodeMeta(read.head, chosen.name, read.fileBytes);
}

async function createHandlers(): Promise<Handlers> {
  const opfs = await openOpfs("runs");
  const store = openStore(opfs ? opfsFiles(opfs) : memoryFiles());
  const device = await openOpfs("device");
  const { storage } = navigator;
  const tiles = new TileChoices(device && textFile(opfsFiles(device), "tiles.json"));
  const gpus = new GpuKeeper();
  const limit = new AdapterLimit(navigator.gpu);
  // A run that was stopped while it was built holds its memory until that build gives up.
  const builds = createMutex();
  return trainingHost({
    store,
    locks: tabLocks(lockManager(), { tries: 20, everyMs: 250 }),
    readHead,
    confine,
    probe: () => probeGpu({ isSecureContext: scope.isSecureContext, gpu: navigator.gpu }),
    plan: async (config) => planMemory(config, await limit.bytes(), await chosenMeta(config)),
    supervise(runId, judgeHost, files) {
      const { models, take } = pageModels(files, async (onnx) => (await openSession(onnx, "wasm")).session);
      const supervisor = new Supervisor(runId, {
        store,
        clock: platformClock,
        loadInitial,
        train,
        build: ({ config, gpu, checkpoint, onPrepare }) =>
          builds.run(() =>
            buildRun(runId, config, gpu, checkpoint, { onPrepare, judgeHost, models, tiles, gpus }),
          ),
        keepTraces: KEPT_TRACES,
        requestGpu: async () => navigator.gpu,
        emit(event) {
          if (event.type === "device_lost") limit.forget();
          emit(runId, event);
        },
        storageNotice: () => storageNotice(opfs ? () => storage.estimate() : undefined),
      });
      void supervisor.done.then(() => {
        models.release();
        endThreads();
      });
      return Object.assign(supervisor, { takeModel: take });
    },
  });
}

// An unhandled rejection would leave the page waiting forever; thrown as an error, it reaches the page.
scope.addEventListener("unhandledrejection", (event) => {
  setTimeout(() => {
    throw (event as PromiseRejectionEvent).reason;
  });
});

reportLoads(scope);
provideThreads(workerThreads());
serve(scope, createHandlers());
