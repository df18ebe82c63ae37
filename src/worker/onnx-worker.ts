// The dedicated worker with ONNX Runtime: it plays policies, in WebAssembly on one thread or with WebGPU, and compares drawings by
// models of the person's.
import { serializeError } from "../core/errors.ts";
import { createMutex } from "../core/mutex.ts";
import { fetchBundled } from "./bundled-checkpoint.ts";
import { onnxHost } from "./onnx-host.ts";
import type { FromOnnxWorker, ToOnnxWorker } from "./onnx-protocol.ts";
import { openSession } from "./onnx-runtimes.ts";
import type { Port } from "./serve.ts";
import { similarityHost } from "./similarity-host.ts";

const scope = globalThis as unknown as Port;
const aborts = new Map<number, AbortController>();

const calls = createMutex();
const handlers = {
  ...onnxHost(
    { loadBundled: (name) => fetchBundled(name, "The policy", "Choose one of these."), openSession },
    calls,
  ),
  ...similarityHost(async (onnx) => (await openSession(onnx, "wasm")).session, calls),
};

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
