// AReaL's workflow: what it asks, and what ends its episodes.

import { CONTROL_TOKENS } from "../../core/control-tokens.ts";
import { isSolved } from "../../core/solved.ts";
import { envs } from "../../envs/index.ts";
import type { RunConfig } from "../run-config.ts";
import { defaults, type Picture, problem, type Rule } from "./rule.ts";

/** AReaL's workflow asks about pictures, and an answer must leave the question as it was. */
const arealTask: Rule = ({ rollout, env }, picture) => {
  if (rollout.workflow !== "areal" || !picture) return null;
  const spec = envs.get(env.name);
  const options = spec.config.parse(env.config) as { render_mode?: string };
  if (!spec.questions)
    return problem(
      "rollout.workflow",
      "areal",
      `it asks one question that may be tried again, and ${env.name} is a game in which an answer changes the state`,
      'Use "vagen", or set env.name to "visual-math".',
      "vagen",
    );
  return options.render_mode === "text"
    ? problem(
        "rollout.workflow",
        "areal",
        "it asks about pictures, and env.config.render_mode is text",
        'Use "vagen", or set env.config.render_mode to vision.',
        { path: "env.config.render_mode", value: "vision" },
      )
    : null;
};

/** The episode ends at a reward of 1, which a fraction of the format's reward would never complete. */
const arealScale: Rule = ({ rollout, reward }) =>
  rollout.workflow === "areal" && reward.scale_by_turns
    ? problem(
        "reward.scale_by_turns",
        true,
        "the areal workflow stops at a reward of 1, so the format's reward must be paid in full",
        'Turn it off, or set rollout.workflow to "vagen".',
        false,
      )
    : null;

/** What a question pays under AReaL's workflow; null where there is none. What a game pays is not one number. */
function paidForAnswers({ rollout, reward, env }: RunConfig, picture: Picture | null) {
  if (rollout.workflow !== "areal" || !picture) return null;
  const spec = envs.get(env.name);
  const options = spec.config.parse(env.config) as { success_reward?: number; format_reward: number };
  const { success_reward: success, format_reward: form } = options;
  // An answer is one action.
  return spec.questions && success !== undefined ? { success, form, cost: reward.action_cost } : null;
}

const short = (reward: number): number => Number(reward.toPrecision(4));

/** A right answer in the right form must earn the 1 that ends the episode, or it would be told that it is wrong. */
const rightEnds: Rule = (config, picture) => {
  const paid = paidForAnswers(config, picture);
  if (!paid || isSolved(paid.success + paid.form - paid.cost)) return null;
  const { success, form, cost } = paid;
  const expected = `a right answer in the right form earns ${short(success + form - cost)}, and the areal workflow says "${config.rollout.feedback}" to everything below 1`;
  if (isSolved(success + form)) {
    const most = short(success + form - 1);
    return problem("reward.action_cost", cost, expected, `Use at most ${most}, or pay more for success.`);
  }
  const least = short(1 - success + cost);
  const needed = short(1 - form + cost);
  // The form alone must not reach it.
  return isSolved(least)
    ? problem("env.config.success_reward", success, expected, `Use at least ${needed}.`, {
        path: "env.config.success_reward",
        value: needed,
      })
    : problem(
        "env.config.format_reward",
        form,
        expected,
        `Use at least ${least}, or raise env.config.success_reward.`,
      );
};

/** What AReaL pays for the form. */
const USUAL_FORM = 0.1;

/** The form is paid for wrong answers and tool calls, too, so by itself it must stay below the 1 that ends the episode. */
const wrongGoesOn: Rule = (config, picture) => {
  const paid = paidForAnswers(config, picture);
  if (!paid || !isSolved(paid.form)) return null;
  const form = Math.max(USUAL_FORM, short(1 - paid.success + paid.cost));
  const isEnough = !isSolved(form);
  return problem(
    "env.config.format_reward",
    paid.form,
    "a wrong answer in the right form earns as much, and the areal workflow ends an episode at 1",
    isEnough
      ? `Use less than 1, for example ${form}.`
      : "Use less than 1, and an env.config.success_reward that makes 1 with it.",
    isEnough ? form : undefined,
  );
};

/** What only AReaL's workflow reads. */
const AREAL_ONLY = ["export_style", "turn_discount", "feedback"] as const;

const arealOnly: Rule = ({ rollout }) => {
  const set = AREAL_ONLY.find((name) => rollout[name] !== defaults.rollout[name]);
  if (rollout.workflow === "areal" || !set) return null;
  const sequences =
    set === "export_style" ? "; vagen has a sequence per turn with trainer.concat_multi_turn off" : "";
  return problem(
    `rollout.${set}`,
    rollout[set],
    "it belongs to the areal workflow",
    `Set rollout.workflow to "areal", or this to ${JSON.stringify(defaults.rollout[set])}${sequences}.`,
    defaults.rollout[set],
  );
};

const arealRows: Rule = ({ rollout: { workflow }, trainer }) =>
  workflow === "areal" && !trainer.concat_multi_turn
    ? problem(
        "trainer.concat_multi_turn",
        false,
        "the areal workflow always shows the policy the whole episode",
        'Turn it on; rollout.export_style "individual" trains each reply as a sequence.',
        true,
      )
    : null;

/** The feedback is one message of the user. */
const feedbackIsText: Rule = ({ rollout: { workflow, feedback } }) => {
  const control = CONTROL_TOKENS.find((token) => feedback.includes(token));
  if (workflow !== "areal" || (feedback.trim() !== "" && !control)) return null;
  return problem(
    "rollout.feedback",
    feedback,
    control ? `it must not contain the control token ${control}` : "the policy must be told something",
    'For example "wrong, try again".',
    defaults.rollout.feedback,
  );
};

export const arealRules: readonly Rule[] = [
  arealTask,
  arealScale,
  rightEnds,
  wrongGoesOn,
  arealOnly,
  arealRows,
  feedbackIsText,
];
