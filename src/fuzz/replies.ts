// Replies of a policy. None is refused: a malformed one is data.

import { parseReply, type ReplyRules } from "../agent/reply.ts";
import { CALL, TAGS, writeFormat } from "../agent/skeleton.ts";
import { FORMAT_IDS, formats } from "../core/formats.ts";
import type { Rng } from "../core/rng.ts";
import { envs } from "../envs/index.ts";
import { mathAlgebra } from "../envs/visual-math/algebra.ts";
import { setAlgebra } from "../envs/visual-math/grade.ts";
import { takeLiterals } from "../judge/literal.ts";
import { promise, type Target } from "./fuzz.ts";
import { mutatedText } from "./mutate.ts";

interface Reply {
  text: string;
  rules: ReplyRules;
}

const WORDS = [
  ...TAGS,
  ...CALL,
  "\\boxed{",
  "}",
  "<image>",
  "<eos>",
  "Left",
  "up, down",
  ",",
  "|",
  " ",
  "\n",
  "{",
  "[",
  '{"player": [1, 2]}',
  "? ",
  "{? ",
  "((",
];

export const replies: Target<Reply> = {
  name: "replies",
  make(random) {
    const rules = rulesOf(random);
    const answer = random
      .shuffle(rules.actions)
      .slice(0, 3)
      .join(rules.separator ?? ",");
    const right = writeFormat(formats.get(rules.format), {
      observation: "player at row 1 col 2, goal at row 3 col 0",
      reasoning: '{"player": [1, 2], "holes": [[0, 1], [2, 2]]}',
      prediction: "player at row 2 col 2",
      answer,
    });
    return { text: mutatedText(random, right, WORDS), rules };
  },
  read({ text, rules }) {
    setAlgebra(mathAlgebra);
    const parsed = parseReply(text, rules);
    promise(parsed.actions.length <= rules.maxActions, "at most max_actions_per_step actions");
    promise(parsed.formatOk || parsed.reason !== "", "a malformed reply has a reason");
    const joined = parsed.sections.map(({ from, to }) => text.slice(from, to)).join("");
    promise(joined === text, "the sections cover the reply without gaps");
    takeLiterals(text);
  },
  show: ({ text, rules }) => JSON.stringify({ text, rules }),
};

function rulesOf(random: Rng): ReplyRules {
  const { actions, readAction } = random.pick(envs.all);
  return {
    format: random.pick(FORMAT_IDS),
    actions,
    maxActions: 1 + random.int(5),
    ...(random.int(2) && { separator: random.pick([",", "|", " ", "||", "."]) }),
    ...(readAction && { readAction }),
    tools: random.int(2) === 0,
  };
}
