// Where claims are paid: worked replies, whole, cut and damaged, in one sequence and in one for each turn.
import { describe, expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { FormatId } from "../core/formats.ts";
import type { Turn } from "../core/types.ts";
import { atTurnEnds } from "../rl/reward/placement.ts";
import { buildTask } from "../run/task.ts";
import { creditSections } from "./claim-credit.ts";
import { conversation, turnSequences } from "./conversation.ts";
import { parseReply } from "./reply.ts";

const WHOLE =
  "<think><observation>row 1</observation><reasoning>Down</reasoning><prediction>row 2\n</prediction></think><answer>Down</answer>";

function play(
  replies: readonly string[],
  { format = "grounding_worldmodeling" as FormatId, history = -1 } = {},
) {
  const { vocabulary } = buildTask(checkedRunConfig({ rollout: { prompt_format: format } }));
  const talk = conversation(vocabulary.image);
  talk.addOpening(vocabulary.encode("<bos>"));
  const turns = replies.map((reply) => {
    talk.addPrompt(vocabulary.encode("<user>turn 1<assistant>"));
    const ids = vocabulary.encode(reply);
    talk.addReply({ ids, logprobs: new Float32Array(ids.length) });
    const parsed = parseReply(reply, { format, actions: ["Down"], maxActions: 1 });
    const rewards = { task: 1, state_estimation: 0.25, transition_modeling: 0.5 };
    return { reply, parsed, rewards, reward: 1.75 } as unknown as Turn;
  });
  const plans = history < 0 ? undefined : turnSequences(turns.length, history);
  const before = talk.finish(
    turns.map(({ reward }) => reward),
    plans,
  );
  const after = creditSections(before, turns, vocabulary);
  /** What precedes each paid token within the reply of its turn, itself included, and the reward. */
  const paid = Array.from(after.rewards).flatMap((reward, at) => {
    if (reward === 0) return [];
    const own = Array.from(after.ids.subarray(0, at + 1)).filter(
      (_, i) => after.responseMask[i] && after.turnIndex[i] === after.turnIndex[at],
    );
    return [[vocabulary.decode(own), reward] as const];
  });
  return { before, after, paid };
}

const FIRST = "<think><observation>row 1";
const SECOND = `${FIRST}</observation><reasoning>Down</reasoning><prediction>row 2`;

describe("a claim is paid at the last token of its section", () => {
  it("which is the last of its text, without the white space and the tag behind it", () => {
    expect(play([WHOLE]).paid).toEqual([
      [FIRST, 0.25],
      [SECOND, 0.5],
      [WHOLE, 1],
    ]);
  });

  it("also where a character takes several tokens", () => {
    const spelled = WHOLE.replace("row 1", "row é");
    expect(play([spelled]).paid[0]).toEqual(["<think><observation>row é", 0.25]);
  });

  it("in every turn, in one conversation or in a sequence for each turn with history", () => {
    for (const history of [-1, 0, 1]) {
      const { paid } = play([WHOLE, WHOLE], { history });
      expect(paid.map(([, reward]) => reward)).toEqual([0.25, 0.5, 1, 0.25, 0.5, 1]);
      expect(paid.slice(3)).toEqual(paid.slice(0, 3));
    }
  });

  it("and VAGEN's order of 2026 may put the claim under another tag", () => {
    const reply =
      "<perception>row 1</perception><reasoning>Down</reasoning><prediction>row 2</prediction><answer>Down</answer>";
    expect(play([reply], { format: "wm_2026" }).paid.map(([text]) => text)).toEqual([
      "<perception>row 1",
      "<perception>row 1</perception><reasoning>Down</reasoning><prediction>row 2",
      reply,
    ]);
  });

  it("or at the end of the turn where the section is missing", () => {
    const without = WHOLE.replace(/<prediction>[\s\S]*<\/prediction>/, "");
    expect(play([without]).paid).toEqual([
      [FIRST, 0.25],
      [without, 1.5],
    ]);
    const salvaged = "perception: row 1\nprediction: row 2\nanswer: Down";
    expect(play([salvaged], { format: "wm_2026" }).paid).toEqual([[salvaged, 1.75]]);
  });

  it("or at the cut, where the reply was cut within the section", () => {
    const cut = "<think><observation>row 1</observation><reasoning>Down</reasoning><prediction>row";
    expect(play([cut]).paid).toEqual([
      [FIRST, 0.25],
      [cut, 1.5],
    ]);
  });
});

it("sums over a turn are those of turn_end, exactly so where estimators read them", () => {
  for (const history of [-1, 1]) {
    const { before, after } = play([WHOLE, "Down", WHOLE.slice(0, 40)], { history });
    expect(Array.from(after.rewards)).not.toEqual(Array.from(before.rewards));
    expect(Array.from(atTurnEnds(after))).toEqual(Array.from(before.rewards));
  }
});
