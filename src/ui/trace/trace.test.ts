import { describe, expect, it } from "vitest";
import { demonstrationBatch } from "../../agent/players.ts";
import { testTask } from "../../agent/test-task.ts";
import { createVocabulary, vocabularyFor } from "../../agent/vocabulary.ts";
import { tokenEndsOf } from "../episode/token-ends.ts";
import { turnTokens } from "../episode/token-model.ts";
import type { Provenance } from "../store/run-view.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { binClasses, binOf, binsOf, scaleOf, unavailable, valuesOf } from "./heat-map.ts";
import { boundPlace, readPlace } from "./place.ts";
import { tokenFacts } from "./token-facts.ts";

const vocabulary = createVocabulary();
const trajectory = fakeTrajectory({ id: "a", seed: 11, skill: 0.9 });

describe("tokens by turn and part", () => {
  const turns = turnTokens(trajectory, vocabulary);

  it("cover every token of the trajectory once", () => {
    const indices = turns.flatMap(({ given, groups }) => [
      ...given.flatMap((entry) =>
        "imageTokens" in entry
          ? Array.from({ length: entry.imageTokens }, (_, i) => entry.index + i)
          : [entry.index],
      ),
      ...groups.flatMap((group) => group.tokens.map((token) => token.index)),
    ]);
    expect(indices.sort((a, b) => a - b)).toEqual(Array.from(trajectory.tokens.ids, (_, i) => i));
  });
  it("say what the reply says, part by part", () => {
    for (const { turn, groups } of turns) {
      const text = groups.flatMap((g) => g.tokens.map((t) => t.text)).join("");
      expect(text.replace("<eos>", "")).toBe(turn.reply);
      if (!turn.parsed.formatOk) continue;
      expect(groups.map((g) => g.kind)).toEqual(["observation", "reasoning", "prediction", "answer"]);
      const words = groups[0]!.tokens.filter((t) => !t.isTag).map((t) => t.text);
      expect(words.join("")).toBe(turn.parsed.observation);
    }
  });
  it("collapse the tokens of a picture into one entry", () => {
    const images = turns[0]!.given.filter((entry) => "imageTokens" in entry);
    expect(images).toEqual([expect.objectContaining({ imageTokens: 16 })]);
  });
  it("show a sequence's history as what the turn was given", () => {
    const options = { id: "b", seed: 5, skill: 0.3 };
    const whole = turnTokens(fakeTrajectory(options), vocabulary);
    const perTurn = fakeTrajectory({ ...options, history: 1 });
    expect(perTurn.turns.length).toBeGreaterThan(1);
    const shown = turnTokens(perTurn, vocabulary);
    for (const [k, { given, groups, from, to }] of shown.entries()) {
      expect(perTurn.tokens.sequences![k]).toMatchObject({ from, to });
      const pictures = given.filter((entry) => "imageTokens" in entry);
      expect(pictures).toHaveLength(k === 0 ? 1 : 2);
      // The reply of the turn before is given, its own is written.
      expect(groups.flatMap((g) => g.tokens.map((t) => t.text))).toEqual(
        whole[k]!.groups.flatMap((g) => g.tokens.map((t) => t.text)),
      );
      const words = given.map((entry) => ("text" in entry ? entry.text : "")).join("");
      if (k > 0) expect(words).toContain(perTurn.turns[k - 1]!.reply);
      expect(tokenFacts(perTurn, from, "train")[0]).toMatchObject({ value: `${vocabulary.bos} · 0` });
    }
  });
  it("show a summary after the turn that it closed, apart from the reply", async () => {
    const plain = testTask("frozenlake", { maxTurns: 6 }, { max_actions_per_step: 1 });
    const { spec, envConfig, format, stateFormat } = plain;
    const words = vocabularyFor(spec, envConfig, 6, { format, stateFormat, summaries: true });
    const layout = { kind: "compact", budget: 120, room: Infinity, maxReply: 80, maxSummary: 40 } as const;
    const played = await demonstrationBatch({
      task: { ...plain, vocabulary: words, layout },
      episodes: [0, 1, 2, 3].map((seed) => ({ id: `${seed}`, seed, groupId: "", rngKey: seed })),
      skill: { randomFraction: 1, expertFraction: 0 },
      oneTurn: false,
      seed: 1,
    });
    expect(played.some(({ tokens }) => tokens.sequences)).toBe(true);
    for (const one of played) {
      const shown = turnTokens(one, words);
      const all = shown.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
      expect(all).toEqual(Array.from(one.tokens.ids, (_, i) => i));
      for (const [k, { turn, groups, summary }] of shown.entries()) {
        const text = groups.flatMap((g) => g.tokens.map((t) => t.text)).join("");
        expect(text).toBe(`${turn.reply}<eos>`);
        const next = one.turns[k + 1]?.summary;
        expect(summary?.written.map((t) => t.text).join("")).toBe(
          next === undefined ? undefined : `${next}<eos>`,
        );
        if (!summary) continue;
        const role = tokenFacts(one, summary.written[0]!.index, "demonstration").at(-1);
        expect(role).toEqual({ name: "mask", value: "imitated, in a summary" });
        expect(tokenFacts(one, summary.written.at(-1)!.index, "demonstration").at(-1)!.value).toBe(
          "imitated, end of summary",
        );
      }
      const ends = tokenEndsOf(one, words);
      expect(ends.map((own) => own.at(-1))).toEqual(one.turns.map(({ reply }) => reply.length));
    }
  });
  it("put text outside every part under no part", () => {
    const broken = Array.from({ length: 40 }, (_, seed) =>
      fakeTrajectory({ id: `b${seed}`, seed, skill: 0 }),
    );
    const turn = broken
      .flatMap((t) => turnTokens(t, vocabulary))
      .find((t) => !t.turn.parsed.formatOk && t.turn.reply.includes("<reasoning>"))!;
    expect(turn.groups.length).toBeGreaterThan(0);
    expect(turn.groups.flatMap((g) => g.tokens.map((t) => t.text)).join("")).toContain(turn.turn.reply);
  });
  it("show ids when the vocabulary is not known", () => {
    expect(turnTokens(trajectory, null)[0]!.given[0]).toMatchObject({
      text: `#${trajectory.tokens.ids[0]}`,
    });
  });
});

