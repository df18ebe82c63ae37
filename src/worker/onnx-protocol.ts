// What the page and the worker with ONNX Runtime say to each other.
import type { RunConfig } from "../config/run-config.ts";
import type { SerializedError } from "../core/errors.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { similarityKinds } from "../onnx/similarity-kinds.ts";

/** A policy that ships with the studio, or a file that the person chose; `key` tells two choices apart. */
export type PolicySource = { bundled: string } | { file: File; key: number };

/** Where ONNX Runtime computes: in WebAssembly on the processor, or on the GPU. */
export type OnnxBackend = "wasm" | "webgpu";

/** The replies of a recorded episode's first turns. */
export type RecordedReplies = readonly { ids: Int32Array; logprobs: Float32Array }[];

/** Who judges what a policy says, and how many turns it has at most. */
export interface PlayRules {
  /** `judge.name`, with `reward.judge_scoring` and `reward.rubric_tolerance`. A judge that needs files or a network is replaced by that by rule. */
  judge: {
    name: RunConfig["judge"]["name"];
    scoring: RunConfig["reward"]["judge_scoring"];
    tolerance: number;
  };
  turns: number;
}

/** The rules of a run's configuration. */
export const rulesOf = ({
  judge,
  reward,
  rollout,
}: Pick<RunConfig, "judge" | "reward" | "rollout">): PlayRules => ({
  judge: { name: judge.name, scoring: reward.judge_scoring, tolerance: reward.rubric_tolerance },
  turns: rollout.max_turns,
});

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
  /** The environment of the policy that the level belongs to; absent: the first. */
  envName?: string;
  /** Other options of that environment; absent: its own. */
  envConfig?: unknown;
  /** Weights of what turns are paid, as in another run; absent: the policy's own. */
  reward?: RunConfig["reward"];
  /** Absent: the policy's own. It cannot play more turns than it was trained for. */
  rules?: PlayRules;
  /** The task of a recording; absent: the policy's own. */
  config?: RunConfig;
  /** The environment of the task by its name in `envs`; absent: the first. */
  entry?: string;
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

/** A model of the person's that compares drawings. */
export interface SimilarityModel {
  /** One of `similarityTitles`. */
  kind: string;
  file: File;
  /** Tells two choices of a file apart. */
  key: number;
}

/** The kinds of models that compare drawings, with their names for people. */
export const similarityTitles: readonly { id: string; title: string }[] = similarityKinds.all;

/** A drawing to compare with its icon, both as SVG code. */
export interface ComparedDrawing {
  icon: string;
  drawing: string;
}

/** What is known of a policy that is open. */
interface OpenedPolicyFacts {
  name: string;
  /** The first one of its run. */
  env: RunConfig["env"];
  /** Of its own run, in the environment that was asked for. */
  rules: PlayRules;
  facts: SessionFacts;
}

/** name → [argument, result]. */
export interface PolicyCommands {
  /** Opens a policy in place of the one that is open, which stays open if this fails. */
  open: [Pick<OnnxPlay, "policy" | "backend" | "envName">, OpenedPolicyFacts];
  play: [OnnxPlay, { trajectory: Trajectory; facts: SessionFacts }];
  /** Turns the bytes of a checkpoint file into those of an `.onnx` file. */
  export: [{ bytes: ArrayBuffer; name: string }, { bytes: ArrayBuffer }];
}

/** The same for models that compare drawings. */
export interface SimilarityCommands {
  /** Opens a model in place of the one of its kind. A later comparison opens the earlier one again, should this fail. */
  openSimilarity: [SimilarityModel, null];
  /** Closes the model of a kind, if one is open. */
  closeSimilarity: [string, null];
  /** How similar a drawing and its icon look to a model, between 0 and 1. The model is opened if it is not open. */
  similarity: [ComparedDrawing & { model: SimilarityModel }, number];
}

export type OnnxCommands = PolicyCommands & SimilarityCommands;
export type OnnxCommand = keyof OnnxCommands;

export type ToOnnxWorker =
  | { kind: "call"; id: number; command: OnnxCommand; arg: OnnxCommands[OnnxCommand][0] }
  | { kind: "abort"; id: number };
export type FromOnnxWorker =
  | { kind: "turn"; id: number; turn: Turn }
  | { kind: "return"; id: number; value: unknown }
  | { kind: "throw"; id: number; error: SerializedError };
