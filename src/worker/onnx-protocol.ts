// What the page and the worker with ONNX Runtime say to each other.
import type { RunConfig } from "../config/run-config.ts";
import type { SerializedError } from "../core/errors.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import type { ExtensionSource } from "../extension/api.ts";

/** A policy that ships with the studio, or a file that the person chose; `key` tells two choices apart. */
export type PolicySource = { bundled: string } | { file: File; key: number };

/** Where ONNX Runtime computes: in WebAssembly on the processor, or on the GPU. */
export type OnnxBackend = "wasm" | "webgpu";

/** The replies of a recorded episode's first turns. */
export type RecordedReplies = readonly { ids: Int32Array; logprobs: Float32Array }[];

/** One episode to play. */
export interface OnnxPlay {
  policy: PolicySource;
  /** Absent: WebAssembly. */
  backend?: OnnxBackend;
  /** The level. */
  seed: number;
  /** Absent: the task's own. */
  temperature?: number;
  /** Decides the draws, together with positions. */
  rngKey: number;
  /** Other options of the policy's environment; absent: its own. */
  envConfig?: unknown;
  /** The task of a recording; absent: the policy's own. */
  config?: RunConfig;
  /** Houses of ProcTHOR, for a task in them. */
  houses?: ExtensionSource;
  /** Turns that are given as they were. */
  replies?: RecordedReplies;
}

/** The session that is open. */
export interface SessionFacts {
  /** Of the ONNX model. */
  bytes: number;
  /** Of the runtime's WebAssembly, as it is in memory. */
  runtimeBytes: number;
  /** From the request until the first token could be computed: runtime, checkpoint, export, session. */
  loadMs: number;
  backend: OnnxBackend;
  /** Mean over all tokens sampled so far, their prompts included. */
  msPerToken: number;
}

/** name → [argument, result]. */
export interface OnnxCommands {
  /** Opens a policy in place of the one that is open, which stays open if this fails. */
  open: [Pick<OnnxPlay, "policy" | "backend">, { name: string; env: RunConfig["env"]; facts: SessionFacts }];
  play: [OnnxPlay, { trajectory: Trajectory; facts: SessionFacts }];
  /** Turns the bytes of a checkpoint file into those of an `.onnx` file. */
  export: [{ bytes: ArrayBuffer; name: string }, { bytes: ArrayBuffer }];
}
export type OnnxCommand = keyof OnnxCommands;

export type ToOnnxWorker =
  | { kind: "call"; id: number; command: OnnxCommand; arg: OnnxCommands[OnnxCommand][0] }
  | { kind: "abort"; id: number };
export type FromOnnxWorker =
  | { kind: "turn"; id: number; turn: Turn }
  | { kind: "return"; id: number; value: unknown }
  | { kind: "throw"; id: number; error: SerializedError };
