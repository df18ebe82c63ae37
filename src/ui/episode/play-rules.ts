// Which judge and how many turns a policy that plays a level has, and whose they are.
import type { RunConfig } from "../../config/run-config.ts";
import { counted } from "../../core/format.ts";
import { type PlayRules, rulesOf } from "../../worker/onnx-protocol.ts";
import { valueText } from "../settings/words.ts";

interface RulesOfPlay {
  rules: PlayRules;
  /** The same in sentences. */
  words: string;
}

/**
 * An opened file plays by the judge and the turns of its own configuration, which came with it. A bundled policy plays by those of the run
 * on screen, for as many turns as it has words for.
 * @param own those of the policy's own run
 */
export function rulesOfPlay(
  run: Pick<RunConfig, "judge" | "reward" | "rollout">,
  own: PlayRules,
  isFile: boolean,
): RulesOfPlay {
  if (isFile) return { rules: own, words: `Judge and turns are those of the file: ${bothOf(own)}.` };
  const rules = rulesOf(run);
  if (rules.turns <= own.turns)
    return { rules, words: `Judge and turns are those of the configuration: ${bothOf(rules)}.` };
  const judge = `The judge is that of the configuration: ${judgeOf(rules)}.`;
  const turns = `An episode has ${turnsOf(own)} instead of ${rules.turns}, because the policy was trained for no more.`;
  return { rules: { ...rules, turns: own.turns }, words: `${judge} ${turns}` };
}

const bothOf = (rules: PlayRules): string => `${judgeOf(rules)}, and ${turnsOf(rules)}`;
const turnsOf = ({ turns }: PlayRules): string => `at most ${counted(turns, "turn")}`;

/** A judge that needs files or a network is replaced by the rule, because the worker that plays has neither. */
function judgeOf({ judge: { name, scoring } }: PlayRules): string {
  if (name === "off") return "no judge";
  const rule = `the rule “${valueText("reward.judge_scoring", scoring)}”`;
  return name === "rule"
    ? rule
    : `${rule} instead of “${valueText("judge.name", name)}”, which judges runs only`;
}
