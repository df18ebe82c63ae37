// What a reply says, and who judges it.

import { isPlainAddress, isVariableName, withoutCredentials } from "../../core/address.ts";
import { statingParts } from "../../core/formats.ts";
import { envs } from "../../envs/index.ts";
import type { PromptFormat, RunConfig } from "../run-config.ts";
import { defaults, problem, type Rule } from "./rule.ts";

/** Tokens of a demonstrated reply besides states and actions: markup and facts. */
const MARKUP_AND_FACTS = 22;

/** Formats with an observation or a prediction. */
const describesState = (format: PromptFormat): boolean => statingParts(format).length > 0;

/** A representation needs a state to represent. */
const stateFormat: Rule = ({ env, rollout: { state_format: written, prompt_format: format } }) => {
  if (written === "natural") return null;
  const spec = envs.all.find(({ id }) => id === env.name);
  if (spec?.claims.length === 0)
    return problem(
      "rollout.state_format",
      written,
      `${spec.title} has no places to write down`,
      'Use "natural".',
      "natural",
    );
  return describesState(format)
    ? null
    : problem(
        "rollout.state_format",
        written,
        `${format} does not describe the state`,
        'Use "natural", or a rollout.prompt_format with an observation or a prediction, such as grounding_worldmodeling.',
        "natural",
      );
};

/** Boards are drawn with one token a cell, and every part that gives a state draws one. */
const boardsFit: Rule = ({ env, rollout }, picture) => {
  const { state_format: written, prompt_format: format, response_length: limit } = rollout;
  if (written !== "symbolic" || !picture || !describesState(format)) return null;
  const boards = statingParts(format).length;
  // Actions stand in reasoning and answer, with commas between them.
  const actions = 2 * (2 * Number(env.config.max_actions_per_step ?? 1) - 1);
  const longest = boards * (picture.rows * (picture.cols + 1) - 1) + actions + MARKUP_AND_FACTS;
  return longest <= limit
    ? null
    : problem(
        "rollout.response_length",
        limit,
        `a ${format} reply that draws a board of ${picture.rows} × ${picture.cols} has about ${longest} tokens`,
        `Use at least ${longest}, or "structured" as rollout.state_format.`,
        longest,
      );
};

/** The title of an environment that does not make the agent state where things are; an unknown one is not spoken of here. */
const withoutClaims = ({ env }: RunConfig): string | undefined =>
  envs.all.find(({ id, claims }) => id === env.name && claims.length === 0)?.title;

/** Observations and predictions that nobody can judge. */
const formatJudged: Rule = (config) =>
  !withoutClaims(config) || !describesState(config.rollout.prompt_format)
    ? null
    : problem(
        "rollout.prompt_format",
        config.rollout.prompt_format,
        `${withoutClaims(config)} has no places to state, so observations and predictions could not be judged`,
        'Use "boxed", "free_think" or "no_think".',
        "boxed",
      );

/** A model answers in words: it can say YES or NO, or read relations, but not give cells to compare. */
const judgeScoring: Rule = ({ judge, reward: { judge_scoring: scoring } }) =>
  judge.name !== "llm" || scoring !== "cells"
    ? null
    : problem(
        "reward.judge_scoring",
        scoring,
        "the llm judge cannot score cells",
        'Use "rubric" for YES or NO, "exact_f1" or "soft_f1"; or set judge.name to "rule".',
        "rubric",
      );

/** Whichever judge is named would never be asked. */
const judgeAsked: Rule = (config) =>
  !withoutClaims(config) || config.judge.name === "off"
    ? null
    : problem(
        "judge.name",
        config.judge.name,
        `${withoutClaims(config)} has nothing to judge`,
        'Use "off".',
        "off",
      );

const recordingNamed: Rule = ({ judge }) =>
  judge.name !== "recorded" || judge.recording !== ""
    ? null
    : problem(
        "judge.recording",
        judge.recording,
        "the recorded judge needs a file of verdicts",
        "Name one, for example run/verdicts.jsonl.",
      );

/** Configurations are kept, shared and shown; what they hold of a key is given away with them. */
const endpoint: Rule = ({ judge: { base_url: url } }) => {
  if (url === "" || isPlainAddress(url)) return null;
  const plain = withoutCredentials(url);
  return isPlainAddress(plain)
    ? problem(
        "judge.base_url",
        plain,
        "it was given with a name, a password, a query or a fragment, which are left out here and refused",
        "Give the address alone. A key is typed in the page, or set in the environment variable that judge.api_key_env names.",
        plain,
      )
    : problem(
        "judge.base_url",
        plain,
        "it must be an http or https address",
        "For example http://localhost:8000/v1, or leave it empty for the provider's own.",
      );
};

/** A key that was put in place of the variable's name is not repeated. */
const keyVariable: Rule = ({ judge: { api_key_env: name } }) =>
  isVariableName(name)
    ? null
    : {
        path: "judge.api_key_env",
        value: "",
        message: "judge.api_key_env is not the name of an environment variable.",
        hint: "Use capitals, digits and underscores, for example VAGEN_KEY_OPENAI. The key itself never belongs in a configuration.",
        fix: { path: "judge.api_key_env", value: defaults.judge.api_key_env },
      };

export const replyRules: readonly Rule[] = [
  stateFormat,
  boardsFit,
  judgeScoring,
  recordingNamed,
  endpoint,
  keyVariable,
  formatJudged,
  judgeAsked,
];