describe("heat-maps", () => {
  it("bin symmetrically around zero", () => {
    const scale = { low: -2, high: 2 };
    expect([-9, -2, -0.1, 0, 0.1, 2, 9].map((v) => binOf(v, scale, "diverging"))).toEqual([
      -7, -7, -1, 0, 1, 7, 7,
    ]);
  });
  it("bin one-sided maps from the low end", () => {
    expect([1, 1.5, 3].map((v) => binOf(v, { low: 1, high: 3 }, "sequential"))).toEqual([0, 2, 7]);
  });
  it("give an empty scale no colour", () => {
    expect(binOf(3, { low: 0, high: 0 }, "diverging")).toBe(0);
    expect(binOf(Number.NaN, { low: -1, high: 1 }, "diverging")).toBe(0);
  });
  it("use the 98th percentile of the size for advantages, over the policy's tokens only", () => {
    const { low, high } = scaleOf(trajectory.tokens, "advantage");
    expect(low).toBe(-high);
    const sizes = [...trajectory.tokens.advantages]
      .filter((_, i) => trajectory.tokens.responseMask[i])
      .map(Math.abs);
    expect(sizes.filter((size) => size > high).length).toBeLessThanOrEqual(Math.ceil(sizes.length * 0.02));
  });
  it("say that numbers lie beyond the ends of a scale", () => {
    const { tokens } = trajectory;
    const written = { ...tokens, responseMask: new Uint8Array(100).fill(1) };
    const scaleWith = (entropy: Float32Array) => scaleOf({ ...written, entropy }, "entropy");
    const even = new Float32Array(100).fill(0.5);
    expect(scaleWith(even)).toEqual({ low: 0, high: 0.5, clipped: false });
    expect(scaleWith(even.with(99, 1.16))).toEqual({ low: 0, high: 0.5, clipped: true });
    expect(scaleOf({ ...written, values: even.with(99, 1.16) }, "value").clipped).toBe(false);
  });
  it("hatch masked tokens and mark the ends of turns", () => {
    const classes = binClasses(trajectory.tokens, "mask");
    trajectory.tokens.responseMask.forEach((kept, i) => {
      expect(classes[i] === "hatch").toBe(kept === 0);
    });
    expect(classes.filter((c) => c.includes("token-mask-end"))).toHaveLength(trajectory.turns.length);
  });
  it("leave tokens that the policy did not write uncoloured", () => {
    const classes = binClasses(trajectory.tokens, "advantage");
    expect(classes.every((c, i) => (trajectory.tokens.responseMask[i] ? /^b-?\d$/.test(c) : c === ""))).toBe(
      true,
    );
  });
  it("have a bin for each token that the policy wrote, with the sign of its number", () => {
    const { tokens } = trajectory;
    const bins = binsOf(tokens, "advantage");
    expect(bins.map((bin) => bin !== null)).toEqual(Array.from(tokens.responseMask, (mask) => mask === 1));
    expect(Math.max(...bins.map(Number))).toBe(7);
    const opposite = binsOf({ ...tokens, advantages: tokens.advantages.map((value) => -value) }, "advantage");
    expect(opposite.map((bin) => (bin ? -bin : bin))).toEqual(bins);
    for (const map of ["none", "mask"] as const)
      expect(binsOf(tokens, map)).toEqual(Array(tokens.ids.length).fill(null));
  });
  it("say why a map is missing", () => {
    const untrained = { ...trajectory.tokens, advantages: new Float32Array(trajectory.tokens.ids.length) };
    expect(unavailable(untrained, "advantage", "validation")).toContain("not trained on");
    expect(unavailable({ ...trajectory.tokens, entropy: new Float32Array(0) }, "entropy", "train")).toContain(
      "not recorded",
    );
    expect(unavailable(trajectory.tokens, "value", "train")).toBe("");
    expect(unavailable(untrained, "advantage", "demonstration")).toContain("imitated");
    const alike = { ...untrained, lossMask: trajectory.tokens.responseMask };
    expect(unavailable(alike, "advantage", "train")).toContain("better or worse than expected");
    const unpaid = { ...alike, rewards: new Float32Array(trajectory.tokens.ids.length) };
    expect(unavailable(unpaid, "reward", "train")).toBe("no token of this episode is paid");
  });
});

