import { describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import { inputGap, type Response, sequenceBuilder } from "./sequence.ts";

const EOS = 1;
const response = (inputIds: ArrayLike<number>, ids: number[], version = 3): Response => ({
  inputIds: Int32Array.from(inputIds),
  ids: Int32Array.from(ids),
  logprobs: Float32Array.from(ids, (id) => -id / 4),
  versions: new Int32Array(ids.length).fill(version),
});

describe("the token arrays of an episode", () => {
  it("hold, position by position, a prompt, a cut reply, the inserted end of turn, feedback and a finished reply", () => {
    const sequence = sequenceBuilder();
    sequence.addContext([20, 21]);
    sequence.addResponse(response([20, 21], [30, 31]));
    sequence.closeTurn(EOS);
    sequence.addContext([40]);
    sequence.addResponse(response(sequence.snapshot(), [32, EOS], 4));
    sequence.closeTurn(EOS);
    expect(sequence.tokens()).toEqual({
      ids: Int32Array.of(20, 21, 30, 31, EOS, 40, 32, EOS),
      responseMask: Uint8Array.of(0, 0, 1, 1, 0, 0, 1, 1),
      logprobs: Float32Array.of(0, 0, -7.5, -7.75, 0, 0, -8, -0.25),
      versions: Int32Array.of(-1, -1, 3, 3, -1, -1, 4, 4),
    });
    expect(sequence.turnEnds).toEqual([3, 7]);
  });

  it("keep equal lengths and agree with one another after every append", () => {
    const random = rng(4);
    const sequence = sequenceBuilder();
    let sampled = 0;
    for (let step = 0; step < 60; step++) {
      const ids = Array.from({ length: random.int(4) + 1 }, () => random.int(9));
      if (random.int(2)) sequence.addContext(ids);
      else {
        sequence.addResponse(response([...sequence.snapshot(), ...ids.slice(1)], ids, random.int(5)));
        sampled += ids.length;
      }
      if (random.int(3) === 0) sequence.closeTurn(EOS);
      const { ids: all, responseMask, logprobs, versions } = sequence.tokens();
      expect([responseMask.length, logprobs.length, versions.length]).toEqual(Array(3).fill(all.length));
      expect(sequence.length).toBe(all.length);
      const agree = responseMask.every(
        (own, t) => (own === 1) === versions[t]! >= 0 && (own === 1 || logprobs[t] === 0),
      );
      expect(agree).toBe(true);
      expect(responseMask.reduce((sum, own) => sum + own, 0)).toBe(sampled);
    }
  });

  it("take what the engine read beyond the sequence as context", () => {
    const sequence = sequenceBuilder();
    sequence.addResponse(response([20, 21], [30, EOS]));
    expect(Array.from(sequence.tokens().responseMask)).toEqual([0, 0, 1, 1]);
  });

  it("refuse an engine that read something else, an empty reply and arrays of different lengths", () => {
    const sequence = sequenceBuilder();
    sequence.addContext([20, 21]);
    expect(() => sequence.addResponse(response([20], [30]))).toThrow("read 1 tokens, the sequence has 2");
    expect(() => sequence.addResponse(response([20, 22], [30]))).toThrow(
      "token 22 at 1, the sequence has 21",
    );
    expect(() => sequence.addResponse(response([20, 21], []))).toThrow("at least one token");
    const short = { ...response([20, 21], [30, 31]), logprobs: Float32Array.of(0) };
    expect(() => sequence.addResponse(short)).toThrow("2 tokens came with 1 log-probabilities");
    expect(() => sequence.addResponse(response([20, 21], [30], -1))).toThrow("token 0 has version -1");
    expect(sequence.length).toBe(2);
  });

  it("have an empty gap when the engine read exactly the sequence", () => {
    expect(inputGap([5, 6], Int32Array.of(5, 6))).toHaveLength(0);
    expect(Array.from(inputGap([5, 6], Int32Array.of(5, 6, 7)))).toEqual([7]);
  });
});
