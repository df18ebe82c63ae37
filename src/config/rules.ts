// Values that are each allowed but do not go together. One rule, one function; the message names field, value, remedy.
// What belongs to a workflow or a shaping that is off is refused; parameters of an estimator, filter, schedule or penalty that is not
// chosen wait for it, as methods lay estimators over any file, and the form says that they are idle (`ui/configure/idle.ts`).
import { CONTROL_TOKENS } from "../core/control-tokens.ts";
import { statingParts } from "../core/formats.ts";
import { isSolved } from "../core/solved.ts";
import { envs } from "../envs/index.ts";
import { estimators } from "../rl/advantage/index.ts";
import { filters } from "../rl/filter/index.ts";
import { OWN_SETTINGS, termsByWeight } from "../rl/reward/index.ts";
import { mostSamples, separateRows } from "./batch-size.ts";
import type { ConfigFix, ConfigProblem } from "./check.ts";
import { type PromptFormat, RunConfig } from "./run-config.ts";
import { suggestion } from "./suggest.ts";

/** Tiles of the environment's picture; each becomes one patch. */
export type Picture = { rows: number; cols: number };

/** The ids that a configuration may name of the lists that extensions add to. */
export interface KnownIds {
  estimators: readonly string[];
  filters: readonly string[];
  /** Reward terms that have their weight in `reward.weights`. */
  terms: readonly string[];
}

/** Those that are registered now. */
export const knownIds = (): KnownIds => ({
  estimators: estimators.ids,
  filters: filters.ids,
  terms: termsByWeight().map(({ id }) => id),
});

/** While the environment's options are not sound the picture is null; otherwise the options are complete. */
export type Rule = (config: RunConfig, picture: Picture | null, known: KnownIds) => ConfigProblem | null;

const HEAD_CHANNELS = 8;
const MAX_HEAD_CHANNELS = 128;
/** Tokens of a turn besides picture and reply: who speaks, and the number of the turn. */
const TURN_OVERHEAD = 4;
/** Tokens of a demonstrated reply besides states and actions: markup and facts. */
const MARKUP_AND_FACTS = 22;

/** `nearest` is the value of the same setting that solves it, or a fix of another one. */
function problem(
  path: string,
  value: unknown,
  expected: string,
  hint: string,
  nearest?: number | boolean | string | ConfigFix,
): ConfigProblem {
  const fix = typeof nearest === "object" ? nearest : { path, value: nearest };
  const message = `${path} is ${JSON.stringify(value)}; ${expected}.`;
  return { path, value, message, hint, ...(nearest !== undefined && { fix }) };
}

/** Of the possible numbers the one next to the wish, the smaller of two. */
const closest = (possible: readonly number[], wish: number): number | undefined =>
  possible.toSorted((a, b) => Math.abs(a - wish) - Math.abs(b - wish) || a - b)[0];

/** The estimator that is named; an extension's may be missing, which `estimatorKnown` says. */
const estimatorOf = ({ adv_estimator: named }: RunConfig["algorithm"]) =>
  estimators.all.find(({ id }) => id === named);

const divides = (part: number, whole: number): boolean => whole % part === 0;
const divisors = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => i + 1).filter((part) => divides(part, n));
const listed = (numbers: readonly number[]): string => numbers.slice(0, 12).join(", ");

/** Heads share the width equally, and kernels read a head in vectors. */
function headsFit(path: string, heads: number, width: number): ConfigProblem | null {
  const fits = (count: number) =>
    divides(count, width) && divides(HEAD_CHANNELS, width / count) && width / count <= MAX_HEAD_CHANNELS;
  if (fits(heads)) return null;
  const possible = divisors(width).filter(fits);
  return problem(
    path,
    heads,
    `a width of ${width} must split into heads of a multiple of ${HEAD_CHANNELS} channels, at most ${MAX_HEAD_CHANNELS}`,
    possible.length > 0
      ? `Use ${listed(possible)} heads, or another width.`
      : "Use a width that is a multiple of 32.",
    closest(possible, heads),
  );
}

const attentionHeads: Rule = ({ model }) =>
  headsFit("model.num_attention_heads", model.num_attention_heads, model.hidden_size);

const visionHeads: Rule = ({ model }) =>
  model.vision_layers > 0
    ? headsFit("model.vision_heads", model.vision_heads, model.vision_hidden_size)
    : null;

