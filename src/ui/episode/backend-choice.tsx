// Whether a policy plays on the CPU or on the GPU, where the browser has WebGPU.
import type { OnnxBackend } from "../../worker/onnx-protocol.ts";
import { Segmented } from "../components/controls.tsx";
import { useSession } from "../store/session-store.ts";
import type { BackendState } from "./use-backend.ts";

/** Names of the backends, for choices and facts. */
export const BACKENDS: Record<OnnxBackend, string> = { wasm: "CPU (WebAssembly)", webgpu: "GPU (WebGPU)" };

interface BackendChoiceProps extends BackendState {
  choose: (backend: OnnxBackend) => Promise<void>;
}

export function BackendChoice({ backend, opening, problem, choose }: BackendChoiceProps) {
  const probe = useSession((session) => session.probe);
  if (probe.state !== "ready" || !probe.gpu.available) return null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-dense">
        <span aria-hidden>Run on</span>
        <Segmented
          name="Run on"
          value={backend}
          choices={(["wasm", "webgpu"] as const).map((value) => ({ value, label: BACKENDS[value] }))}
          onChange={(value) => void choose(value)}
        />
      </div>
      <p className="text-caption text-muted" role="status">
        {opening
          ? "Loading the policy and ONNX Runtime for the GPU…"
          : backend === "wasm" &&
            "ONNX Runtime for the GPU is another 25.5 MiB, loaded when the GPU is first chosen."}
      </p>
      {problem && (
        <p role="alert" className="text-dense text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