describe("the facts of a token", () => {
  const { tokens } = trajectory;
  const at = tokens.responseMask.indexOf(1);
  it("say whether the update learned from it, and give a return where the critic is trained", () => {
    const marked = (trained: 0 | 1, valued: 0 | 1) => {
      const masks = {
        lossMask: tokens.responseMask.map(() => trained),
        valueMask: tokens.responseMask.map(() => valued),
      };
      const facts = (index: number) =>
        tokenFacts({ ...trajectory, tokens: { ...tokens, ...masks } }, index, "train");
      const named = Object.fromEntries(facts(at).map(({ name, value }) => [name, value]));
      return { mask: named.mask, hasReturn: "return" in named, given: facts(0).at(-1)!.value };
    };
    expect(marked(1, 1)).toMatchObject({ mask: "trained on", hasReturn: true });
    expect(marked(1, 0).hasReturn).toBe(false);
    expect(marked(0, 0)).toMatchObject({ mask: expect.stringContaining("left out of the update") });
    expect(marked(1, 1).given).toContain("trained on anyway");
    expect(marked(0, 0).given).toContain("not trained on");
  });
  const zeros = () => new Float32Array(tokens.ids.length);
  const facts = (changes: Partial<typeof tokens>, source: Provenance = "train") =>
    Object.fromEntries(
      tokenFacts({ ...trajectory, tokens: { ...tokens, ...changes } }, at, source).map(({ name, value }) => [
        name,
        value,
      ]),
    );

  it("leave out what was never computed: a validation has no advantages, a demonstration no probabilities", () => {
    const watched = facts({ advantages: zeros(), returns: zeros(), values: zeros(), entropy: zeros() });
    expect(Object.keys(watched)).toEqual(["id · position", "probability", "log p", "reward", "mask"]);
    expect(watched.mask).toContain("written by the policy");
    expect(facts({ rolloutLogprobs: zeros() })).not.toHaveProperty("probability");
    expect(facts({ rolloutLogprobs: zeros(), advantages: zeros() }, "demonstration").mask).toContain(
      "imitated",
    );
    expect(facts({}).mask).toContain("trained on");
  });

  it("write the log probability of a token that is almost certain", () => {
    const sure = (logp: number) => facts({ rolloutLogprobs: zeros().fill(logp) });
    expect(sure(-0.5)["log p"]).toBe("−0.5000");
    expect(sure(-3.2e-5)).toMatchObject({ probability: "> 99.9 %", "log p": "−3.2e−5" });
  });

  it("say of an advantage that it is whitened", () => {
    const named = tokenFacts(trajectory, at, "train", true).map(({ name }) => name);
    expect(named).toContain("advantage, whitened");
    expect(named).not.toContain("advantage");
  });

  it("name the policy that sampled the token, where it was noted", () => {
    expect(facts({})).not.toHaveProperty("policy version");
    expect(facts({ versions: new Int32Array(tokens.ids.length).fill(12) })["policy version"]).toBe("12");
  });
});

