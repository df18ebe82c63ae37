// The dedicated worker that plays policies without WebGPU: ONNX Runtime's WebAssembly, on one thread.

import wasmUrl from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import { env, InferenceSession } from "onnxruntime-web/wasm";
import { ProtocolError, serializeError } from "../core/errors.ts";
import { fetchBundled } from "./bundled-checkpoint.ts";
import { onnxHost } from "./onnx-host.ts";
import type { FromOnnxWorker, ToOnnxWorker } from "./onnx-protocol.ts";
import type { Port } from "./serve.ts";

const scope = globalThis as unknown as Port;
const aborts = new Map<number, AbortController>();

/** The runtime's WebAssembly, fetched once: more threads would need a page that is isolated from other origins. */
let runtime: Promise<ArrayBuffer> | null = null;

function loadRuntime(): Promise<ArrayBuffer> {
  runtime ??= fetchRuntime().catch((error: unknown) => {
    runtime = null;
    throw error;
  });
  return runtime;
}

async function fetchRuntime(): Promise<ArrayBuffer> {
  const response = await fetch(new URL(wasmUrl, globalThis.location.href)).catch(() => null);
  if (!response?.ok)
    throw new ProtocolError(
      "worker_died",
      "ONNX Runtime could not be loaded.",
      "Check the network connection, and try again.",
    );
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = await response.arrayBuffer();
  return env.wasm.wasmBinary;
}

const handlers = onnxHost({
  loadBundled: (name) => fetchBundled(name, "The policy", "Choose one of these."),
  async openSession(onnx) {
    const { byteLength: runtimeBytes } = await loadRuntime();
    return { session: await InferenceSession.create(onnx, { executionProviders: ["wasm"] }), runtimeBytes };
  },
});

scope.addEventListener("message", (event) => {
  const message = (event as MessageEvent<ToOnnxWorker>).data;
  if (message.kind === "abort") aborts.get(message.id)?.abort();
  else void answer(message);
});

async function answer({ id, command, arg }: Extract<ToOnnxWorker, { kind: "call" }>): Promise<void> {
  const post = (message: FromOnnxWorker) => scope.postMessage(message, []);
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const context = { signal: abort.signal, onTurn: (turn: never) => post({ kind: "turn", id, turn }) };
    const value = await handlers[command](arg as never, context);
    post({ kind: "return", id, value });
  } catch (error) {
    post({ kind: "throw", id, error: serializeError(error) });
  } finally {
    aborts.delete(id);
  }
}
