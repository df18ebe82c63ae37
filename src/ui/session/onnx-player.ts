// Plays policies in this page with ONNX Runtime, which needs no WebGPU, in a worker of its own. Loaded when it is first used.
import type { RunConfig } from "../../config/run-config.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { Trajectory, Turn } from "../../core/types.ts";
import type { Replay } from "../../replay/replay.ts";
import { createOnnxClient } from "../../worker/onnx-client.ts";
import type {
  OnnxBackend,
  OnnxPlay,
  PlayRules,
  PolicySource,
  RecordedReplies,
  SessionFacts,
} from "../../worker/onnx-protocol.ts";
import { saveFile } from "../lib/save-file.ts";
import { activeHouses } from "../store/extension-store.ts";

interface TryAgainOptions {
  replay: Replay;
  /** The first turn that is played again. */
  turn: number;
  tries: number;
  signal?: AbortSignal;
  /** What came of each try. */
  onTry?(success: boolean): void;
}

/** Ids and log-probabilities of the replies before `turn`. */
function repliesOf({ tokens }: Trajectory, turn: number): RecordedReplies {
  const { ids, responseMask, turnIndex, rolloutLogprobs } = tokens;
  return Array.from({ length: turn }, (_, index) => {
    const isOwn = (_: unknown, t: number) => responseMask[t] === 1 && turnIndex[t] === index;
    return { ids: ids.filter(isOwn), logprobs: rolloutLogprobs.filter(isOwn) };
  });
}

/** An ONNX file that was opened. */
export interface OpenedPolicy {
  name: string;
  source: PolicySource;
  /** The environment that it was trained for. */
  env: { name: string };
}

/** The name of a bundled policy, or an opened file. */
export type Playable = string | OpenedPolicy;

interface PlayLevelOptions {
  checkpoint: Playable;
  /** Absent: WebAssembly. */
  backend?: OnnxBackend;
  seed: number;
  /** The environment of the level; absent: the first one of the policy. */
  envName?: string;
  /** Options of the environment; absent: those that the policy was trained with. */
  envConfig?: unknown;
  /** What turns are paid; absent: what the policy's own training paid. */
  reward?: RunConfig["reward"];
  /** Who judges its words, and how many turns it has; absent: as in its own training. */
  rules?: PlayRules;
  /** Absent: that of its rollouts. */
  temperature?: number;
  signal?: AbortSignal;
  onTurn?(turn: Turn): void;
}

const sourceOf = (checkpoint: Playable): PolicySource =>
  typeof checkpoint === "string" ? { bundled: checkpoint } : checkpoint.source;

/** The functions of this file over another client; the page uses those below. */
export function createOnnxPlayer(call: ReturnType<typeof createOnnxClient>["call"]) {
  let facts: SessionFacts | null = null;
  let chosen = 0;

  async function play(
    episode: OnnxPlay,
    options: Pick<PlayLevelOptions, "signal" | "onTurn">,
  ): Promise<Trajectory> {
    const houses = activeHouses();
    const played = await call("play", { ...episode, ...(houses && { houses }) }, options);
    facts = played.facts;
    return played.trajectory;
  }

  return {
    /** Size and speed of the policy that played last, or of the file opened since; null before. */
    sessionFacts: (): SessionFacts | null => facts,

    /**
     * Plays on from the state before `turn` of a recording, several times, at its temperature and with other draws.
     * @throws CheckpointError if the recording's policy does not ship with the studio; the signal's reason when aborted.
     */
    async tryAgain({ replay, turn, tries, signal, onTry }: TryAgainOptions): Promise<void> {
      const { config, trajectory } = replay;
      const { checkpoint, temperature } = replay.provenance;
      if (checkpoint === undefined)
        throw new CheckpointError(
          "not_found",
          "The policy of this recording does not ship with the studio.",
          "Take over yourself, or choose another recording.",
        );
      const replies = repliesOf(trajectory, turn);
      const episode = {
        policy: { bundled: checkpoint },
        seed: trajectory.seed,
        temperature,
        config,
        replies,
        ...(trajectory.entry !== undefined && { entry: trajectory.entry }),
      };
      for (let rngKey = 1; rngKey <= tries; rngKey++) {
        const { success } = await play({ ...episode, rngKey }, { ...(signal && { signal }) });
        onTry?.(success);
      }
    },

    /**
     * Plays one level from its beginning.
     * @throws CheckpointError if the level needs another model than the policy's; the signal's reason when aborted.
     */
    playLevel({
      checkpoint,
      backend = "wasm",
      signal,
      onTurn,
      ...episode
    }: PlayLevelOptions): Promise<Trajectory> {
      const calls = { ...(signal && { signal }), ...(onTurn && { onTurn }) };
      return play({ policy: sourceOf(checkpoint), backend, rngKey: 0, ...episode }, calls);
    },

    /**
     * Opens a policy to play in an environment. @returns the judge and the turns of its own run there
     * @throws as `playLevel` does
     */
    async ownRules({
      checkpoint,
      backend = "wasm",
      envName,
      signal,
    }: Pick<PlayLevelOptions, "checkpoint" | "backend" | "envName" | "signal">): Promise<PlayRules> {
      const wanted = { policy: sourceOf(checkpoint), backend, ...(envName !== undefined && { envName }) };
      return (await call("open", wanted, { ...(signal && { signal }) })).rules;
    },

    /** Opens a policy on another backend. @throws GpuError if WebGPU cannot compute it; what was open stays open. */
    async openOn(backend: OnnxBackend, checkpoint: Playable): Promise<void> {
      await call("open", { policy: sourceOf(checkpoint), backend });
    },

    /** Opens an ONNX file. @throws CheckpointError for a foreign, damaged or too large file; what was open stays open. */
    async openOnnxFile(file: File, backend: OnnxBackend = "wasm"): Promise<OpenedPolicy> {
      const source = { file, key: ++chosen };
      const opened = await call("open", { policy: source, backend });
      facts = opened.facts;
      return { name: opened.name, source, env: opened.env };
    },

    /** Downloads the policy of a checkpoint file as an ONNX file. @throws CheckpointError if the graph does not cover it. */
    async saveAsOnnx({ name, bytes }: { name: string; bytes: ArrayBuffer }): Promise<void> {
      const exported = await call("export", { name, bytes });
      saveFile(name.replace(/(\.safetensors)?$/, ".onnx"), new Blob([exported.bytes]));
    },
  };
}

export const { openOn, openOnnxFile, ownRules, playLevel, saveAsOnnx, sessionFacts, tryAgain } =
  createOnnxPlayer(createOnnxClient().call);