describe("a KL penalty in the reward", () => {
  const { tokens } = trajectory;
  const at = tokens.responseMask.indexOf(1);
  const trainRewards = tokens.rewards.map((reward, t) => (tokens.responseMask[t] ? reward - 0.25 : 0));
  const penalised = { ...trajectory, tokens: { ...tokens, trainRewards } };
  const names = (of: typeof trajectory) => tokenFacts(of, at, "train").map(({ name }) => name);

  it("is what the map of rewards shows, and is shown beside the reward of a token", () => {
    expect(valuesOf(penalised.tokens, "reward")).toBe(trainRewards);
    expect(tokenFacts(penalised, at, "train").find(({ name }) => name === "trained reward")?.value).toBe(
      "−0.25",
    );
    expect(names(trajectory)).not.toContain("trained reward");
  });
});

describe("a link to a moment", () => {
  const trajectory = fakeTrajectory({ id: "b", seed: 5, skill: 0.3 });
  const place = (query: string) => boundPlace(readPlace(new URLSearchParams(query)), trajectory);
  const last = trajectory.tokens.ids.length - 1;
  const lastTurn = trajectory.turns.length - 1;

  it("leads to its turn and its token", () => {
    expect(lastTurn).toBeGreaterThan(0);
    expect(place(`turn=${lastTurn + 1}`)).toEqual({ turn: lastTurn, token: null });
    expect(place(`turn=${lastTurn + 1}&tok=${last}`)).toEqual({ turn: lastTurn, token: last });
    expect(place("")).toEqual({ turn: 0, token: null });
  });
  it.each(["99999", `${last + 1}`, "1e99", "-1", "2.5", "NaN", "Infinity", ""])(
    "names no token when tok is %j",
    (tok) => expect(place(`turn=1&tok=${tok}`)).toEqual({ turn: 0, token: null }),
  );
  it.each([
    ["99999", lastTurn],
    ["0", 0],
    ["-3", 0],
    ["1.5", 0],
    ["NaN", 0],
    ["Infinity", 0],
    ["", 0],
  ])("stays within the turns when turn is %j", (turn, index) =>
    expect(place(`turn=${turn}`).turn).toBe(index),
  );
  it("goes to the turn of its token when the two differ", () => {
    expect(place(`turn=1&tok=${last}`)).toEqual({ turn: lastTurn, token: last });
  });
});
