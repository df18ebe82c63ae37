// AReaL's workflow: which tasks it needs, and what ends its episodes.
import { CONTROL_TOKENS } from "../../core/control-tokens.ts";
import { message, setting, value } from "../../core/message.ts";
import { isSolved } from "../../core/solved.ts";
import { envs } from "../../envs/index.ts";
import { feedbackOf } from "../feedback.ts";
import type { RunConfig } from "../run-config.ts";
import { defaults, type Picture, problem, type Rule } from "./rule.ts";

const STYLE = "rollout.export_style";
const MODE = "env.config.render_mode";
const AREAL = value("rollout.workflow", "areal");
const VAGEN = value("rollout.workflow", "vagen");

/** AReaL's workflow asks about pictures, and an answer must leave the question as it was. */
const arealTask: Rule = ({ rollout, env }, picture) => {
  if (rollout.workflow !== "areal" || !picture) return null;
  const spec = envs.get(env.name);
  const options = spec.config.parse(env.config) as { render_mode?: string };
  if (!spec.isQuestion)
    return problem(
      "rollout.workflow",
      message`it asks one question that may be tried again, and ${value("env.name", env.name)} is a game in which an answer changes the state`,
      message`Use ${VAGEN}, or set ${setting("env.name")} to ${value("env.name", "visual-math")}.`,
      "vagen",
    );
  return options.render_mode === "text"
    ? problem(
        "rollout.workflow",
        message`it asks about pictures, and ${setting(MODE)} is ${value(MODE, "text")}`,
        message`Use ${VAGEN}, or set ${setting(MODE)} to ${value(MODE, "vision")}.`,
        { path: MODE, value: "vision" },
      )
    : null;
};

/** The episode ends at a reward of 1, which a fraction of the format's reward would never complete. */
const arealScale: Rule = ({ rollout, reward }) =>
  rollout.workflow === "areal" && reward.scale_by_turns
    ? problem(
        "reward.scale_by_turns",
        message`the workflow ${AREAL} ends an episode at a reward of 1, so the format's reward must be paid in full`,
        message`Turn it off, or set ${setting("rollout.workflow")} to ${VAGEN}.`,
        false,
      )
    : null;

/** What a question pays under AReaL's workflow; null where there is none. What a game pays is not one number. */
function paidForAnswers({ rollout, reward, env }: RunConfig, picture: Picture | null) {
  if (rollout.workflow !== "areal" || !picture) return null;
  const spec = envs.get(env.name);
  const options = spec.config.parse(env.config) as { success_reward?: number; format_reward: number };
  const { success_reward: success, format_reward: form } = options;
  // An answer is one action and one turn.
  const cost = reward.action_cost + reward.turn_cost;
  return spec.isQuestion && success !== undefined ? { success, form, cost } : null;
}

const short = (reward: number): number => Number(reward.toPrecision(4));

/** A right answer in the right form must earn the 1 that ends the episode, or the user would call it wrong. */
const rightEnds: Rule = (config, picture) => {
  const paid = paidForAnswers(config, picture);
  if (!paid || isSolved(paid.success + paid.form - paid.cost)) return null;
  const { success, form, cost } = paid;
  const { reward } = config;
  const expected = message`a right answer in the right form earns ${short(success + form - cost)}, and the workflow ${AREAL} says "${feedbackOf(config)}" to everything below 1`;
  if (isSolved(success + form)) {
    const [path, other] =
      reward.action_cost > 0 ? (["action_cost", reward.turn_cost] as const) : (["turn_cost", 0] as const);
    const most = short(Math.max(0, success + form - 1 - other));
    return problem(`reward.${path}`, expected, `Use at most ${most}, or pay more for success.`);
  }
  const least = short(1 - success + cost);
  const needed = short(1 - form + cost);
  // The form alone must not reach it.
  return isSolved(least)
    ? problem("env.config.success_reward", expected, `Use at least ${needed}.`, needed)
    : problem(
        "env.config.format_reward",
        expected,
        message`Use at least ${least}, or raise ${setting("env.config.success_reward")}.`,
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
    message`a wrong answer in the right form earns as much, and the workflow ${AREAL} ends an episode at 1`,
    isEnough
      ? `Use less than 1, for example ${form}.`
      : message`Use less than 1, and a value of ${setting("env.config.success_reward")} that adds up to 1 with it.`,
    isEnough ? form : undefined,
  );
};

/** Settings that only AReaL's workflow reads. */
export const AREAL_ONLY = ["export_style", "turn_discount", "feedback", "feedback_text"] as const;

const arealOnly: Rule = ({ rollout }) => {
  const set = AREAL_ONLY.find((name) => rollout[name] !== defaults.rollout[name]);
  if (rollout.workflow === "areal" || !set) return null;
  const path = `rollout.${set}`;
  const sequences =
    set === "export_style"
      ? message`; ${VAGEN} has a sequence per turn with ${value("trainer.harness", "no_concat")} as ${setting("trainer.harness")}`
      : "";
  return problem(
    path,
    message`it belongs to the workflow ${AREAL}`,
    message`Set ${setting("rollout.workflow")} to ${AREAL}, or this to ${value(path, defaults.rollout[set])}${sequences}.`,
    defaults.rollout[set],
  );
};

const arealRows: Rule = ({ rollout: { workflow }, trainer }) =>
  workflow === "areal" && trainer.harness !== "concat"
    ? problem(
        "trainer.harness",
        message`the workflow ${AREAL} always shows the policy the whole episode`,
        message`Use ${value("trainer.harness", "concat")}; ${value(STYLE, "individual")} as ${setting(STYLE)} trains each reply as a sequence.`,
        "concat",
      )
    : null;

/** The feedback is one message of the user. */
const feedbackIsText: Rule = ({ rollout: { workflow, feedback } }) => {
  const control = CONTROL_TOKENS.find((token) => feedback.includes(token));
  if (workflow !== "areal" || (feedback.trim() !== "" && !control)) return null;
  return problem(
    "rollout.feedback",
    control
      ? `it must not contain the control token ${control}`
      : message`the workflow ${AREAL} answers every wrong reply with it`,
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
