// The rows of the bug-to-invariant table for AReaL's multi-turn workflow, and the further invariants, one test each. Rows 11 and
// 12, which are about configurations, are in src/config/areal.test.ts.
import { describe, expect, it, vi } from "vitest";
import { rng } from "../../core/rng.ts";
import { scriptedPolicy } from "../../policy/scripted/scripted.ts";
import { conversation } from "../conversation.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { checkOptions } from "./options.ts";
import { arealRollout, passedBack } from "./rollout.ts";
import { feedbackIds, type Message } from "./template.ts";
import { answer, answering, answerTo, questionTask, settings } from "./testing.ts";
import { ArealEpisode, type Question } from "./workflow.ts";

/** How a dialogue is written down. */
interface TemplateOptions {
  /** Words before the first message. Every dialogue has some, so templating a later message alone would repeat them. */
  opening?: string;
  /** Whether to end with the tag that opens a reply. */
  addGenerationPrompt?: boolean;
}

/** The ids of a whole dialogue: `<bos>opening`, then `<user>…` and `<assistant>…<eos>` in turn. */
function templateIds(
  vocabulary: Vocabulary,
  messages: readonly Message[],
  { opening = "", addGenerationPrompt = false }: TemplateOptions = {},
): Int32Array {
  const written = messages.map(({ role, content }) =>
    role === "user" ? `<user>${content}` : `<assistant>${content}<eos>`,
  );
  return vocabulary.encode(`<bos>${opening}${written.join("")}${addGenerationPrompt ? "<assistant>" : ""}`);
}

const right = answer(answerTo(0));
const wrong = answer(answerTo(1));
/** Right, but not in the right form: 0.9. */
const sloppy = answer(`${answerTo(0)}, Up`);
const marks = (mask: Uint8Array) => mask.reduce((sum, own) => sum + own, 0);

/** An episode by itself, and its replies as a policy would give them. */
function alone(overrides: Partial<ConstructorParameters<typeof ArealEpisode>[1]["options"]> = {}) {
  const { vocabulary } = questionTask();
  const prompt = "turn 1<image>";
  const promptIds = templateIds(vocabulary, [{ role: "user", content: prompt }], {
    addGenerationPrompt: true,
  });
  const image = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
  const question: Question = { prompt, images: [image] };
  const options = { ...settings, maxTurns: 3, ...overrides };
  const tokens = conversation(vocabulary.image);
  tokens.addPrompt(promptIds);
  /** Only one episode at a time: all add to one conversation. */
  const begin = (asked: Partial<Question> = {}) =>
    new ArealEpisode({ ...question, ...asked }, { vocabulary, options, tokens });
  const reply = (episode: ArealEpisode, text: string, reward: number) => {
    episode.request();
    const ids = vocabulary.encode(text);
    episode.answer({ ids, logprobs: new Float32Array(ids.length).fill(-0.5) }, { text, reward });
  };
  return { vocabulary, question, promptIds, tokens, begin, reply };
}

