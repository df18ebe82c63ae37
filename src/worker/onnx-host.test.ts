// The worker's commands on onnxruntime-node, which has the same interface as the page's runtime.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { eachAlone } from "../config/entries.ts";
import { getPreset } from "../config/presets.ts";
import { ProtocolError } from "../core/errors.ts";
import { boardOf } from "../core/scene.ts";
import type { Turn } from "../core/types.ts";
import { MAX_ONNX_BYTES } from "../onnx/metadata.ts";
import type { OrtSession } from "../onnx/ort-policy.ts";
import { openSession } from "../onnx/testing.ts";
import { decodeReplay } from "../replay/codec.ts";
import { type CallContext, onnxHost } from "./onnx-host.ts";
import type { OnnxBackend, OnnxPlay, PlayRules } from "./onnx-protocol.ts";

const folder = join(import.meta.dirname, "../../public/checkpoints");
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(folder, `${name}.safetensors`)));

/** Sessions that are open, and how often one was opened. */
let open: Set<OrtSession>;
let created: number;
/** Stands in for a GPU that fails: when the session is opened, or in a later run. */
let gpu: { opens: boolean; runs: boolean };
const backends: OnnxBackend[] = [];
let host: ReturnType<typeof onnxHost>;
beforeEach(() => {
  open = new Set();
  created = 0;
  gpu = { opens: true, runs: true };
  backends.length = 0;
  host = onnxHost({
    loadBundled: async (name) => bytesOf(name),
    async openSession(onnx, backend) {
      if (backend === "webgpu" && !gpu.opens) throw new Error("no device");
      const session = await openSession(onnx);
      created++;
      open.add(session);
      const release = async () => {
        open.delete(session);
        await session.release();
      };
      backends.push(backend);
      const run = (async (...args: Parameters<OrtSession["run"]>) => {
        if (backend === "webgpu" && !gpu.runs) throw new Error("device lost");
        return session.run(...args);
      }) as OrtSession["run"];
      return { session: { inputNames: session.inputNames, run, release }, runtimeBytes: 7 };
    },
  });
});

const context = (parts: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  onTurn: () => undefined,
  ...parts,
});
const NANO = { bundled: "frozenlake-nano-trained" };
const episode = (parts: Partial<OnnxPlay> = {}): OnnxPlay => ({
  policy: NANO,
  seed: 10_001,
  temperature: 0,
  rngKey: 1,
  ...parts,
});

const exported = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
  const { bytes } = await host.export({ bytes: bytesOf(name).buffer, name }, context());
  return new Uint8Array(bytes);
};
const fileOf = (bytes: BlobPart, name = "mine.onnx") => new File([bytes], name);

describe("playing", () => {
  it("plays an episode turn by turn in one session, and measures it", async () => {
    const turns: Turn[] = [];
    const first = await host.play(episode(), context({ onTurn: (turn) => turns.push(turn) }));
    expect(turns).toEqual(first.trajectory.turns);
    expect(turns.length).toBeGreaterThan(0);
    const second = await host.play(episode(), context());
    expect(second.trajectory).toEqual(first.trajectory);
    expect(created).toBe(1);
    expect(second.facts.msPerToken).toBeGreaterThan(0);
    expect(second.facts.bytes).toBe((await exported(NANO.bundled)).length);
    expect(second.facts.runtimeBytes).toBe(7);
  });

  it("answers calls one after another", async () => {
    const results = await Promise.all([1, 2, 3].map((seed) => host.play(episode({ seed }), context())));
    expect(results.map(({ trajectory }) => trajectory.seed)).toEqual([1, 2, 3]);
    expect(created).toBe(1);
  });

  it("ends when it is aborted, and plays the next episode", async () => {
    const abort = new AbortController();
    const call = host.play(episode(), context({ signal: abort.signal, onTurn: () => abort.abort() }));
    await expect(call).rejects.toThrow(/abort/i);
    const { trajectory } = await host.play(episode(), context());
    expect(trajectory.turns.length).toBeGreaterThan(0);
  });

  it("plays a level with other options, and refuses a board of another size", async () => {
    const { trajectory } = await host.play(episode({ envConfig: { size: 4, p: 0.95 } }), context());
    expect(boardOf(trajectory.turns[0].before).rows).toBe(4);
    const large = host.play(episode({ envConfig: { size: 5 } }), context());
    await expect(large).rejects.toThrow(/holds another model: vision\.rows is 4/);
  });
});

