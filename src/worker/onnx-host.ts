// What the worker with ONNX Runtime does: it keeps at most one policy open and plays episodes with it, one at a time.
import { play } from "../agent/play.ts";
import { entryConfig, furtherEntries } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { CheckpointError, GpuError, PolicyError, StudioError } from "../core/errors.ts";
import { createMutex, type Mutex } from "../core/mutex.ts";
import type { Turn } from "../core/types.ts";
import { loadEnv } from "../envs/index.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { replaceExtensions } from "../extension/index.ts";
import { assertSize, readOnnxPolicy } from "../onnx/metadata.ts";
import type { OrtSession } from "../onnx/ort-policy.ts";
import { type CheckpointMeta, decodeCheckpoint } from "../persistence/checkpoint.ts";
import { continuing } from "../policy/scripted/continuing.ts";
import { exportOnnx, openOnnxPolicy } from "../run/onnx.ts";
import { loadExtension } from "../run/snippet.ts";
import { ruledBy } from "../run/task.ts";
import { readChosen } from "./chosen-file.ts";
import {
  type OnnxBackend,
  type OnnxPlay,
  type PlayRules,
  type PolicyCommands,
  type PolicySource,
  rulesOf,
  type SessionFacts,
} from "./onnx-protocol.ts";

interface OnnxHostDeps {
  /** Bytes of a checkpoint that ships with the studio. */
  loadBundled(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Opens a model in the runtime, which is loaded when it is first needed. */
  openSession(onnx: Uint8Array, backend: OnnxBackend): Promise<{ session: OrtSession; runtimeBytes: number }>;
}

/** While a call runs. */
export interface CallContext {
  signal: AbortSignal;
  onTurn(turn: Turn): void;
}

/** One function for each of some commands. */
export type HandlersOf<Commands extends Record<keyof Commands, [unknown, unknown]>> = {
  [C in keyof Commands]: (arg: Commands[C][0], context: CallContext) => Promise<Commands[C][1]>;
};

type Wanted = Pick<OnnxPlay, "policy" | "backend">;

interface OpenPolicy {
  name: string;
  /** Of the file that it was opened from; absent for a bundled policy. */
  key?: number;
  meta: CheckpointMeta;
  maxPositions: number;
  session: OrtSession;
  facts: Omit<SessionFacts, "msPerToken">;
  spent: { tokens: number; ms: number };
}

/** The handlers of the commands for policies. `calls` wait for each other, because the runtime must not be entered twice. */
export function onnxHost(
  { loadBundled, openSession }: OnnxHostDeps,
  calls: Mutex = createMutex(),
): HandlersOf<PolicyCommands> {
  let current: OpenPolicy | null = null;

  async function opened({ policy, backend = "wasm" }: Wanted): Promise<OpenPolicy> {
    if (current && isFrom(current, policy) && current.facts.backend === backend) return current;
    const fresh = await openPolicy(policy, backend, { loadBundled, openSession });
    // Only now: until the new one is known to work, the old one stays.
    await release();
    current = fresh;
    return fresh;
  }

  /** A session whose GPU is gone may fail to be released; it is of no use either way. */
  async function release(): Promise<void> {
    const last = current;
    current = null;
    await last?.session.release().catch(() => undefined);
  }

  return {
    open: (wanted) =>
      calls.run(async () => {
        const open = await opened(wanted);
        const { config } = openOnnxPolicy(open);
        const rules = rulesOf(entryConfig(config, entryOf(config, wanted.envName)));
        return { name: open.name, env: config.env, rules, facts: factsOf(open) };
      }),
    play: (arg, context) =>
      calls.run(async () => {
        context.signal.throwIfAborted();
        const open = await opened(arg);
        try {
          return { trajectory: await playEpisode(open, arg, context), facts: factsOf(open) };
        } catch (error) {
          if (open.facts.backend !== "webgpu" || !isOfRuntime(error)) throw error;
          await release();
          throw gpuStopped(error);
        }
      }),
    async export({ bytes, name }) {
      const onnx = exportOnnx(await decodeCheckpoint(new Uint8Array(bytes), name));
      return { bytes: onnx.buffer };
    },
  };
}

const isFrom = ({ name, key }: OpenPolicy, source: PolicySource): boolean =>
  "file" in source ? key === source.key : key === undefined && name === source.bundled;

async function openPolicy(
  source: PolicySource,
  backend: OnnxBackend,
  deps: OnnxHostDeps,
): Promise<OpenPolicy> {
  const started = performance.now();
  const { onnx, name } =
    "file" in source ? await readFile(source.file) : await bundledOnnx(source.bundled, deps);
  const described = readOnnxPolicy(onnx, name);
  const { session, runtimeBytes } = await deps.openSession(onnx, backend).catch((cause: unknown) => {
    if (cause instanceof StudioError) throw cause;
    if (backend === "webgpu") throw notOnGpu(name, cause);
    throw "file" in source ? damaged(name, cause) : cause;
  });
  const spent = { tokens: 0, ms: 0 };
  try {
    await computeOneToken({ ...described, session });
  } catch (error) {
    await session.release().catch(() => undefined);
    throw backend === "webgpu" && isOfRuntime(error) ? notOnGpu(name, error) : error;
  }
  const loadMs = performance.now() - started;
  const facts = { bytes: onnx.length, runtimeBytes, loadMs, backend };
  return { name, ...("file" in source && { key: source.key }), ...described, session, facts, spent };
}

async function readFile(file: File): Promise<{ onnx: Uint8Array; name: string }> {
  assertSize(file.size, file.name);
  return { onnx: await readChosen(file), name: file.name };
}

async function bundledOnnx(name: string, { loadBundled }: OnnxHostDeps) {
  return { onnx: exportOnnx(await decodeCheckpoint(await loadBundled(name), name)), name };
}

const damaged = (name: string, cause: unknown) =>
  new CheckpointError(
    "corrupt",
    `${name} is damaged: ONNX Runtime cannot open it.`,
    "Copy or download the file again, or export it again.",
    { cause },
  );

const notOnGpu = (name: string, cause: unknown) =>
  new GpuError(
    "validation",
    `${name} cannot be played on this GPU: ONNX Runtime could not compute a token with WebGPU.`,
    "Play on the CPU.",
    { cause },
  );

/** Whether the runtime failed, and not the policy or the person's choice. */
const isOfRuntime = (error: unknown): boolean => error instanceof PolicyError && error.cause !== undefined;

const gpuStopped = (cause: unknown) =>
  new GpuError(
    "device_lost",
    "The GPU stopped while the policy played.",
    "Let the policy play again, or play on the CPU.",
    { cause },
  );

/** Proves that a session computes what its description says. */
async function computeOneToken(model: Pick<OpenPolicy, "meta" | "maxPositions" | "session">): Promise<void> {
  const { policy, task } = openOnnxPolicy(model);
  policy.begin(1);
  const promptIds = Int32Array.of(task.vocabulary.bos);
  const sampling = { temperature: 0, topP: 1, topK: 0, maxTokens: 1, seed: 0 };
  await policy.generate([{ slot: 0, promptIds, images: [], rngKey: 0 }], sampling);
}

/** The text of the houses that are loaded here. */
let housesInUse = "";

async function takeHouses(houses: ExtensionSource): Promise<void> {
  if (houses.source === housesInUse) return;
  replaceExtensions([await loadExtension(houses)]);
  housesInUse = houses.source;
}

async function playEpisode(open: OpenPolicy, arg: OnnxPlay, { signal, onTurn }: CallContext) {
  const { seed, rngKey, replies = [] } = arg;
  let entry: string | undefined;
  const {
    config,
    task: whole,
    policy,
  } = openOnnxPolicy(open, (stored) => {
    // A recording is of an environment of its own run.
    entry = arg.entry ?? entryOf(stored, arg.envName);
    return arg.config ?? retasked(stored, entry, arg);
  });
  const own = entry === undefined ? whole : whole.others!.get(entry)!;
  const task = arg.rules ? ruledBy(own, withRules(entryConfig(config, entry), arg.rules)) : own;
  await loadEnv(task.spec.id);
  if (arg.houses) await takeHouses(arg.houses);
  const { temperature, top_p: topP, top_k: topK, response_length: maxTokens } = config.rollout;
  const sampling = { temperature: arg.temperature ?? temperature, topP, topK, maxTokens, seed: 0 };
  const [trajectory] = await play({
    task,
    policy: continuing(policy, replies),
    episodes: [{ id: `onnx-${seed}`, groupId: `onnx-${seed}`, seed, rngKey }],
    sampling,
    onTurn,
    signal,
  });
  open.spent.tokens += policy.spent.tokens;
  open.spent.ms += policy.spent.ms;
  return trajectory;
}

/** The name of a further environment of a run; undefined for the first one. */
const entryOf = (stored: RunConfig, envName: string | undefined): string | undefined =>
  stored.env.name === envName
    ? undefined
    : furtherEntries(stored).find(({ config }) => config.env.name === envName)?.name;

/** The policy's own run with other options of an environment, and with the rewards of another run. */
function retasked(
  stored: RunConfig,
  entry: string | undefined,
  { envConfig, reward = stored.reward }: OnnxPlay,
): RunConfig {
  if (envConfig === undefined) return { ...stored, reward };
  const options = { config: envConfig as RunConfig["env"]["config"] };
  if (entry === undefined) return { ...stored, reward, env: { ...stored.env, ...options } };
  const further = { ...stored.envs, [entry]: { ...stored.envs[entry]!, ...options } };
  return { ...stored, reward, envs: further };
}

/** A policy has no words for more turns than its own run has, and no positions. */
const withRules = ({ rollout, ...config }: RunConfig, { judge, turns }: PlayRules): RunConfig => ({
  ...config,
  rollout: { ...rollout, max_turns: Math.min(turns, rollout.max_turns) },
  judge: { ...config.judge, name: judge.name },
  reward: { ...config.reward, judge_scoring: judge.scoring, rubric_tolerance: judge.tolerance },
});

const factsOf = ({ facts, spent: { tokens, ms } }: OpenPolicy): SessionFacts => ({
  ...facts,
  msPerToken: tokens > 0 ? ms / tokens : 0,
});
