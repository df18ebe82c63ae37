// The builds of ONNX Runtime that the worker uses. Each is loaded, with its WebAssembly, when it is first needed; both can be
// loaded at the same time, because each keeps its own state.
import type { Env, InferenceSession } from "onnxruntime-common";
import gpuWasm from "onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url";
import cpuWasm from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import { GpuError, ProtocolError } from "../core/errors.ts";
import type { OnnxBackend } from "./onnx-protocol.ts";

interface Build {
  wasmUrl: string;
  load(): Promise<{ env: Env; InferenceSession: typeof InferenceSession }>;
}

const builds: Record<OnnxBackend, Build> = {
  wasm: { wasmUrl: cpuWasm, load: () => import("onnxruntime-web/wasm") },
  webgpu: { wasmUrl: gpuWasm, load: () => import("onnxruntime-web/webgpu") },
};

/** The runtime logs what is at least this severe. */
const ERRORS = 3;

type Runtime = Awaited<ReturnType<Build["load"]>> & { bytes: number };
const loaded = new Map<OnnxBackend, Promise<Runtime>>();

/**
 * Opens a model. `runtimeBytes` is the size of the WebAssembly.
 * @throws GpuError("no_adapter") without WebGPU; ProtocolError if the runtime cannot be fetched; what the runtime throws otherwise.
 */
export async function openSession(
  onnx: Uint8Array,
  backend: OnnxBackend,
): Promise<{ session: InferenceSession; runtimeBytes: number }> {
  // The runtime would notice only after its download, and then never try again.
  if (backend === "webgpu") await assertAdapter();
  const runtime = await runtimeOf(backend);
  // Warnings would go to the console as errors, such as that shapes are computed on the CPU.
  const options = { executionProviders: [backend], logSeverityLevel: ERRORS } as const;
  const session = await runtime.InferenceSession.create(onnx, options);
  return { session, runtimeBytes: runtime.bytes };
}

async function assertAdapter(): Promise<void> {
  const { gpu } = navigator as { gpu?: GPU };
  if (await gpu?.requestAdapter()) return;
  throw new GpuError(
    "no_adapter",
    "This browser offers no GPU to the page at the moment.",
    "Play on the CPU, which needs no WebGPU.",
  );
}

/** A load that failed is tried again by the next call. */
function runtimeOf(backend: OnnxBackend): Promise<Runtime> {
  const present = loaded.get(backend);
  if (present) return present;
  const runtime = loadRuntime(builds[backend]);
  loaded.set(backend, runtime);
  runtime.catch(() => loaded.delete(backend));
  return runtime;
}

async function loadRuntime({ wasmUrl, load }: Build): Promise<Runtime> {
  const [ort, wasm] = await Promise.all([load(), fetchWasm(wasmUrl)]).catch((cause: unknown) => {
    throw new ProtocolError(
      "worker_died",
      "ONNX Runtime could not be loaded.",
      "Check the network connection, and try again.",
      { cause },
    );
  });
  // More threads would need a page that is isolated from other origins.
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasm;
  return { env: ort.env, InferenceSession: ort.InferenceSession, bytes: wasm.byteLength };
}

async function fetchWasm(url: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(url, globalThis.location.href));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}
