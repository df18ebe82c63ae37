// The page's functions with the worker's handlers in the same thread, on onnxruntime-node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Trajectory, Turn } from "../../core/types.ts";
import { bundledPolicy, openSession } from "../../onnx/testing.ts";
import type { Replay } from "../../replay/replay.ts";
import { onnxHost } from "../../worker/onnx-host.ts";
import type { PolicyCommands } from "../../worker/onnx-protocol.ts";
import { createOnnxPlayer } from "./onnx-player.ts";

const folder = join(import.meta.dirname, "../../../public/checkpoints");
const NAME = "frozenlake-nano-trained";
const { config } = await bundledPolicy(NAME);

function player() {
  const host = onnxHost({
    loadBundled: async (name) => new Uint8Array(readFileSync(join(folder, `${name}.safetensors`))),
    openSession: async (onnx) => ({ session: await openSession(onnx), runtimeBytes: 0 }),
  });
  return createOnnxPlayer(
    (command, arg, { signal = new AbortController().signal, onTurn } = {}) =>
      host[command as keyof PolicyCommands](arg as never, {
        signal,
        onTurn: onTurn ?? (() => undefined),
      }) as never,
  );
}

const recordingOf = (trajectory: Trajectory, provenance: Partial<Replay["provenance"]> = {}): Replay => ({
  id: "test",
  trajectory,
  config,
  provenance: {
    policy: NAME,
    checkpoint: NAME,
    command: "",
    commit: "",
    update: 0,
    temperature: 0,
    success: { rate: 0, episodes: 0 },
    ...provenance,
  },
});

/** A greedy episode of at least `turns` turns. */
async function episodeOf(turns: number): Promise<Trajectory> {
  const { playLevel } = player();
  for (let seed = 1; ; seed++) {
    const trajectory = await playLevel({ checkpoint: NAME, seed, temperature: 0 });
    if (trajectory.turns.length >= turns) return trajectory;
  }
}
const recorded = await episodeOf(3);

describe("playing a level", () => {
  it("reports turns, and then the size and speed of the session", async () => {
    const { playLevel, sessionFacts } = player();
    expect(sessionFacts()).toBe(null);
    const turns: Turn[] = [];
    const options = { seed: recorded.seed, temperature: 0, onTurn: (turn: Turn) => void turns.push(turn) };
    const trajectory = await playLevel({ checkpoint: NAME, ...options });
    expect(trajectory).toEqual(recorded);
    expect(turns).toEqual(recorded.turns);
    expect(sessionFacts()).toMatchObject({ backend: "wasm" });
    expect(sessionFacts()!.bytes).toBeGreaterThan(165_000);
  });

  it("opens a policy on the chosen backend, and gives its facts once it has played", async () => {
    const { openOn, playLevel, sessionFacts } = player();
    await playLevel({ checkpoint: NAME, seed: 1, temperature: 0 });
    await openOn("webgpu", NAME);
    expect(sessionFacts()).toMatchObject({ backend: "wasm" });
    await playLevel({ checkpoint: NAME, backend: "webgpu", seed: 1, temperature: 0 });
    expect(sessionFacts()).toMatchObject({ backend: "webgpu" });
  });
});

describe("trying again", () => {
  it("ends as the recording did when greedy, whichever turn it starts at", async () => {
    const { tryAgain } = player();
    for (const turn of [0, 2]) {
      const outcomes: boolean[] = [];
      const onTry = (success: boolean) => void outcomes.push(success);
      await tryAgain({ replay: recordingOf(recorded), turn, tries: 2, onTry });
      expect(outcomes).toEqual([recorded.success, recorded.success]);
    }
  });

  it("draws otherwise in each try", async () => {
    const { tryAgain } = player();
    const replay = recordingOf(recorded, { temperature: 2 });
    const outcomes = new Set<boolean>();
    const onTry = (success: boolean) => void outcomes.add(success);
    await tryAgain({ replay, turn: 0, tries: 12, onTry });
    expect(outcomes.size).toBe(2);
  });

  it("stops when it is aborted", async () => {
    const { tryAgain } = player();
    const abort = new AbortController();
    let tries = 0;
    const onTry = () => {
      tries++;
      abort.abort();
    };
    const call = tryAgain({ replay: recordingOf(recorded), turn: 1, tries: 10, signal: abort.signal, onTry });
    await expect(call).rejects.toThrow(/abort/i);
    expect(tries).toBe(1);
  });

  it("says in words that it has no policy for a recording of another studio", async () => {
    const { tryAgain } = player();
    const replay = recordingOf(recorded);
    const { checkpoint: _, ...provenance } = replay.provenance;
    await expect(tryAgain({ replay: { ...replay, provenance }, turn: 1, tries: 1 })).rejects.toThrow(
      "The policy of this recording does not ship with the studio.",
    );
  });
});