describe("a run's level", () => {
  it("is paid as the run pays it", async () => {
    const { config } = getPreset("frozenlake-nano");
    const paid = async (weight: number) => {
      const reward = {
        ...config.reward,
        use_state_reward: true,
        scale_by_turns: false,
        grounding_reward_weight: weight,
      };
      const { trajectory } = await host.play(episode({ reward }), context());
      return trajectory.turns.map(({ rewards, verdicts }) => [
        rewards.state_estimation,
        verdicts.observation!.score,
      ]);
    };
    const turns = await paid(2);
    expect(turns.length).toBeGreaterThan(0);
    for (const [earned, score] of turns) expect(earned).toBeCloseTo(2 * score!);
    expect((await paid(0)).every(([earned]) => earned === undefined)).toBe(true);
  });

  it("is judged and ended as the rules say, for as many turns as the policy has words for", async () => {
    const { rules: own } = await host.open({ policy: NANO }, context());
    const reward = { ...getPreset("frozenlake-nano").config.reward, use_state_reward: true };
    const seed = await longLevel();
    const played = async (rules: Partial<PlayRules>) => {
      const arg = episode({ seed, reward, rules: { ...own, ...rules } });
      return (await host.play(arg, context())).trajectory;
    };
    const byJudge = async (judge: Partial<PlayRules["judge"]>) => {
      const { turns } = await played({ judge: { ...own.judge, ...judge } });
      return turns.map(({ verdicts }) => verdicts.observation!.judge);
    };
    expect(await byJudge({ name: "off" })).toContain("off");
    expect(new Set(await byJudge({ name: "rule" }))).toEqual(new Set(["rule"]));
    // Without a network, the rule judges in the place of a model.
    expect(await byJudge({ name: "llm", scoring: "rubric" })).not.toContain("off");
    const short = await played({ turns: 2 });
    expect([short.turns.length, short.truncated, short.success]).toEqual([2, true, false]);
    expect((await played({ turns: 99 })).turns).toEqual((await played({})).turns);
  });

  it("tells the rules of each environment of a policy", async () => {
    const policy = { bundled: "three-tasks-small-trained" };
    const turns = async (envName: string) => (await host.open({ policy, envName }, context())).rules.turns;
    const run = getPreset("three-tasks-small").config;
    for (const { env, rollout } of eachAlone(run)) expect(await turns(env.name)).toBe(rollout.max_turns);
  });

  it("can be of each environment of a policy", async () => {
    const run = getPreset("three-tasks-small").config;
    for (const { env } of eachAlone(run)) {
      const of = {
        policy: { bundled: "three-tasks-small-trained" },
        envName: env.name,
        envConfig: env.config,
      };
      const { trajectory } = await host.play(episode(of), context());
      expect(trajectory.envId).toBe(env.name);
      expect(trajectory.turns[0]!.parsed.formatOk).toBe(true);
    }
  });
});

describe("another backend", () => {
  const onGpu = (parts: Partial<OnnxPlay> = {}) => episode({ backend: "webgpu", ...parts });

  it("opens the policy once on each, in place of the other", async () => {
    const cpu = await host.play(episode(), context());
    expect(cpu.facts.backend).toBe("wasm");
    const opened = await host.open({ policy: NANO, backend: "webgpu" }, context());
    expect(opened.facts.backend).toBe("webgpu");
    expect(open.size).toBe(1);
    const { facts, trajectory } = await host.play(onGpu(), context());
    expect(facts.backend).toBe("webgpu");
    expect(trajectory).toEqual(cpu.trajectory);
    await host.play(episode(), context());
    expect(backends).toEqual(["wasm", "webgpu", "wasm"]);
    expect(open.size).toBe(1);
  });

  it.each([
    ["no session opens", () => Object.assign(gpu, { opens: false })],
    ["no token can be computed", () => Object.assign(gpu, { runs: false })],
  ])("is refused in plain words when %s, and the session on the CPU stays", async (_, fail) => {
    await host.play(episode(), context());
    const before = [...open];
    fail();
    const call = host.open({ policy: NANO, backend: "webgpu" }, context());
    await expect(call).rejects.toMatchObject({
      name: "GpuError",
      message: /^frozenlake-nano-trained cannot be played on this GPU: /,
      hint: "Play on the CPU.",
    });
    expect([...open]).toEqual(before);
    const opened = backends.length;
    await host.play(episode(), context());
    expect(backends.length).toBe(opened);
  });

  it("passes on why the runtime could not be loaded, also for a file", async () => {
    const reason = new ProtocolError("worker_died", "ONNX Runtime could not be loaded.");
    const offline = onnxHost({
      loadBundled: async (name) => bytesOf(name),
      openSession: () => Promise.reject(reason),
    });
    const policy = { file: fileOf(await exported(NANO.bundled)), key: 1 };
    await expect(offline.open({ policy, backend: "webgpu" }, context())).rejects.toBe(reason);
    await expect(offline.open({ policy }, context())).rejects.toBe(reason);
  });

  it("drops a session whose GPU stops in an episode, and opens another for the next", async () => {
    const stop = () => void Object.assign(gpu, { runs: false });
    const call = host.play(onGpu({ seed: await longLevel() }), context({ onTurn: stop }));
    await expect(call).rejects.toThrow("The GPU stopped while the policy played.");
    expect(open.size).toBe(0);
    gpu.runs = true;
    const { facts } = await host.play(onGpu(), context());
    expect(facts.backend).toBe("webgpu");
  });
});

/** A level that takes the policy several turns. */
async function longLevel(): Promise<number> {
  for (let seed = 1; ; seed++)
    if ((await host.play(episode({ seed }), context())).trajectory.turns.length >= 3) return seed;
}

