// The dedicated worker that plays policies with ONNX Runtime: in WebAssembly on one thread, or with WebGPU.
import { serializeError } from "../core/errors.ts";
import { fetchBundled } from "./bundled-checkpoint.ts";
import { onnxHost } from "./onnx-host.ts";
import type { FromOnnxWorker, ToOnnxWorker } from "./onnx-protocol.ts";
import { openSession } from "./onnx-runtimes.ts";
import type { Port } from "./serve.ts";

const scope = globalThis as unknown as Port;
const aborts = new Map<number, AbortController>();

const handlers = onnxHost({
  loadBundled: (name) => fetchBundled(name, "The policy", "Choose one of these."),
  openSession,
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