const keyValueHeads: Rule = ({ model: { num_attention_heads: heads, num_key_value_heads: kvHeads } }) =>
  divides(kvHeads, heads)
    ? null
    : problem(
        "model.num_key_value_heads",
        kvHeads,
        `it must divide the ${heads} attention heads`,
        `Use one of ${listed(divisors(heads))}.`,
        closest(divisors(heads), kvHeads),
      );

const mlpWidth: Rule = ({ model: { intermediate_size: width } }) =>
  divides(16, width)
    ? null
    : problem(
        "model.intermediate_size",
        width,
        "it must be a multiple of 16",
        `Use ${Math.max(16, Math.round(width / 16) * 16)}.`,
        Math.max(16, Math.round(width / 16) * 16),
      );

const pixelShuffle: Rule = ({ model: { pixel_shuffle: merge } }, picture) =>
  picture === null || (divides(merge, picture.rows) && divides(merge, picture.cols))
    ? null
    : problem(
        "model.pixel_shuffle",
        merge,
        `it must divide the picture's ${picture.rows} × ${picture.cols} tiles`,
        "Use 1, or a task with a picture of another size.",
        1,
      );

const minibatch: Rule = ({ actor: { ppo_mini_batch_size: size }, rollout }) => {
  const most = mostSamples({ rollout });
  const samples = separateRows({ rollout }) ? "rows that an update can have" : "episodes of an update";
  return size <= most
    ? null
    : problem(
        "actor.ppo_mini_batch_size",
        size,
        `it must not exceed the ${most} ${samples}`,
        `Use at most ${most}, or raise rollout.train_batch_size.`,
        most,
      );
};

const groups: Rule = ({ rollout: { n_trajectory: size, train_batch_size: batch } }) =>
  divides(size, batch)
    ? null
    : problem(
        "rollout.n_trajectory",
        size,
        `it must divide the ${batch} episodes of an update`,
        `Use one of ${listed(divisors(batch))}, or another rollout.train_batch_size.`,
        closest(divisors(batch), size),
      );

/** A size of groups with something to compare, near the usual 4. */
const comparable = (batch: number): number | undefined =>
  closest(
    divisors(batch).filter((size) => size > 1),
    4,
  );

const comparedGroups: Rule = ({ algorithm, rollout: { n_trajectory: size, train_batch_size: batch } }) => {
  const chosen = [estimatorOf(algorithm), filters.all.find(({ id }) => id === algorithm.filter)];
  const comparing = chosen.find((known) => known?.comparesGroups);
  return size > 1 || !comparing
    ? null
    : problem(
        "rollout.n_trajectory",
        size,
        `${comparing.id} compares the episodes of one level, so there must be at least 2`,
        "Use 4 or 8, or another algorithm.adv_estimator and no algorithm.filter.",
        comparable(batch),
      );
};

/** A reply is trained in the context that it was sampled from, or its ratio would be that of another policy. */
const wholeHistory: Rule = ({ trainer, rollout: { window_size: window, max_turns: turns } }) =>
  !trainer.concat_multi_turn || window >= turns - 1
    ? null
    : problem(
        "rollout.window_size",
        window,
        `an episode of ${turns} turns is trained as one sequence, so each reply must be sampled with all of it in sight`,
        `Use at least ${turns - 1}, or turn off trainer.concat_multi_turn for a row per turn.`,
        turns - 1,
      );

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

/** Settings as they are where nobody has set them. */
const defaults = RunConfig.parse({});

/** What only AReaL's workflow reads. */
const AREAL_ONLY = ["export_style", "turn_discount", "feedback"] as const;

const arealOnly: Rule = ({ rollout }) => {
  const set = AREAL_ONLY.find((name) => rollout[name] !== defaults.rollout[name]);
  if (rollout.workflow === "areal" || !set) return null;
  const rows = set === "export_style" ? "; vagen has a row per turn with trainer.concat_multi_turn off" : "";
  return problem(
    `rollout.${set}`,
    rollout[set],
    "it belongs to the areal workflow",
    `Set rollout.workflow to "areal", or this to ${JSON.stringify(defaults.rollout[set])}${rows}.`,
    defaults.rollout[set],
  );
};

/** A penalty for tokens that are none. */
const overlongTokens: Rule = ({ algorithm: { overlong_tokens: tokens, overlong_penalty_factor: factor } }) =>
  tokens > 0 || factor === 1
    ? null
    : problem(
        "algorithm.overlong_penalty_factor",
        factor,
        "it is the price of overlong tokens, and algorithm.overlong_tokens is 0",
        "Set algorithm.overlong_tokens, or this to 1.",
        1,
      );

