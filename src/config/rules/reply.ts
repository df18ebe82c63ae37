// The format of replies, and their judge.
import { isPlainAddress, isVariableName, withoutCredentials } from "../../core/address.ts";
import { statingParts } from "../../core/formats.ts";
import { listed, message, setting, value } from "../../core/message.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { type PromptFormat, type RunConfig, STATE_FORMATS } from "../run-config.ts";
import { choices, defaults, problem, type Rule } from "./rule.ts";

/** Tokens of a demonstrated reply besides states and actions: markup and facts. */
const MARKUP_AND_FACTS = 22;

/** Formats with an observation or a prediction. */
const describesState = (format: PromptFormat): boolean => statingParts(format).length > 0;

const FORMAT = "rollout.prompt_format";
const SCORING = "reward.judge_scoring";
const STATES = "rollout.state_format";

/** Whether the environment does not make the agent state where things are. */
const withoutClaims = ({ env }: RunConfig): boolean =>
  envs.all.some(({ id, claims }) => id === env.name && claims.length === 0);

/** Whether the environment's states are not boards. */
const isWorld = ({ env }: RunConfig): boolean =>
  envs.all.some((spec) => spec.id === env.name && spec.isWorld);

const hasOwnSymbols = ({ env }: RunConfig): boolean =>
  envs.all.some((spec) => spec.id === env.name && spec.hasOwnSymbols);

const hasDictionary = ({ env }: RunConfig): boolean =>
  envs.all.some((spec) => spec.id === env.name && spec.hasDictionary);

type StateFormat = RunConfig["rollout"]["state_format"];

/** Whether the environment's states can be written in a representation; some worlds have a dictionary. */
const canBeWritten = (config: RunConfig, written: StateFormat): boolean => {
  if (written === "natural") return true;
  if (isWorld(config)) return written === "structured" && hasDictionary(config);
  return !withoutClaims(config) && !(written === "symbolic" && hasOwnSymbols(config));
};

/** The representation that replies are to use; null where `stateFormat` refuses it, so that no other rule fits replies to it. */
const writtenAs = (config: RunConfig): StateFormat | null => {
  const { state_format: written } = config.rollout;
  return canBeWritten(config, written) ? written : null;
};

/** A representation needs something to represent. */
const stateFormat: Rule = (config) => {
  const { state_format: written, prompt_format: format } = config.rollout;
  if (written === "natural") return null;
  const fitting = STATE_FORMATS.filter((each) => canBeWritten(config, each));
  if (!fitting.includes(written))
    return problem(
      STATES,
      hasOwnSymbols(config)
        ? message`a judge knows no symbols of ${value("env.name", config.env.name)}, so a drawn board could not be judged`
        : message`${value("env.name", config.env.name)} has no board to write down`,
      message`Use ${listed(choices(STATES, ...fitting), "or")}.`,
      "natural",
    );
  return describesState(format)
    ? null
    : problem(
        STATES,
        message`${value(FORMAT, format)} does not describe the state`,
        message`Use ${value(STATES, "natural")}, or a ${setting(FORMAT)} with an observation or a prediction, such as ${value(FORMAT, "grounding_worldmodeling")}.`,
        "natural",
      );
};

/** Boards are drawn with one token a cell, and every part that gives a state draws one. */
const boardsFit: Rule = (config, picture) => {
  const { env, rollout } = config;
  const { prompt_format: format, response_length: limit } = rollout;
  if (writtenAs(config) !== "symbolic" || !picture || !describesState(format)) return null;
  const boards = statingParts(format).length;
  // Reasoning and answer have the actions, with commas between them.
  const actions = 2 * (2 * Number(env.config.max_actions_per_step ?? 1) - 1);
  const longest = boards * (picture.rows * (picture.cols + 1) - 1) + actions + MARKUP_AND_FACTS;
  return longest <= limit
    ? null
    : problem(
        "rollout.response_length",
        message`a reply of the format ${value(FORMAT, format)} that draws a board of ${picture.rows} × ${picture.cols} has about ${longest} tokens`,
        message`Use at least ${longest}, or set ${setting(STATES)} to ${value(STATES, "structured")}.`,
        longest,
      );
};

/** The usual format of an environment in which nothing is stated: a box is for answers to questions, not for moves of a game. */
export const formatWithoutClaims = ({ isQuestion }: Pick<EnvSpec, "isQuestion">): PromptFormat =>
  isQuestion ? "boxed" : "free_think";

/** No judge could judge the observations and predictions. */
const formatJudged: Rule = (config) => {
  if (!withoutClaims(config) || !describesState(config.rollout.prompt_format)) return null;
  const usual = formatWithoutClaims(envs.get(config.env.name));
  const fitting = new Set<PromptFormat>([usual, "free_think", "no_think"]);
  return problem(
    FORMAT,
    message`${value("env.name", config.env.name)} has no places to state, so observations and predictions could not be judged`,
    message`Use ${listed(choices(FORMAT, ...fitting), "or")}.`,
    usual,
  );
};