describe("bugs of earlier revisions, by their row in the table", () => {
  it("row 1: the first turn, where the engine read exactly what was sent, is prompt and reply once", async () => {
    const { trajectory, sent } = await answering([right]);
    const { ids, responseMask } = trajectory.tokens;
    const reply = questionTask().vocabulary.encode(right);
    expect(ids.length).toBe(sent[0]!.promptIds.length + reply.length);
    expect(Array.from(ids.subarray(sent[0]!.promptIds.length))).toEqual(Array.from(reply));
    expect(marks(responseMask)).toBe(reply.length);
  });

  it("row 2: the arrays have one entry per token after every append", async () => {
    const { begin, reply, tokens: growing } = alone();
    const episode = begin();
    for (const text of ["Left<eos>", "Left"]) {
      reply(episode, text, 0);
      const { ids, responseMask, rolloutLogprobs } = growing.finish(episode.attempts.map(() => 0));
      expect(growing).toHaveLength(ids.length);
      expect([responseMask.length, rolloutLogprobs.length]).toEqual([ids.length, ids.length]);
    }
    const { tokens } = (await answering([wrong, "Left", right])).trajectory;
    for (const array of [
      tokens.responseMask,
      tokens.rolloutLogprobs,
      tokens.versions!,
      tokens.turnIndex,
      tokens.imagePatch,
    ])
      expect(array).toHaveLength(tokens.ids.length);
  });

  it("row 3: after a failed turn the dialogue is a list of messages, each with its role", () => {
    const { begin, reply, question } = alone();
    const episode = begin();
    reply(episode, "Left<eos>", 0);
    reply(episode, "Up<eos>", 0);
    expect(episode.messages).toEqual([
      { role: "user", content: question.prompt },
      { role: "assistant", content: "Left<eos>" },
      { role: "user", content: settings.feedback },
      { role: "assistant", content: "Up<eos>" },
    ]);
    expect(episode.said).toBe(settings.feedback);
    expect(begin().said).toBe(question.prompt);
  });

  it("row 4: an episode has no history before its first reply, and one after", () => {
    const { begin, reply } = alone();
    const episode = begin();
    expect(episode.attempts).toEqual([]);
    expect(episode.messages).toHaveLength(1);
    reply(episode, "Left<eos>", 0);
    expect(episode.attempts).toHaveLength(1);
    expect(episode.messages).toHaveLength(2);
  });

  it("row 5: the episode's ids are those of the whole dialogue through the template", async () => {
    const { trajectory, task } = await answering([wrong, wrong, right]);
    const text = (reply: string) => reply.replace("<eos>", "");
    const dialogue: Message[] = [
      { role: "user", content: trajectory.turns[0]!.observation.text },
      { role: "assistant", content: text(wrong) },
      { role: "user", content: settings.feedback },
      { role: "assistant", content: text(wrong) },
      { role: "user", content: settings.feedback },
      { role: "assistant", content: text(right) },
    ];
    const { ids } = trajectory.tokens;
    const opening = task.vocabulary.decode(ids.subarray(1, ids.indexOf(task.vocabulary.user)));
    const whole = templateIds(task.vocabulary, dialogue, { opening });
    const pictured = Array.from(whole).flatMap((id) =>
      id === task.vocabulary.image ? Array(4).fill(id) : [id],
    );
    expect(Array.from(trajectory.tokens.ids)).toEqual(pictured);
  });

  it("row 5: feedback is the difference of two templates, without a second opening", () => {
    const { vocabulary } = questionTask();
    expect(vocabulary.decode(feedbackIds(vocabulary, "nothing"))).toBe("<user>nothing<assistant>");
    expect(feedbackIds(vocabulary, "nothing")).not.toContain(vocabulary.bos);
    const feedback: Message = { role: "user", content: "nothing" };
    const reply: Message = { role: "assistant", content: wrong.replace("<eos>", "") };
    const before = templateIds(vocabulary, [reply]);
    const after = templateIds(vocabulary, [reply, feedback], { addGenerationPrompt: true });
    expect([...before, ...feedbackIds(vocabulary, "nothing")]).toEqual([...after]);
    // Templated by itself, the message would bring another opening.
    expect(templateIds(vocabulary, [feedback])).toContain(vocabulary.bos);
  });

  it.each([
    [0.1, 3],
    [0.9, 3],
    [1, 1],
  ])("row 6: a reward of %d ends the episode after %i of 3 attempts", (reward, attempts) => {
    const { begin, reply } = alone();
    const episode = begin();
    while (episode.request()) reply(episode, "Left<eos>", reward);
    expect(episode.attempts).toHaveLength(attempts);
    expect(episode.solved).toBe(attempts === 1);
  });

  it("row 6: terms that miss 1 by a rounding end the episode", () => {
    const { begin, reply } = alone();
    const episode = begin();
    const rounded = 0.7 + 0.2 + 0.1;
    expect(rounded).toBeLessThan(1);
    reply(episode, "Left<eos>", rounded);
    expect(episode.request()).toBeNull();
  });

  it("row 7: a reply that was cut is closed before the feedback, by a token that is not trained on", async () => {
    const { trajectory, task, sent } = await answering(["LeftLeftLeftLeft", right], { maxTokens: 3 });
    const { ids, responseMask, rolloutLogprobs: logprobs, versions } = trajectory.tokens;
    const at = sent[0]!.promptIds.length + 3;
    expect(ids[at]).toBe(task.vocabulary.eos);
    expect([responseMask[at], logprobs[at], versions![at]]).toEqual([0, 0, -1]);
    expect(trajectory.tokens.turnEndMask[at - 1]).toBe(1);
    // The policy receives it, too: what it reads is what is trained on.
    expect(Array.from(sent[1]!.promptIds)).toEqual([
      task.vocabulary.eos,
      ...feedbackIds(task.vocabulary, "nothing"),
    ]);
    const { sent: whole } = await answering([wrong, right]);
    expect(whole[1]!.promptIds).toEqual(feedbackIds(task.vocabulary, "nothing"));
  });

  it("row 8: settings are plain data, and nothing is looked up before an episode begins", async () => {
    expect(structuredClone(settings)).toEqual(settings);
    const create = vi.fn(() => {
      throw new Error("looked up");
    });
    const task = questionTask();
    const broken = { ...task, spec: { ...task.spec, create } };
    const play = { task: broken, areal: settings, policy: scriptedPolicy(() => Int32Array.of(1)) };
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 4, seed: 1 };
    expect(await arealRollout({ ...play, sampling, episodes: [] })).toEqual([]);
    expect(create).not.toHaveBeenCalled();
    const episodes = [{ id: "a", seed: 0, groupId: "g", rngKey: 1 }];
    await expect(arealRollout({ ...play, sampling, episodes })).rejects.toThrow("looked up");
  });

  it("row 9: a question without pictures is refused, and one with another number of places for them", () => {
    const { begin, question } = alone();
    expect(() => begin({ images: [] })).toThrow("no picture");
    expect(() => begin({ prompt: "turn 1" })).toThrow("0 places for 1 pictures");
    expect(() => begin({ images: [question.images[0]!, question.images[0]!] })).toThrow(
      "1 places for 2 pictures",
    );
  });

  it("row 10: playing prints nothing, draws nothing of its own, and gives the same twice", async () => {
    const noise = [
      vi.spyOn(Math, "random"),
      ...(["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name)),
    ];
    const first = await answering([wrong, "Left", right]);
    const second = await answering([wrong, "Left", right]);
    for (const spy of noise) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(second.trajectory).toEqual(first.trajectory);
  });

  it("row 13: every setting changes what is played, or is refused", async () => {
    const base = await answering([wrong, right]);
    const changed = [
      { areal: { turnDiscount: 0.9 } },
      { areal: { feedback: "Left" } },
      { areal: { exportStyle: "individual" as const } },
      { task: { maxTurns: 1 } },
      { areal: { contextLimit: base.trajectory.tokens.ids.length - 2, maxReply: 4 } },
    ];
    for (const options of changed) {
      const { trajectory } = await answering([wrong, right], options);
      expect(trajectory.tokens, JSON.stringify(options)).not.toEqual(base.trajectory.tokens);
    }
    for (const turnDiscount of [0, -0.1, 1.01, Number.NaN])
      expect(() => checkOptions({ ...settings, maxTurns: 2, turnDiscount })).toThrow(
        `turn_discount is ${turnDiscount}`,
      );
    for (const maxTurns of [0, -1, 1.5])
      expect(() => checkOptions({ ...settings, maxTurns })).toThrow(`max_turns is ${maxTurns}`);
  });
});

describe("further invariants of the workflow", () => {
  it("a token has mask 1, a version and a log-probability exactly when it was sampled", async () => {
    const { trajectory } = await answering([wrong, "Left", sloppy, right]);
    const { responseMask, versions, rolloutLogprobs: logprobs, ids } = trajectory.tokens;
    responseMask.forEach((own, t) => {
      expect(versions![t]).toBe(own ? 7 : -1);
      if (!own) expect(logprobs[t]).toBe(0);
    });
    expect(ids.length).toBeGreaterThan(marks(responseMask));
  });

  it("mask 1 marks the sampled tokens of all turns and nothing else", async () => {
    const replies = [wrong, "Left", right];
    const { trajectory, task } = await answering(replies);
    const written = replies.map((reply) => Array.from(task.vocabulary.encode(reply)));
    const { ids, responseMask } = trajectory.tokens;
    expect(Array.from(ids).filter((_, t) => responseMask[t])).toEqual(written.flat());
  });

  it("sampled ids stay as they came, also where their text would be tokenised otherwise", async () => {
    const { begin, vocabulary, promptIds, tokens } = alone();
    // "Left" spelled in half bytes: as text it is one token.
    const spelled = Int32Array.from(
      [..."Left"].flatMap((c) => [c.charCodeAt(0) >> 4, c.charCodeAt(0) & 15]),
      (n) => 5 + n,
    );
    expect(vocabulary.decode(spelled)).toBe("Left");
    expect(vocabulary.encode("Left")).toHaveLength(1);
    const episode = begin();
    episode.request();
    episode.answer({ ids: spelled, logprobs: new Float32Array(8) }, { text: "Left", reward: 0 });
    expect(tokens.finish([0]).ids.slice(promptIds.length)).toEqual(spelled);
  });

  it("what the policy is sent and writes, turn by turn, is the episode", async () => {
    const { trajectory, sent, task } = await answering([wrong, "Left", right]);
    const parts = [wrong, "Left", right].flatMap((reply, i) => [
      ...sent[i]!.promptIds,
      ...task.vocabulary.encode(reply),
    ]);
    expect(Array.from(trajectory.tokens.ids)).toEqual(parts);
  });

  it("image tokens match the picture, which is there once however many attempts there are", async () => {
    const { trajectory, sent, task } = await answering([wrong, wrong, wrong, wrong]);
    const { imagePatch, ids } = trajectory.tokens;
    expect(Array.from(imagePatch).filter((patch) => patch >= 0)).toEqual([0, 1, 2, 3]);
    expect(Array.from(ids).filter((id) => id === task.vocabulary.image)).toHaveLength(4);
    expect(trajectory.turns.map(({ observation }) => observation.images.length)).toEqual([1, 0, 0, 0]);
    expect(sent.map(({ images }) => images.length)).toEqual([1, 0, 0, 0]);
  });

  it("an image token that the policy wrote shows no picture, in either style", async () => {
    for (const exportStyle of ["concat", "individual"] as const) {
      const { trajectory } = await answering(["<image><eos>", right], { areal: { exportStyle } });
      const patches = Array.from(trajectory.tokens.imagePatch).filter((patch) => patch >= 0);
      expect(patches).toEqual(exportStyle === "concat" ? [0, 1, 2, 3] : [0, 1, 2, 3, 0, 1, 2, 3]);
    }
  });

  it("the reward is the best so far of rewards times turn_discount ^ t, on the last sampled token", async () => {
    // 0.1, then 0.9 · 0.5, then 0.1 · 0.25, then 1 · 0.125: the second is the best.
    const { trajectory } = await answering([wrong, sloppy, wrong, right]);
    const { rewards, turnEndMask, responseMask } = trajectory.tokens;
    expect(trajectory.turns).toHaveLength(4);
    expect(Array.from(rewards).filter((reward) => reward !== 0)).toEqual([Math.fround(0.45)]);
    expect(rewards[rewards.length - 1]).toBeCloseTo(0.45);
    expect(turnEndMask.lastIndexOf(1)).toBe(responseMask.lastIndexOf(1));
    // Turns are credited with what they add, so that an episode's score is its reward.
    expect(trajectory.turns.map(({ reward }) => reward)).toEqual([0.1, expect.closeTo(0.35), 0, 0]);
    for (const { rewards: terms, reward } of trajectory.turns)
      expect(Object.values(terms).reduce((a, b) => a + b, 0)).toBeCloseTo(reward);
  });

  it("the reward is at least every turn's discounted reward, also when all are negative", () => {
    const random = rng(5);
    for (let round = 0; round < 50; round++) {
      const { begin, reply } = alone({ turnDiscount: 0.05 + 0.95 * random.float(), maxTurns: 4 });
      const episode = begin();
      while (episode.request()) reply(episode, "Left<eos>", random.float() - 0.7);
      for (const { reward, discount } of episode.attempts) {
        expect(discount).toBeGreaterThan(0);
        expect(episode.reward).toBeGreaterThanOrEqual(reward * discount);
      }
    }
    const { begin, reply } = alone();
    const episode = begin();
    reply(episode, "Left<eos>", -1);
    expect(episode.reward).toBe(-1);
  });

  it("one turn is a single answer with its own reward", async () => {
    const { trajectory, sent } = await answering([sloppy, right], { task: { maxTurns: 1 } });
    expect(sent).toHaveLength(1);
    expect(trajectory.tokens.rewards.at(-1)).toBeCloseTo(0.9);
    expect(trajectory).toMatchObject({ success: true, terminated: false, truncated: true });
  });

  it("nothing follows the last reply", async () => {
    for (const replies of [[right], [wrong, wrong, wrong, wrong], [wrong, "Left", "Left", "Left"]]) {
      const { trajectory } = await answering(replies);
      expect(trajectory.tokens.responseMask.at(-1)).toBe(1);
    }
  });

  it("a request does not grow with the episode, and writing into it changes nothing", () => {
    const { begin, reply } = alone();
    const episode = begin();
    const first = episode.request()!.promptIds;
    const copy = first.slice();
    reply(episode, "Left<eos>", 0);
    expect(first).toEqual(copy);
    const second = episode.request()!.promptIds;
    const asked = second.slice();
    second.fill(0);
    expect(episode.request()!.promptIds).toEqual(asked);
  });

  it("no turn begins that the context limit would cut", async () => {
    const whole = (await answering([wrong, wrong, wrong, wrong])).trajectory.tokens.ids.length;
    const maxReply = questionTask().vocabulary.encode(wrong).length;
    // One token is kept for the end of turn, which this policy writes itself.
    const limited = (contextLimit: number) =>
      answering([wrong, wrong, wrong, wrong], { areal: { contextLimit, maxReply } });
    expect((await limited(whole + 1)).trajectory.turns).toHaveLength(4);
    const { trajectory } = await limited(whole);
    expect(trajectory.turns).toHaveLength(3);
    expect(trajectory).toMatchObject({ truncated: true, terminated: false });
    await expect(limited(5)).rejects.toThrow("do not fit into 5");
  });

  it("a question and its pictures are only read", async () => {
    const { begin, question, reply } = alone();
    const before = structuredClone(question);
    const episode = begin(Object.freeze({ ...question, images: Object.freeze([...question.images]) }));
    while (episode.request()) reply(episode, "Left", 0);
    expect(question).toEqual(before);
    const [once, again] = [await answering([wrong, right]), await answering([wrong, right])];
    expect(again.trajectory.turns[0]!.observation).toEqual(once.trajectory.turns[0]!.observation);
  });

  it("a right answer in the wrong form gets the feedback, and may be repeated", async () => {
    const { trajectory } = await answering([sloppy, right]);
    expect(trajectory.turns.map(({ taskReward }) => taskReward)).toEqual([0.9, 0.9]);
    expect(trajectory.turns[1]!.observation.text).toBe(settings.feedback);
    expect(trajectory).toMatchObject({ success: true, terminated: true, truncated: false });
    expect(trajectory.tokens.rewards.at(-1)).toBeCloseTo(0.9);
  });
});

describe("export of an episode as separate sequences", () => {
  it("passes rewards backwards, from later turns to earlier ones", () => {
    // R_2 = 1, R_1 = 0 + 0.5, R_0 = 0.1 + 0.25
    expect(passedBack([0.1, 0, 1], 0.5)).toEqual([0.35, 0.5, 1]);
    expect(passedBack([], 0.5)).toEqual([]);
  });

  it("is a sequence per reply, each with all that came before it and R_i = r_i + turn_discount R_{i+1}", async () => {
    const { trajectory } = await answering([wrong, sloppy, right], { areal: { exportStyle: "individual" } });
    const { tokens } = trajectory;
    const { sequences, responseMask, rewards, ids, versions } = tokens;
    expect(sequences!.map(({ firstTurn, lastTurn }) => [firstTurn, lastTurn])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
    // R_2 = 1, R_1 = 0.9 + 0.5, R_0 = 0.1 + 0.7
    expect(sequences!.map(({ to }) => rewards[to - 1])).toEqual([0.8, 1.4, 1].map(Math.fround));
    const whole = (await answering([wrong, sloppy, right])).trajectory.tokens;
    for (const [k, { from, to }] of sequences!.entries()) {
      expect(ids.slice(from, to)).toEqual(whole.ids.slice(0, to - from));
      const own = Array.from(responseMask.subarray(from, to));
      expect(own).toEqual(
        Array.from(whole.responseMask.subarray(0, to - from), (m, t) => (whole.turnIndex[t] === k ? m : 0)),
      );
      expect(Array.from(versions!.subarray(from, to))).toEqual(own.map((m) => (m ? 7 : -1)));
      const context = Array.from(tokens.rolloutLogprobs.subarray(from, to)).filter((_, t) => !own[t]);
      expect(new Set(context)).toEqual(new Set([0]));
    }
    expect(trajectory.turns.map(({ reward }) => reward)).toEqual([0.1, 0.9, 1]);
  });
});

describe("many episodes at once", () => {
  it("are what each would be alone, in whatever batches, and end one by one", async () => {
    const task = questionTask();
    const policy = scriptedPolicy((_env, { turn, random }) =>
      task.vocabulary.encode(answer(random.float() < 0.5 ? "Left" : answerTo(turn))),
    );
    const episodes = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, seed: i, groupId: "g", rngKey: i }));
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 40, seed: 9 };
    const play = { task, policy, areal: settings, episodes, sampling };
    const together = await arealRollout(play);
    expect(await arealRollout({ ...play, parallel: 5 })).toEqual(together);
    expect(new Set(together.map(({ turns }) => turns.length)).size).toBeGreaterThan(2);
    expect(together.map(({ id }) => id)).toEqual(episodes.map(({ id }) => id));
  });

  it("stop when aborted", async () => {
    const task = questionTask();
    const policy = scriptedPolicy(() => Int32Array.of(1));
    const signal = AbortSignal.abort(new Error("enough"));
    const episodes = [{ id: "a", seed: 0, groupId: "g", rngKey: 0 }];
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 4, seed: 9 };
    await expect(arealRollout({ task, policy, areal: settings, episodes, sampling, signal })).rejects.toThrow(
      "enough",
    );
  });
});