const arealRows: Rule = ({ rollout: { workflow }, trainer }) =>
  workflow === "areal" && !trainer.concat_multi_turn
    ? problem(
        "trainer.concat_multi_turn",
        false,
        "the areal workflow always shows the policy the whole episode",
        'Turn it on; rollout.export_style "individual" trains each reply as a row.',
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

/** AReaL's shaping is of the one reward that a row has. */
const SHAPING = [
  "reward_norm_mean_level",
  "reward_norm_std_level",
  "reward_bias",
  "reward_scaling",
  "reward_clip",
  "overlong_tokens",
] as const;

const oneReward: Rule = ({ algorithm, rollout }) => {
  if (rollout.workflow === "areal" || !rollout.use_multi_turn_reward) return null;
  const shaped = SHAPING.find((name) => algorithm[name] !== defaults.algorithm[name]);
  return shaped
    ? problem(
        `algorithm.${shaped}`,
        algorithm[shaped],
        "it shapes the one reward of an episode, and here every turn has one",
        "Turn off rollout.use_multi_turn_reward.",
        { path: "rollout.use_multi_turn_reward", value: false },
      )
    : null;
};

const NORMS = ["reward_norm", "adv_norm"] as const;

/** A group of one has nothing to compare: normalised, every reward would be 0. */
const normGroups: Rule = ({ algorithm, rollout: { n_trajectory: size, train_batch_size: batch } }) => {
  const paths = NORMS.flatMap((norm) => [`${norm}_mean_level`, `${norm}_std_level`] as const);
  const grouped = paths.find((path) => algorithm[path] === "group");
  return grouped && size < 2
    ? problem(
        "rollout.n_trajectory",
        size,
        `algorithm.${grouped} compares the episodes of one level, so there must be at least 2`,
        `Use 4 or 8, or set algorithm.${grouped} to "batch".`,
        comparable(batch),
      )
    : null;
};

const othersHaveMean: Rule = ({ algorithm }) => {
  const norm = NORMS.find(
    (name) => algorithm[`${name}_mean_leave1out`] && algorithm[`${name}_mean_level`] === "none",
  );
  return norm
    ? problem(
        `algorithm.${norm}_mean_leave1out`,
        true,
        "no mean is subtracted that could leave something out",
        `Set algorithm.${norm}_mean_level to "group" or "batch".`,
        false,
      )
    : null;
};

/** Levels say how advantages are whitened, where they are. */
const levelsWhiten: Rule = ({ algorithm }) => {
  const { adv_norm_mean_level: mean, adv_norm_std_level: std, adv_norm_mean_leave1out: others } = algorithm;
  const changed = mean !== "batch" ? "mean_level" : std !== "batch" ? "std_level" : "mean_leave1out";
  if (mean === "batch" && std === "batch" && !others) return null;
  const isNormalised = estimatorOf(algorithm)?.whitenOver === "none";
  if (algorithm.whiten_advantages && !isNormalised) return null;
  return problem(
    `algorithm.adv_norm_${changed}`,
    algorithm[`adv_norm_${changed}`],
    isNormalised
      ? `the advantages of ${algorithm.adv_estimator} are normalised already`
      : "it says how advantages are whitened, and they are not",
    isNormalised
      ? "Use reinforce_plus_plus, which is REINFORCE with this whitening, or leave it as it was."
      : "Turn on algorithm.whiten_advantages.",
    isNormalised
      ? changed === "mean_leave1out"
        ? false
        : "batch"
      : { path: "algorithm.whiten_advantages", value: true },
  );
};

/** Rows of one episode repeat its observations and replies as history, which must count once. */
const rowsAreMasked: Rule = ({ trainer, algorithm, rollout }) => {
  if (trainer.concat_multi_turn && rollout.export_style === "concat") return null;
  const history = "where each turn is a row, rows repeat history, which would be credited again in each";
  const oneRow = trainer.concat_multi_turn
    ? 'set rollout.export_style to "concat"'
    : "turn on trainer.concat_multi_turn";
  if (estimatorOf(algorithm)?.usesEveryToken)
    return problem(
      "algorithm.adv_estimator",
      algorithm.adv_estimator,
      history,
      `Use masked_gae or no_concat_gae, or ${oneRow}.`,
      "masked_gae",
    );
  const mask = (["use_loss_mask", "use_gae_mask"] as const).find((name) => !rollout[name]);
  return mask ? problem(`rollout.${mask}`, false, history, `Turn it on, or ${oneRow}.`, true) : null;
};

/** Without the mask a turn begins at the observation before it, whose value is read but, untrained, never learned. */
const anchorIsOwn: Rule = ({ algorithm, rollout: { use_gae_mask: isMasked } }) => {
  const estimator = estimatorOf(algorithm);
  const chosen = estimator?.usesTurnAnchor && algorithm.turn_value_anchor === "start";
  if (isMasked || !(chosen || estimator?.valueTokens === "turn_start")) return null;
  return problem(
    "rollout.use_gae_mask",
    false,
    `${estimator.id} reads the value of a turn before its first token, which must be the policy's own`,
    chosen
      ? 'Turn it on, or set algorithm.turn_value_anchor to "end".'
      : "Turn it on, or use another algorithm.adv_estimator.",
    true,
  );
};

/** Without a critic, updates that train it alone would train nothing. */
const criticFirst: Rule = ({ algorithm, trainer: { critic_warmup: updates } }) =>
  updates > 0 && estimatorOf(algorithm)?.valueTokens === "none"
    ? problem(
        "trainer.critic_warmup",
        updates,
        `${algorithm.adv_estimator} has no critic to train first`,
        "Use 0, or an algorithm.adv_estimator with a critic.",
        0,
      )
    : null;

/** The reference's per-turn GAE takes a turn's score before any KL, so a penalty would change nothing. */
const klCredited: Rule = ({ algorithm }) => {
  const estimator = estimatorOf(algorithm);
  return algorithm.use_kl_in_reward && estimator?.creditsScores
    ? problem(
        "algorithm.use_kl_in_reward",
        true,
        `${estimator.id} credits turns with their scores, from which no KL is taken off`,
        "Turn it off, or turn on actor.use_kl_loss instead.",
        false,
      )
    : null;
};

/** Control multiplies, once an update: from 0 it never moves, and in less than an update it would jump, even below 0. */
const klControl: Rule = ({ algorithm, rollout: { train_batch_size: batch } }) => {
  const { use_kl_in_reward: isUsed, kl_ctrl_type: control, kl_coef: coefficient, horizon } = algorithm;
  if (!isUsed || control !== "adaptive") return null;
  if (coefficient === 0)
    return problem(
      "algorithm.kl_coef",
      coefficient,
      "adaptive control multiplies it, so it would stay 0",
      'Use 0.001, or set algorithm.kl_ctrl_type to "fixed".',
      0.001,
    );
  return horizon >= batch
    ? null
    : problem(
        "algorithm.horizon",
        horizon,
        `adaptive control moves once an update, which has ${batch} episodes`,
        `Use at least ${batch}, usually many times that.`,
        batch,
      );
};

const sequenceRatio: Rule = ({ actor: { loss_mode: mode }, rollout }) =>
  mode !== "gspo" || (rollout.use_loss_mask && rollout.use_gae_mask)
    ? null
    : problem(
        "actor.loss_mode",
        mode,
        "its ratio is that of the policy's own tokens, so it needs both masks",
        "Turn on rollout.use_loss_mask and rollout.use_gae_mask, or use vanilla.",
        "vanilla",
      );

/** At a ratio of 1, where every update begins, a discouraged token costs its advantage: a bound below that has no gradient. */
const secondClip: Rule = ({ actor: { clip_ratio_c: bound } }) =>
  bound === 0 || bound > 1
    ? null
    : problem(
        "actor.clip_ratio_c",
        bound,
        "it must be above 1, or 0 for off: otherwise the gradient of discouraged tokens stops before they are less likely",
        "Use 3, as veRL does, or 0.",
        3,
      );

const behaviourIsKnown: Rule = ({ actor, rollout }) =>
  !actor.use_decoupled_loss || rollout.use_loss_mask
    ? null
    : problem(
        "actor.use_decoupled_loss",
        true,
        "its weights need the probability with which a token was sampled, which only the policy's own tokens have",
        "Turn on rollout.use_loss_mask, or turn it off.",
        false,
      );

const oneTurnUpdates: Rule = ({ sft: { one_turn_updates: first, total_updates: all } }) =>
  // Without a warm-up the curriculum has nothing to apply to.
  first <= all || all === 0
    ? null
    : problem(
        "sft.one_turn_updates",
        first,
        `it must not exceed the ${all} warm-up updates`,
        `Use at most ${all}, or raise sft.total_updates.`,
        all,
      );

/** Greedy replies have no log-probability to improve. */
const temperature: Rule = ({ rollout, trainer }) =>
  rollout.temperature > 0 || trainer.total_updates === 0
    ? null
    : problem(
        "rollout.temperature",
        0,
        "PPO learns from sampled replies, so it must be above 0",
        "Use 1 for training; greedy replies are for evaluation.",
        1,
      );

/** Turns of the longest sequence that the model reads. */
const turnsInSight = ({ trainer, rollout }: RunConfig): number =>
  trainer.concat_multi_turn ? rollout.max_turns : Math.min(rollout.max_turns, rollout.window_size + 1);

/** A sequence is not split over micro-steps: attention needs all of it at once. */
const episodeFits: Rule = (config, picture) => {
  if (!picture) return null;
  const { algorithm, rollout, model, trainer } = config;
  const image = (picture.rows * picture.cols) / model.pixel_shuffle ** 2;
  // The value after the last token is read at one token more.
  const beyond = algorithm.bootstrap_truncated ? 1 : 0;
  const turns = turnsInSight(config);
  // AReaL's workflow shows the picture once.
  const images = rollout.workflow === "areal" ? 1 : turns;
  const longest = images * image + turns * (rollout.response_length + TURN_OVERHEAD) + beyond;
  return longest <= trainer.micro_batch_tokens
    ? null
    : problem(
        "trainer.micro_batch_tokens",
        trainer.micro_batch_tokens,
        `the longest ${trainer.concat_multi_turn ? "episode" : "row"} has about ${Math.ceil(longest)} tokens and must fit into one micro-step`,
        `Use at least ${Math.ceil(longest)}, or lower ${trainer.concat_multi_turn ? "rollout.max_turns" : "rollout.window_size"} or rollout.response_length.`,
        Math.ceil(longest),
      );
};

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

const recordingNamed: Rule = ({ judge }) =>
  judge.name !== "recorded" || judge.recording !== ""
    ? null
    : problem(
        "judge.recording",
        judge.recording,
        "the recorded judge needs a file of verdicts",
        "Name one, for example run/verdicts.jsonl.",
      );

const endpoint: Rule = ({ judge: { base_url: url } }) =>
  url === "" || /^https?:\/\/\S+$/.test(url)
    ? null
    : problem(
        "judge.base_url",
        url,
        "it must be an http or https address",
        "For example http://localhost:8000/v1, or leave it empty for the provider's own.",
      );

const quoted = (ids: readonly string[]) => ids.map((id) => JSON.stringify(id)).join(", ");

/** An id of a list that extensions add to. */
const idIsKnown = (path: string, value: string, known: readonly string[]): ConfigProblem | null =>
  known.includes(value)
    ? null
    : problem(path, value, `it must be one of ${quoted(known)}`, suggestion(value, known));

const estimatorKnown: Rule = ({ algorithm }, _, known) =>
  idIsKnown("algorithm.adv_estimator", algorithm.adv_estimator, known.estimators);

const filterKnown: Rule = ({ algorithm }, _, known) =>
  idIsKnown("algorithm.filter", algorithm.filter, known.filters);

/** Weights are for terms of one's own; the others have settings of their own. */
const weightsKnown: Rule = ({ reward: { weights } }, _, { terms }) => {
  const id = Object.keys(weights).find((key) => !terms.includes(key));
  if (id === undefined) return null;
  const setting = Object.hasOwn(OWN_SETTINGS, id) ? OWN_SETTINGS[id] : undefined;
  const path = `reward.weights.${id}`;
  if (setting)
    return problem(path, weights[id], "the weight of this term is another setting", `It is ${setting}.`);
  const missing = "There is none: add an extension that registers it, or remove the weight.";
  return problem(
    path,
    weights[id],
    `no extension has added a reward term "${id}"`,
    terms.length > 0 ? suggestion(id, terms) : missing,
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

export const rules: readonly Rule[] = [
  estimatorKnown,
  filterKnown,
  weightsKnown,
  attentionHeads,
  keyValueHeads,
  mlpWidth,
  visionHeads,
  pixelShuffle,
  minibatch,
  groups,
  comparedGroups,
  wholeHistory,
  arealTask,
  arealScale,
  rightEnds,
  wrongGoesOn,
  arealOnly,
  arealRows,
  feedbackIsText,
  oneReward,
  overlongTokens,
  normGroups,
  othersHaveMean,
  levelsWhiten,
  rowsAreMasked,
  anchorIsOwn,
  criticFirst,
  klCredited,
  klControl,
  sequenceRatio,
  secondClip,
  behaviourIsKnown,
  oneTurnUpdates,
  temperature,
  episodeFits,
  stateFormat,
  boardsFit,
  judgeScoring,
  recordingNamed,
  endpoint,
  formatJudged,
  judgeAsked,
];
