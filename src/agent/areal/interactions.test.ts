import { describe, expect, it } from "vitest";
import { type Interaction, interactionCache } from "./interactions.ts";
import type { Message } from "./template.ts";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });

/** A call whose tokens are made from numbers. */
const call = (
  messages: Message[],
  output: string | null,
  [inputIds, ids]: [number[], number[]] = [[1], [2]],
  others: Partial<Interaction> = {},
): Interaction => ({
  messages,
  output,
  response:
    output === null
      ? null
      : {
          inputIds: Int32Array.from(inputIds),
          ids: Int32Array.from(ids),
          logprobs: Float32Array.from(ids, (id) => -id),
          versions: new Int32Array(ids.length).fill(6),
        },
  reward: null,
  template: "concat",
  ...others,
});

/** question → reply a, then two ways on from a: b1 after "again", b2 after "why". */
function branching(others: Partial<Interaction> = {}) {
  const cache = interactionCache();
  const asked = [user("q")];
  const again = [...asked, assistant("a"), user("again")];
  const why = [...asked, assistant("a"), user("why")];
  cache.add(call(asked, "a", [[10], [20, 1]], others));
  cache.add(
    call(
      again,
      "b1",
      [
        [10, 20, 1, 11],
        [21, 1],
      ],
      others,
    ),
  );
  cache.add(
    call(
      why,
      "b2",
      [
        [10, 20, 1, 12, 13],
        [22, 1],
      ],
      others,
    ),
  );
  return cache;
}

describe("interactions of one episode", () => {
  it("have as parent the earlier call with the longest dialogue that theirs begins with", () => {
    const cache = branching();
    expect([0, 1, 2].map(cache.parentOf)).toEqual([null, 0, 0]);
    const longer = [user("q"), assistant("a"), user("again"), assistant("b1"), user("still")];
    expect(cache.parentOf(cache.add(call(longer, "c")))).toBe(1);
    // The same request again continues nothing, and a call without a reply has no dialogue to continue.
    expect(cache.parentOf(cache.add(call([user("q")], null)))).toBeNull();
    expect(cache.parentOf(cache.add(call([user("other"), assistant("a"), user("again")], "d")))).toBeNull();
  });

  it("pass rewards backwards once, from later calls to earlier ones: R_i = r_i + 0.5 R_{i+1}", () => {
    const cache = branching();
    cache.setReward(0, 0.1);
    cache.setReward(2, 1);
    cache.propagate(0.5);
    // R_2 = 1, R_1 = 0 + 0.5, R_0 = 0.1 + 0.25
    expect(cache.export("individual").map(({ reward }) => reward)).toEqual([0.35, 0.5, 1]);
    expect(() => cache.propagate(0.5)).toThrow("propagated already");
    expect(() => cache.setReward(1, 2)).toThrow("propagated already");
    expect(() => branching().setReward(3, 1)).toThrow("no interaction 3 among 3");
  });

  it("are one row each in the individual style, with nothing but the own reply trained on", () => {
    const rows = branching({ template: "hf" }).export("individual");
    expect(rows.map(({ interaction }) => interaction)).toEqual([0, 1, 2]);
    expect(rows[1]).toMatchObject({
      ids: Int32Array.of(10, 20, 1, 11, 21, 1),
      lossMask: Uint8Array.of(0, 0, 0, 0, 1, 1),
      logprobs: Float32Array.of(0, 0, 0, 0, -21, -1),
      versions: Int32Array.of(-1, -1, -1, -1, 6, 6),
    });
  });

  it("are one row for each path in the concat style: parents' facts kept, gaps 0 / 0 / -1", () => {
    const rows = branching().export("concat");
    expect(rows.map(({ interaction }) => interaction)).toEqual([1, 2]);
    expect(rows[1]).toMatchObject({
      ids: Int32Array.of(10, 20, 1, 12, 13, 22, 1),
      lossMask: Uint8Array.of(0, 1, 1, 0, 0, 1, 1),
      logprobs: Float32Array.of(0, -20, -1, 0, 0, -22, -1),
      versions: Int32Array.of(-1, 6, 6, -1, -1, 6, 6),
    });
  });

  it("leave out calls without a reply", () => {
    const cache = branching();
    cache.add(call([user("q"), assistant("a"), user("again"), assistant("b1"), user("more")], null));
    expect(cache.export("individual")).toHaveLength(3);
    expect(cache.export("concat").map(({ interaction }) => interaction)).toEqual([1, 2]);
  });

  it("refuse the concat style under a template that rewrites, and say what to do", () => {
    expect(() => branching({ template: "hf" }).export("concat")).toThrow(
      /interaction 0 has "hf".*Use export_style "individual"/,
    );
  });

  it("leave a parent out of training, with a warning, when its child was sent no more tokens than it has", () => {
    const cache = interactionCache();
    cache.add(call([user("q")], "a", [[10], [20, 1]]));
    cache.add(call([user("q"), assistant("a"), user("again")], "b", [[10, 11], [21]]));
    const warnings: string[] = [];
    const [row] = cache.export("concat", (message) => warnings.push(message));
    expect(Array.from(row!.lossMask)).toEqual([0, 0, 1]);
    expect(warnings).toEqual([
      expect.stringContaining("Interaction 1 was sent no more tokens than interaction 0"),
    ]);
  });

  it("refuse a child whose tokens do not begin with its parent's", () => {
    const cache = interactionCache();
    cache.add(call([user("q")], "a", [[10], [20, 1]]));
    cache.add(call([user("q"), assistant("a"), user("again")], "b", [[10, 99, 1, 11], [21]]));
    expect(() => cache.export("concat")).toThrow("token 99 at 1, the row has 20");
  });
});