/** What can be said about a world is fixed, so a rule compares it, with a tolerance of the world's own. */
const worldJudged: Rule = (config) => {
  if (!isWorld(config)) return null;
  const { name } = config.judge;
  const why = message`claims about ${value("env.name", config.env.name)} are judged by that environment's own rule`;
  if (name !== "rule" && name !== "off")
    return problem("judge.name", why, message`Use ${value("judge.name", "rule")}.`, "rule");
  return config.reward.judge_scoring === "cells"
    ? null
    : problem(SCORING, why, message`Use ${value(SCORING, "cells")}.`, "cells");
};

/** A list of relations gives no cells. */
const relationsScored: Rule = (config) =>
  writtenAs(config) !== "relations" || config.reward.judge_scoring !== "cells" || config.judge.name === "off"
    ? null
    : problem(
        SCORING,
        message`${setting(STATES)} is ${value(STATES, "relations")}, which gives no cells to compare`,
        message`Use ${listed(choices(SCORING, "vagen", "exact_f1", "soft_f1", "rubric"), "or")}.`,
        "vagen",
      );

/** Most things that are usually on a board: boxes and targets, or the goal and two deviations more holes than expected. */
function thingsOn({ env }: RunConfig, cells: number): number {
  const { num_boxes: boxes, p = 0.8 } = env.config as { num_boxes?: number; p?: number };
  const holes = cells * (1 - p);
  return boxes === undefined ? 1 + Math.ceil(holes + 2 * Math.sqrt(holes * p)) : 2 * boxes;
}

/** Three tokens and a comma for each thing in each part that gives the state. */
const relationsFit: Rule = (config, picture) => {
  const { prompt_format: format, response_length: limit } = config.rollout;
  if (writtenAs(config) !== "relations" || !picture || !describesState(format)) return null;
  const things = thingsOn(config, picture.rows * picture.cols);
  const actions = 2 * (2 * Number(config.env.config.max_actions_per_step ?? 1) - 1);
  const longest = statingParts(format).length * (4 * things + 1) + actions + MARKUP_AND_FACTS;
  return longest <= limit
    ? null
    : problem(
        "rollout.response_length",
        message`a reply of the format ${value(FORMAT, format)} that lists up to ${things} things has about ${longest} tokens`,
        message`Use at least ${longest}, or set ${setting(STATES)} to ${value(STATES, "structured")}.`,
        longest,
      );
};

/** A model answers in words: it can say YES or NO, or read relations, but not give cells to compare. */
const judgeScoring: Rule = ({ judge, reward: { judge_scoring: scoring } }) =>
  judge.name !== "llm" || (scoring !== "cells" && scoring !== "clauses")
    ? null
    : problem(
        SCORING,
        message`${setting("judge.name")} is ${value("judge.name", "llm")}, and a model gives no cells to compare`,
        message`Use ${listed(choices(SCORING, "rubric", "vagen", "exact_f1", "soft_f1"), "or")}; or set ${setting("judge.name")} to ${value("judge.name", "rule")}.`,
        "rubric",
      );

/** A judge would never be called. */
const judgeAsked: Rule = (config) =>
  !withoutClaims(config) || config.judge.name === "off"
    ? null
    : problem(
        "judge.name",
        message`${value("env.name", config.env.name)} has nothing to judge`,
        message`Use ${value("judge.name", "off")}.`,
        "off",
      );

const recordingNamed: Rule = ({ judge }) =>
  judge.name !== "recorded" || judge.recording !== ""
    ? null
    : problem(
        "judge.recording",
        message`${setting("judge.name")} is ${value("judge.name", "recorded")}, which needs a file of verdicts`,
        "Name one, for example run/verdicts.jsonl.",
      );

/** Configurations are stored, shared and shown, so they must not hold any part of a key. */
const endpoint: Rule = ({ judge: { base_url: url } }) => {
  if (url === "" || isPlainAddress(url)) return null;
  const plain = withoutCredentials(url);
  const found = isPlainAddress(plain)
    ? problem(
        "judge.base_url",
        "it was given with a user name, a password, a query or a fragment, which are left out here and refused",
        message`Give the address alone. A key is typed in the page, or set in the environment variable that ${setting("judge.api_key_env")} names.`,
        plain,
      )
    : problem(
        "judge.base_url",
        "it must be an http or https address",
        "For example http://localhost:8000/v1, or leave it empty for the provider's own.",
      );
  return { ...found, value: plain };
};

/** The value may be a key by mistake, so it is not repeated. */
const keyVariable: Rule = ({ judge: { api_key_env: name } }) =>
  isVariableName(name)
    ? null
    : {
        ...problem(
          "judge.api_key_env",
          "it must be the name of an environment variable",
          "Use capitals, digits and underscores, for example VAGEN_KEY_OPENAI. The key itself never belongs in a configuration.",
          defaults.judge.api_key_env,
        ),
        value: "(not shown)",
      };

export const replyRules: readonly Rule[] = [
  stateFormat,
  boardsFit,
  relationsFit,
  relationsScored,
  worldJudged,
  judgeScoring,
  recordingNamed,
  endpoint,
  keyVariable,
  formatJudged,
  judgeAsked,
];
