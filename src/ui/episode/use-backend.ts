// Where ONNX Runtime plays a policy. The GPU is tried as soon as it is chosen; what cannot run there stays on the CPU.
import { useRef, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import type { OnnxBackend } from "../../worker/onnx-protocol.ts";
import type { Playable } from "../session/onnx-player.ts";
import { wholeText } from "../settings/words.ts";

export interface BackendState {
  backend: OnnxBackend;
  /** While the runtime and the policy are loaded. */
  opening: boolean;
  /** Why the GPU was not taken; empty otherwise. */
  problem: string;
}

const CPU: BackendState = { backend: "wasm", opening: false, problem: "" };

/** The choice, and what came of it. */
export function useBackend(policy: Playable | null) {
  const [state, setState] = useState(CPU);
  const newest = useRef(0);

  async function choose(backend: OnnxBackend): Promise<void> {
    const choice = ++newest.current;
    if (backend === "wasm" || policy === null) return setState(CPU);
    setState({ backend, opening: true, problem: "" });
    const settled = await tryOn(backend, policy);
    if (choice === newest.current) setState(settled);
  }

  return { ...state, choose };
}

async function tryOn(backend: OnnxBackend, policy: Playable): Promise<BackendState> {
  try {
    await (await import("../session/onnx-player.ts")).openOn(backend, policy);
    return { backend, opening: false, problem: "" };
  } catch (error) {
    return { ...CPU, problem: wholeText(serializeError(error)) };
  }
}