/** The replies before a turn, as the page takes them from a recording. */
function repliesOf({ tokens }: Awaited<ReturnType<typeof host.play>>["trajectory"], turns: number) {
  return Array.from({ length: turns }, (_, index) => {
    const isOwn = (_: unknown, t: number) => tokens.responseMask[t] === 1 && tokens.turnIndex[t] === index;
    return { ids: tokens.ids.filter(isOwn), logprobs: tokens.rolloutLogprobs.filter(isOwn) };
  });
}

describe("going on with a recording", () => {
  it("gives the recorded replies as they were, and then plays as if it had been there from the start", async () => {
    const recorded = (await host.play(episode({ seed: await longLevel() }), context())).trajectory;
    for (const turn of [0, 1, 2]) {
      const replies = repliesOf(recorded, turn);
      const { trajectory } = await host.play(episode({ seed: recorded.seed, replies }), context());
      expect(trajectory.tokens.ids).toEqual(recorded.tokens.ids);
      expect(trajectory.success).toBe(recorded.success);
    }
    const replies = repliesOf(recorded, 1);
    const sampled = await Promise.all(
      [1, 2, 3, 4].map((rngKey) =>
        host.play(episode({ seed: recorded.seed, replies, rngKey, temperature: 1.5 }), context()),
      ),
    );
    const texts = sampled.map(({ trajectory }) => trajectory.turns.map(({ reply }) => reply));
    for (const [first] of texts) expect(first).toBe(recorded.turns[0].reply);
    expect(new Set(texts.map((replied) => replied.slice(1).join("\n"))).size).toBeGreaterThan(1);
  });

  it.each(["three-tasks-room-10001-trained", "three-tasks-home-95037-trained"])(
    "plays in its environment, which is not the first one of its run: %s",
    async (id) => {
      const { config, trajectory: recorded } = decodeReplay(
        JSON.parse(readFileSync(join(folder, `../replays/${id}.json`), "utf8")),
      );
      const { seed, entry } = recorded;
      const replies = repliesOf(recorded, 1);
      const policy = { bundled: "three-tasks-small-trained" };
      const { trajectory } = await host.play(
        episode({ policy, seed, config, replies, entry: entry! }),
        context(),
      );
      expect(trajectory.envId).toBe(recorded.envId);
      expect(trajectory.turns[0].before).toEqual(recorded.turns[0]!.before);
      expect(trajectory.turns[0].after).toEqual(recorded.turns[0]!.after);
      const { ids, responseMask } = recorded.tokens;
      const replyBegins = (i: number) => responseMask[i] === 1 && responseMask[i - 1] !== 1;
      const begins = [...ids.keys()].filter(replyBegins)[1]!;
      expect(trajectory.tokens.ids.slice(0, begins)).toEqual(ids.slice(0, begins));
    },
  );
});

describe("a file", () => {
  it("is opened in place of the policy before, which is released", async () => {
    await host.play(episode(), context());
    const file = fileOf(await exported("sokoban-nano-trained"));
    const { name, env } = await host.open({ policy: { file, key: 1 } }, context());
    expect([name, env.name]).toEqual(["mine.onnx", "sokoban"]);
    expect(open.size).toBe(1);
    const { trajectory } = await host.play(episode({ policy: { file, key: 1 } }), context());
    expect(trajectory.envId).toBe("sokoban");
    expect(created).toBe(2);
    expect(open.size).toBe(1);
  });

  it.each([
    ["is foreign", async () => fileOf("no model"), "mine.onnx is not an ONNX file"],
    [
      "was cut off",
      async () => fileOf((await exported(NANO.bundled)).slice(0, -50_000)),
      "mine.onnx is not an ONNX file, or it is damaged",
    ],
    ["has damaged weights", damagedFile, "mine.onnx is damaged: ONNX Runtime cannot open it."],
    [
      "is too large",
      async () => Object.defineProperty(fileOf(""), "size", { value: MAX_ONNX_BYTES + 1 }),
      "opens ONNX files of up to 256 MiB",
    ],
  ])("that %s is refused, and changes nothing", async (_, make, reason) => {
    await host.play(episode(), context());
    const before = [...open];
    await expect(host.open({ policy: { file: await make(), key: 2 } }, context())).rejects.toThrow(reason);
    expect([...open]).toEqual(before);
    await host.play(episode(), context());
    expect(created).toBe(1);
  });
});

/** A model whose description is whole and whose graph names a tensor that it does not have. */
async function damagedFile(): Promise<File> {
  const bytes = await exported(NANO.bundled);
  const name = new TextEncoder().encode("layers.1.down.weight");
  const at = bytes.findIndex((_, i) => name.every((byte, j) => bytes[i + j] === byte));
  bytes.set(new TextEncoder().encode("x"), at);
  return fileOf(bytes);
}

it("names a checkpoint that cannot be exported", async () => {
  const call = host.export({ bytes: new ArrayBuffer(20), name: "mine.safetensors" }, context());
  await expect(call).rejects.toThrow(/mine\.safetensors is not a safetensors file/);
});
