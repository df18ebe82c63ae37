// Which tokens of demonstrated replies count as the decision, in every kind of template.
import { describe, expect, it } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { decisionTokens, factTokens } from "./decision-tokens.ts";
import { demonstrationBatch } from "./players.ts";
import type { Task } from "./task.ts";
import { testTask } from "./test-task.ts";

/** What the marked tokens of each turn of a demonstrated episode say. */
async function marked(
  marksOf: typeof decisionTokens,
  env: string,
  options: Partial<Task> = {},
  config: object = {},
  skill = { randomFraction: 0, expertFraction: 1 },
) {
  const task = testTask(env, options, config);
  await task.spec.load?.();
  const [played] = (await demonstrationBatch({
    task,
    episodes: [{ id: "e", seed: 3, groupId: "g", rngKey: 1 }],
    skill,
    oneTurn: false,
    seed: 0,
  })) as [Trajectory];
  const marks = marksOf(played, task.vocabulary);
  const said = played.turns.map((_, turn) =>
    task.vocabulary.decode(
      Array.from(played.tokens.ids).filter((_, t) => marks[t] && played.tokens.turnIndex[t] === turn),
    ),
  );
  return { ...played, said, marks };
}

const decided = (env: string, options?: Partial<Task>, config?: object) =>
  marked(decisionTokens, env, options, config);
const stated = (
  env: string,
  options?: Partial<Task>,
  config?: object,
  skill?: { randomFraction: number; expertFraction: number },
) => marked(factTokens, env, options, config, skill);

describe("the decision of a reply", () => {
  it("is the last part of the reasoning, and the answer", async () => {
    const { turns, said } = await decided("frozenlake");
    for (const [k, { reply, parsed }] of turns.entries()) {
      const { answer } = parsed;
      expect(said[k]).toBe(` ; so move ${answer}${answer}`);
      expect(reply).toContain(` ; so move ${answer}</reasoning>`);
    }
  });

  it("is the answer alone where nothing is reasoned", async () => {
    const { turns, said } = await decided("frozenlake", { format: "no_think" });
    expect(said).toEqual(turns.map(({ parsed }) => parsed.answer));
  });

  it("begins with what leads to it, where that is said", async () => {
    const { turns, said } = await decided("spatial-gym", {}, { task: "distance", resolution: 64 });
    const last = turns.at(-1)!;
    expect(last.parsed.answer).toMatch(/^Answer/);
    expect(said.at(-1)).toMatch(/^ ; from the \w+ minus \d+ .* (nearer|farther) ; so Answer/);
    expect(last.reply).toContain(said.at(-1)!.slice(0, -last.parsed.answer.length));
    for (const words of said.slice(0, -1)) expect(words).toMatch(/^ ; so /);
  });

  it("is never a token of an earlier turn that a later sequence repeats", async () => {
    const whole = await decided("frozenlake");
    const split = await decided("frozenlake", { layout: { kind: "no_concat", historyTurns: 2 } });
    expect(split.tokens.ids.length).toBeGreaterThan(whole.tokens.ids.length);
    expect(split.said).toEqual(whole.said);
    for (const [t, mark] of split.marks.entries()) if (mark) expect(split.tokens.responseMask[t]).toBe(1);
  });
});

describe("the facts of a reply", () => {
  it("are the observation, and the reasoning before the decision", async () => {
    const { turns, said } = await stated("frozenlake");
    for (const [k, { parsed }] of turns.entries()) {
      const facts = parsed.reasoning.slice(0, parsed.reasoning.lastIndexOf(" ; so "));
      expect(facts).not.toBe("");
      expect(said[k]).toBe(parsed.observation + facts);
    }
  });

  it("are those of the reasoning alone where there is no observation", async () => {
    const { turns, said } = await stated("frozenlake", { format: "free_think" });
    for (const [k, { parsed }] of turns.entries())
      expect(said[k]).toBe(parsed.reasoning.slice(0, parsed.reasoning.lastIndexOf(" ; so ")));
  });

  it("are none where nothing is said but the answer", async () => {
    expect((await stated("frozenlake", { format: "no_think" })).said.join("")).toBe("");
  });

  it("are neither a guess nor the reason of a tool call", async () => {
    const guessing = await stated(
      "visual-math",
      { format: "free_think" },
      {},
      { randomFraction: 1, expertFraction: 0 },
    );
    expect(guessing.turns[0]!.parsed.reasoning).toBe("guess");
    expect(guessing.said[0]).toBe("");
    const measuring = await stated("visual-math", { format: "free_think" }, { difficulty: "hard" });
    expect(measuring.turns[0]!.reply).toContain("measure");
    expect(measuring.said[0]).toBe("");
  });

  it("are the same in sequences of their own", async () => {
    const whole = await stated("frozenlake");
    const split = await stated("frozenlake", { layout: { kind: "no_concat", historyTurns: 2 } });
    expect(split.said).toEqual(whole.said);
    for (const [t, mark] of split.marks.entries()) if (mark) expect(split.tokens.responseMask[t]).toBe(1);
  });

  it.each(["sokoban", "navigation", "primitive-skill", "svg", "visual-math", "spatial-gym"])(
    "share no token with the decision: %s",
    async (env) => {
      const [facts, decision] = [await stated(env), await decided(env)];
      expect(facts.said.join("")).not.toBe("");
      for (const [t, mark] of facts.marks.entries()) expect(mark && decision.marks[t]).toBeFalsy();
    },
  );
});
