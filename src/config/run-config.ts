// One schema is the form, the YAML, the defaults, the documentation and the type. Parse at the edge, trust inside.
// Names follow VAGEN and veRL where those have one, so files can be exchanged.

import { FORMAT_IDS, type FormatId } from "../core/formats.ts";
import { message, setting, value } from "../core/message.ts";
import { READING_TITLES } from "../core/readings.ts";
import { z } from "../core/schema.ts";
import { envs } from "../envs/index.ts";
import { estimators } from "../rl/advantage/index.ts";
import { AGGREGATION_TITLES } from "../rl/aggregation.ts";
import { filters } from "../rl/filter/index.ts";
import { POLICY_LOSS_TITLES } from "../rl/policy-loss/index.ts";
import { choice, flag, fraction, idIn, int, NO_PRESET, num, registeredId, text } from "./field.ts";
import { withNewNames } from "./renamed.ts";
import { withSeedTexts } from "./seed-texts.ts";
import { SEEDS_SYNTAX } from "./seeds.ts";

export const PROMPT_FORMATS = FORMAT_IDS;
export type PromptFormat = FormatId;

const PROMPT_TITLES: Readonly<Record<PromptFormat, string>> = {
  no_think: "No thinking",
  free_think: "Free thinking",
  grounding: "Grounding",
  worldmodeling: "World modelling",
  grounding_worldmodeling: "Grounding + world modelling",
  wm: "Grounding + world modelling, Lite's order",
  free_wm: "Grounding + world modelling, free text between",
  eval_mode: "No thinking, anywhere in a text",
  boxed: "Thought, then a boxed answer",
  answer: "Answer only, VAGEN 2026",
  free_think_2026: "Free thinking, VAGEN 2026",
  wm_2026: "Grounding + world modelling, VAGEN 2026",
  wm_think: "Grounding + world modelling after a free thought, VAGEN 2026",
};

const STATE_TITLES = {
  natural: "In words",
  structured: "Dictionary of cells",
  relations: "List of relations",
  symbolic: "Drawn board",
} as const;
export const STATE_FORMATS = Object.keys(STATE_TITLES) as (keyof typeof STATE_TITLES)[];

const LEVELS = { batch: "The whole batch", group: "The episodes of one level", none: "Nothing" } as const;

const SAMPLED_KL = {
  k1: "Log-ratio (k1)",
  k2: "Half its square (k2)",
  k3: "Low variance (k3)",
  abs: "Size of the log-ratio (abs)",
} as const;
/** As estimates the same as k1 and k3; only a loss has a gradient. */
const STRAIGHT_THROUGH_KL = {
  "k1+": "Log-ratio, gradient of k2 (k1+)",
  "k3+": "Low variance, gradient of k2 (k3+)",
} as const;

const HARNESS_TITLES = {
  concat: "One conversation",
  no_concat: "A conversation per turn",
  compact: "Conversations with summaries",
} as const;

/** Presets of all environments. */
const PRESET_TITLES = {
  [NO_PRESET]: "The task's own",
  legacy: "VAGEN, legacy",
  lite: "VAGEN-Lite",
  areal: "AReaL",
  counting: "Counting only",
  measuring: "Measuring only",
};

const env = z.strictObject({
  name: registeredId("environment", envs.idOf, "frozenlake", {
    title: "Task",
    help: "The environment to train in.",
    apply: "restart",
    basic: true,
  }),
  preset: idIn(PRESET_TITLES, NO_PRESET, {
    title: "Task's preset",
    help: message`A named set of task options; what ${setting("env.config")} says takes precedence. legacy and lite select the options of that generation of VAGEN; which presets there are, and what they set, depends on the task (in FrozenLake, legacy pays 10 for success and lite pays 1). Both generations pay the format reward in full at every turn, as the studio does with ${setting("reward.scale_by_turns")} off. For visual-math: areal (AReaL's rewards), counting or measuring (its questions). none: the task's own defaults.`,
    apply: "restart",
  }),
  config: z.record(z.string(), z.unknown()).default({}).meta({
    title: "Task options",
    help: "Options of the environment; its own schema checks them.",
    apply: "restart",
  }),
});

const rollout = z.strictObject({
  prompt_format: choice(PROMPT_TITLES, "grounding_worldmodeling", {
    title: "Reasoning format",
    help: "What the policy writes in a reply, and so what a judge can check. no_think: the actions alone; nothing is judged. free_think: a thought, then the actions; no observation or prediction is judged, only what the thought says of the cells beside the player. grounding: an observation first, judged against the state before the actions. worldmodeling: a prediction after the reasoning, judged against the state after them. grounding_worldmodeling: both. The paper calls these NoThink, FreeThink, StateEstimation, TransitionModeling and WorldModeling. wm and free_wm, from VAGEN-Lite, have both and write the prediction after the answer. eval_mode, of its Navigation, is the first action in whatever text. answer, free_think_2026, wm_2026 and wm_think are VAGEN's formats of August 2026: the whole reply must match exactly, and the task decides whether actions of a malformed reply are still executed. boxed is AReaL's form for questions: a thought, then the answer in \\boxed{}.",
    apply: "restart",
    basic: true,
  }),
  state_format: choice(STATE_TITLES, "natural", {
    title: "State representation",
    help: "How observation and prediction write a state down: in words, as a dictionary of cells or places, as a list of relations to the player, or as the board drawn with symbols (several times longer). VAGEN's formats ending in _structured and _symbolic do the same.",
    apply: "restart",
  }),
  reply_reading: choice(READING_TITLES, "studio", {
    title: "Reading of replies",
    help: message`How a reply is read, and when its format is paid. studio: every action must be known; upper and lower case are the same. legacy and lite: exactly as that generation of VAGEN. legacy distinguishes upper and lower case in actions and ignores what follows the end of the game. lite finds the reply in any text around it and pays the format as soon as one action was executed. The format ${value("rollout.prompt_format", "boxed")} is read in the same way under all three.`,
    apply: "restart",
  }),
  workflow: choice({ vagen: "Game, turn by turn (VAGEN)", areal: "Question with retries (AReaL)" }, "vagen", {
    title: "Workflow",
    help: "vagen: an episode is a game, played turn by turn. areal: an episode is one question with pictures, answered again after feedback until the reward is 1; the episode earns the reward of its best attempt, discounted. Needs a task that asks questions.",
    apply: "restart",
  }),
  turn_discount: num(0.95, {
    title: "Discount per attempt",
    help: message`For the areal workflow: attempt t earns its reward times turn_discount^t. With ${value("rollout.export_style", "individual")} as ${setting("rollout.export_style")}, a reply also gets this share of what the next one earns.`,
    apply: "restart",
    min: 0.01,
    max: 1,
    slider: [0.5, 1],
  }),
  feedback: text("wrong, try again", {
    title: "Feedback",
    help: "For the areal workflow: what the user says after a reply that did not earn the full reward. It is one token of the vocabulary, so checkpoints only fit runs with the same feedback.",
    apply: "restart",
  }),
  feedback_text: choice({ own: "The text above", areal: "AReaL's" }, "own", {
    title: "Feedback's wording",
    help: message`For the areal workflow: which feedback the user gives. own: ${setting("rollout.feedback")}. areal: the sentence of AReaL's multi-turn workflow. Either is one token of the vocabulary.`,
    apply: "restart",
  }),
  export_style: choice(
    { concat: "One sequence per episode", individual: "One sequence per reply" },
    "concat",
    {
      title: "Export style",
      help: "For the areal workflow: what an episode is trained as. concat: one sequence, with the reward of its best attempt. individual: a sequence for each reply with everything before it; each has its own reward and a share of what follows.",
      apply: "restart",
    },
  ),
  max_turns: int(5, {
    title: "Turns per episode",
    help: "An episode is cut after this many replies. More turns give more chances and cost more tokens.",
    apply: "restart",
    min: 1,
    max: 20,
    slider: [1, 10],
    basic: true,
  }),
  train_batch_size: int(64, {
    title: "Episodes per update",
    help: "Episodes collected before each update. More give a steadier gradient and take longer.",
    apply: "restart",
    min: 2,
    max: 1024,
    slider: [8, 256],
    basic: true,
  }),
  n_trajectory: int(1, {
    title: "Episodes per level",
    help: "How many episodes share one level (a group).",
    apply: "restart",
    min: 1,
    max: 64,
    slider: [1, 16],
  }),
  max_head_offpolicyness: int(0, {
    title: "Staleness limit",
    help: message`How many updates may lie between the policy that plays an episode and the one that the update begins with. 0: episodes are played, then trained on. From 1 on, the next batch is played with a copy of the policy while the present one is trained; from 2 on, episodes of later batches also begin as soon as there is room, and continue with newer weights. Turn on ${setting("actor.use_decoupled_loss")} with it. A run with 1 that resumes plays its next batch with the copy from the checkpoint, so its numbers stay the same; with more, it plays unfinished episodes again and its numbers differ.`,
    apply: "restart",
    min: 0,
    max: 16,
    slider: [0, 4],
  }),
  max_inflight_steps: int(2, {
    title: "Updates per episode",
    help: message`If a level's episodes are still being played after this many updates, all of them are dropped and another level takes their place. Used only if ${setting("rollout.max_head_offpolicyness")} is at least 2: otherwise no episode lasts longer than one update.`,
    apply: "next",
    min: 1,
    max: 16,
    slider: [1, 8],
    unit: "updates",
  }),
  window_size: int(20, {
    title: "Turns of history",
    help: message`How many earlier turns the policy sees when each turn is a conversation (${setting("trainer.harness")} ${value("trainer.harness", "no_concat")}). 0: only the current observation.`,
    apply: "restart",
    min: 0,
    max: 20,
  }),
  use_multi_turn_reward: flag(true, {
    title: "Reward every turn",
    help: "Each turn's reward is on its last token. Off: the sum of the episode is on its last token.",
    apply: "next",
  }),
  use_loss_mask: flag(true, {
    title: "Loss mask",
    help: "Train on the policy's own tokens only. Off: also on prompts and pictures, as plain PPO would.",
    apply: "next",
  }),
  use_gae_mask: flag(true, {
    title: "GAE mask",
    help: "Compute advantages over the policy's own tokens only. Off: over every token.",
    apply: "next",
  }),
  response_length: int(56, {
    title: "Tokens per reply",
    help: "A reply is cut after this many tokens.",
    apply: "restart",
    min: 4,
    max: 2048,
    slider: [16, 128],
    unit: "tokens",
  }),
  max_episode_tokens: int(0, {
    title: "Tokens per episode",
    help: "An episode ends when its replies and later observations together reach this many tokens; the last reply is cut there. Under the layout compact it limits each conversation instead, which is then closed. 0: no limit. VAGEN's budgets (max_response_length, max_trajectory_length) count the tokens of a pretrained model, which needs several times as many.",
    apply: "restart",
    min: 0,
    max: 1000000,
    slider: [0, 2000],
    unit: "tokens",
  }),
  temperature: num(1, {
    title: "Temperature",
    help: "Sampling temperature; 0 is greedy. Higher explores more.",
    apply: "next",
    min: 0,
    max: 5,
    slider: [0.1, 2],
  }),
  top_p: num(1, {
    title: "Top-p",
    help: "Sample from the smallest set of tokens with this much probability. Below 1 the policy loss no longer matches what was sampled; use it for evaluation.",
    apply: "next",
    min: 0.05,
    max: 1,
    slider: [0.5, 1],
  }),
  top_k: int(0, {
    title: "Top-k",
    help: "Sample from the k likeliest tokens; 0 is off.",
    apply: "next",
    min: 0,
    max: 1000,
    slider: [0, 100],
  }),
});

const model = z.strictObject({
  hidden_size: int(64, {
    title: "Width",
    help: "Channels of the residual stream.",
    apply: "restart",
    min: 16,
    max: 4096,
    slider: [32, 512],
  }),
  num_hidden_layers: int(2, {
    title: "Layers",
    help: "Decoder layers.",
    apply: "restart",
    min: 1,
    max: 64,
    slider: [1, 12],
  }),
  num_attention_heads: int(2, {
    title: "Attention heads",
    help: "Query heads per layer; they divide the width.",
    apply: "restart",
    min: 1,
    max: 64,
    slider: [1, 16],
  }),
  num_key_value_heads: int(2, {
    title: "Key/value heads",
    help: "Grouped-query attention: key and value heads; they divide the query heads.",
    apply: "restart",
    min: 1,
    max: 64,
    slider: [1, 16],
  }),
  intermediate_size: int(176, {
    title: "MLP width",
    help: "Channels inside the SwiGLU block; a multiple of 16.",
    apply: "restart",
    min: 16,
    max: 16384,
    slider: [64, 2048],
  }),
  rope_theta: num(2000, {
    title: "RoPE base",
    help: "Base of the rotary position frequencies.",
    apply: "restart",
    min: 10,
    max: 1e7,
  }),
  tie_word_embeddings: flag(false, {
    title: "Tied head",
    help: "Use the token embedding as output head.",
    apply: "restart",
  }),
  vision_layers: int(0, {
    title: "Vision layers",
    help: "Transformer layers before the decoder, applied to one picture at a time. 0: patches go into the decoder directly.",
    apply: "restart",
    min: 0,
    max: 32,
    slider: [0, 4],
  }),
  vision_hidden_size: int(64, {
    title: "Vision width",
    help: "Channels of the vision tower.",
    apply: "restart",
    min: 16,
    max: 4096,
    slider: [32, 512],
  }),
  vision_heads: int(2, {
    title: "Vision heads",
    help: "Attention heads of the vision tower.",
    apply: "restart",
    min: 1,
    max: 64,
    slider: [1, 16],
  }),
  pixel_shuffle: int(1, {
    title: "Pixel shuffle",
    help: "Merge s×s neighbouring patches into one token before the connector; 1 is off.",
    apply: "restart",
    min: 1,
    max: 4,
  }),
  critic: choice({ head: "Value head on the backbone", separate: "Separate network" }, "head", {
    title: "Critic",
    help: "A value head on the policy's backbone (cheap) or a separate network (about twice the work).",
    apply: "restart",
  }),
});

const sft = z.strictObject({
  total_updates: int(1000, {
    title: "SFT updates",
    help: "Supervised fine-tuning (SFT) on demonstrations before PPO; 0 skips it. Too many are better than too few: clean replies make PPO stable.",
    apply: "restart",
    min: 0,
    max: 100000,
    slider: [0, 8000],
    basic: true,
  }),
  one_turn_updates: int(400, {
    title: "One-turn updates",
    help: "The first updates of SFT use only the first turn of each demonstration, which is several times cheaper.",
    apply: "next",
    min: 0,
    max: 100000,
    slider: [0, 2000],
  }),
  target_accuracy: fraction(0, {
    title: "End SFT at",
    help: message`SFT ends early, as soon as all that the policy says about the present state is right in this share of turns: for each kind of statement (places, neighbours) by itself, in every environment of the run, on levels that neither training nor a validation plays under any seed. ${setting("sft.total_updates")} is then the largest number of updates. With 0, or if nothing that the policy says about the state can be judged (as in a format without an observation), SFT runs all of them.`,
    apply: "next",
  }),
  test_freq: int(100, {
    title: "Test SFT every",
    help: message`Updates between two tests for ${setting("sft.target_accuracy")}. The first follows this many updates after ${setting("sft.one_turn_updates")}.`,
    apply: "next",
    min: 1,
    max: 100000,
    slider: [10, 500],
  }),
  test_levels: int(64, {
    title: "Levels of a test",
    help: message`Levels that the policy plays once, at temperature 1, in a test of SFT. Neither training nor a validation plays them under any seed; with ${setting("trainer.skip_validation_levels")} off, only their seeds differ.`,
    apply: "next",
    min: 1,
    max: 1000,
    slider: [16, 256],
  }),
  train_batch_size: int(16, {
    title: "Demonstrations per update",
    help: "Freshly generated demonstrations in each update of SFT.",
    apply: "restart",
    min: 1,
    max: 512,
    slider: [8, 64],
  }),
  lr: num(4e-3, {
    title: "SFT learning rate",
    help: "Peak learning rate of SFT.",
    apply: "live",
    min: 1e-7,
    max: 0.1,
    slider: [1e-4, 1e-2],
    log: true,
  }),
  lr_warmup_steps: int(50, {
    title: "Learning rate warm-up",
    help: "Updates over which the rate rises linearly to its peak.",
    apply: "next",
    min: 0,
    max: 10000,
  }),
  min_lr_ratio: fraction(0.05, {
    title: "Final share of the rate",
    help: "The cosine schedule ends at this share of the peak.",
    apply: "next",
  }),
  lr_decay_updates: int(0, {
    title: "Updates of the schedule",
    help: message`The learning rate of SFT falls over this many updates. 0: over all of ${setting("sft.total_updates")}. A run whose SFT ended early (${setting("sft.target_accuracy")}) keeps the schedule that it began with.`,
    apply: "restart",
    min: 0,
    max: 100000,
  }),
  weight_decay: fraction(0.01, {
    title: "Weight decay",
    help: "Decoupled weight decay on matrices.",
    apply: "live",
  }),
  decision_weight: num(1, {
    title: "Weight of decisions",
    help: "How many times as much a decision token counts in the loss of SFT as any other token. Decision tokens are those of the answer and of the reasoning after the facts, but not those of summaries. They are a small part of long replies and are learned last; 10 teaches them earlier. A token that also states a fact counts the product of both weights.",
    apply: "next",
    min: 0,
    max: 1000,
    slider: [1, 100],
    log: true,
  }),
  fact_weight: num(1, {
    title: "Weight of facts",
    help: "How many times as much a token that states a fact counts in the loss of SFT as any other token. These are the tokens of the observation and of the facts with which the reasoning begins. If most tokens of a reply repeat earlier statements, few depend on the picture; a weight of 5 teaches those few earlier. A token that also decides counts the product of both weights.",
    apply: "next",
    min: 0,
    max: 1000,
    slider: [1, 100],
    log: true,
  }),
  vf_coef: num(0.25, {
    title: "Value loss weight",
    help: "Trains the critic on the demonstrations' returns, so that PPO starts with a trained critic.",
    apply: "live",
    min: 0,
    max: 10,
  }),
  expert_fraction: fraction(1, {
    title: "Expert share",
    help: "Share of demonstrated turns that are not random and take a shortest-path action instead of the heuristic's. 0: no expert.",
    apply: "next",
    slider: [0, 1],
  }),
  random_fraction: fraction(0.75, {
    title: "Random share",
    help: "Share of demonstrated turns with random actions.",
    apply: "next",
    slider: [0, 1],
  }),
  misread_fraction: fraction(0, {
    title: "Misread share",
    help: "Share of demonstrated turns of Navigation and PrimitiveSkill that misread the picture: they state wrong places, or mix up two objects, and act accordingly. Later turns have them in their history, but the policy is not trained on the misread turns themselves. Without such demonstrations a policy learns to repeat its last prediction instead of looking, and never learns what to do after a mistake.",
    apply: "next",
    slider: [0, 1],
  }),
  rehearsal_steps: int(0, {
    title: "Rehearsal steps",
    help: "Optimiser steps of SFT after every PPO update, each on new demonstrations. They train only what a reply says about the present state: its observation, and the facts with which its reasoning begins. Decisions and predictions are left to PPO. A reward says little about the single words of an observation, so without rehearsal perception may decay. Weight decay is PPO's. 0: no rehearsal.",
    apply: "next",
    min: 0,
    max: 1000,
    slider: [0, 16],
  }),
  rehearsal_lr: num(0, {
    title: "Rehearsal learning rate",
    help: message`Peak learning rate of the rehearsal steps. It follows the schedule of ${setting("actor.lr")}, and 0 uses that rate. At PPO's lower rate, what SFT taught at a high rate hardly changes.`,
    apply: "live",
    min: 0,
    max: 0.1,
  }),
  after_checkpoint: flag(false, {
    title: "SFT after a checkpoint",
    help: message`A run that starts from a checkpoint (${setting("trainer.init_checkpoint")}) continues with SFT before PPO, for a checkpoint whose SFT was too short or had easier tasks; its first validation follows SFT. Off: such a run begins with PPO.`,
    apply: "restart",
  }),
});

const algorithm = z.strictObject({
  adv_estimator: registeredId("estimator", estimators.idOf, "bi_level_gae", {
    title: "Advantage estimator",
    help: "How advantages are computed: over turns first and then within each turn, over the policy's own tokens, turn by turn, over every token, or by comparison with other episodes of the same level. VAGEN has two estimators named bi_level_gae. Here, bi_level_gae (or bi_level_gae_published) is the published one, and bi_level_gae_variable_clock (or bi_level_gae_2026) the one of 2026.",
    apply: "next",
    basic: true,
  }),
  gamma: fraction(1, {
    title: "γ token",
    help: "Discount from token to token.",
    apply: "next",
    slider: [0.8, 1],
    basic: true,
  }),
  lam: fraction(1, {
    title: "λ",
    help: "GAE's trade-off between bias (0) and variance (1).",
    apply: "next",
    slider: [0.8, 1],
    basic: true,
  }),
  high_level_gamma: fraction(0.95, {
    title: "γ turn",
    help: "Discount from turn to turn, for Bi-Level and turn-wise GAE. Below 1 it also rewards finishing early.",
    apply: "next",
    slider: [0.5, 1],
    basic: true,
  }),
  use_high_level_lam: flag(false, {
    title: "Own λ for turns",
    help: message`Use ${setting("algorithm.high_level_lam")} between turns instead of ${setting("algorithm.lam")}.`,
    apply: "next",
  }),
  high_level_lam: fraction(1, {
    title: "λ turn",
    help: "GAE's trade-off between bias and variance from turn to turn, when turns have their own λ.",
    apply: "next",
    slider: [0.8, 1],
  }),
  gamma_turn: fraction(0.95, {
    title: "γ turn (variable clock)",
    help: "Discount where one turn ends and the next begins, for the variable-clock Bi-Level GAE; between tokens of a turn nothing is discounted.",
    apply: "next",
    slider: [0.5, 1],
  }),
  lambda_turn: fraction(0.95, {
    title: "λ turn (variable clock)",
    help: "λ where one turn ends and the next begins, for the variable-clock Bi-Level GAE.",
    apply: "next",
    slider: [0.5, 1],
  }),
  lambda_token: fraction(1, {
    title: "λ token (variable clock)",
    help: "λ between the tokens of a turn, for the variable-clock Bi-Level GAE.",
    apply: "next",
    slider: [0.8, 1],
  }),
  bi_level_mix: fraction(0.75, {
    title: "Share of turns (variable clock)",
    help: "Share of the chain with turn discounts in the variable-clock Bi-Level GAE; the rest is token-level GAE. 0: token-level GAE alone.",
    apply: "next",
    slider: [0, 1],
  }),
  lam_by_length: choice(
    {
      off: "The same for all",
      vapo: "VAPO: 1 − 1/(α·length)",
      relative_position: "Relative position: q^(1/(length − 1))",
    },
    "off",
    {
      title: "λ by length",
      help: message`Computes λ for each episode from its length, in tokens of the policy or, if the estimator goes from turn to turn, in turns. VAPO and the relative position are functions of AReaL's; they replace ${setting("algorithm.lam")}.`,
      apply: "next",
    },
  ),
  vapo_alpha: num(0.05, {
    title: "α of VAPO",
    help: "λ is 1 − 1/(α·length), at least 0: the smaller α, the longer an episode must be for a λ near 1.",
    apply: "next",
    min: 0.0001,
    max: 1000,
    slider: [0.01, 1],
    log: true,
  }),
  relative_position_q: num(0.5, {
    title: "q of the relative position",
    help: "λ is q^(1/(length − 1)), so that a surprise at the last step of an episode reaches the first one with the weight q.",
    apply: "next",
    min: 0.0001,
    max: 1,
    slider: [0.01, 1],
  }),
  turn_value_anchor: choice({ end: "Before its last token", start: "Before its first token" }, "end", {
    title: "Value of a turn",
    help: "Where Bi-Level and turn-wise GAE read the value of a turn: before its last token, as VAGEN does, or before its first.",
    apply: "next",
  }),
  norm_adv_by_std_in_grpo: flag(true, {
    title: "Divide by group deviation",
    help: "GRPO divides advantages by the standard deviation of their group. Off: Dr. GRPO.",
    apply: "next",
  }),
  carry_across_turns: flag(false, {
    title: "Carry across turns",
    help: "In REINFORCE++, a reward also counts for the turns before its own, as in veRL 0.10. Off: the sum of rewards restarts after every observation, as in veRL 0.8.",
    apply: "next",
  }),
  bootstrap_truncated: flag(false, {
    title: "Bootstrap cut episodes",
    help: "An episode that ran out of turns ends with the critic's value of its last state instead of 0.",
    apply: "next",
  }),
  filter: registeredId("filter", filters.idOf, "off", {
    title: "Batch filter",
    help: "Train only on groups whose episodes' returns differ most, or (dynamic) in which some episodes succeed and some fail. Needs several episodes per level.",
    apply: "next",
  }),
  filter_topk: num(0.2, {
    title: "Share of groups",
    help: message`Share of the groups that ${value("algorithm.filter", "reward_variance")} keeps, rounded up.`,
    apply: "next",
    min: 0.01,
    max: 1,
    slider: [0.1, 1],
  }),
  filter_top_p: num(0.9, {
    title: "Share of variance",
    help: message`${value("algorithm.filter", "reward_variance_top_p")} keeps the groups of largest variance until they hold this share of it.`,
    apply: "next",
    min: 0.01,
    max: 1,
    slider: [0.5, 1],
  }),
  filter_ddof: int(0, {
    title: "Degrees of freedom",
    help: "0: the filters divide the variance of a group by its number of episodes, as VAGEN does. 1: by one less, the unbiased variance.",
    apply: "next",
    min: 0,
    max: 1,
  }),
  whiten_advantages: flag(true, {
    title: "Whiten advantages",
    help: "Scale the batch's advantages to mean 0 and variance 1 over the policy's tokens.",
    apply: "next",
  }),
  adv_norm_mean_level: choice(LEVELS, "batch", {
    title: "Whitening: mean of",
    help: "What whitening takes the mean over: the batch, the episodes of one level, or nothing (no mean is subtracted). AReaL's Dr. GRPO: group, none; LitePPO: group, batch.",
    apply: "next",
  }),
  adv_norm_std_level: choice(LEVELS, "batch", {
    title: "Whitening: deviation of",
    help: "What whitening takes the standard deviation over: the batch, the episodes of one level, or nothing (no division). The deviation is computed around the mean that was subtracted.",
    apply: "next",
  }),
  adv_norm_mean_leave1out: flag(false, {
    title: "Whitening: mean of the others",
    help: "The mean leaves out the token that it is subtracted from; with group and none, AReaL's RLOO.",
    apply: "next",
  }),
  reward_norm_mean_level: choice(LEVELS, "none", {
    title: "Reward norm: mean of",
    help: "Subtract the mean of the rewards, over the batch or over the episodes of one level. Needs one reward per sequence.",
    apply: "next",
  }),
  reward_norm_std_level: choice(LEVELS, "none", {
    title: "Reward norm: deviation of",
    help: "Divide the rewards by their deviation, over the batch or over the episodes of one level. Needs one reward per sequence.",
    apply: "next",
  }),
  reward_norm_mean_leave1out: flag(false, {
    title: "Reward norm: mean of the others",
    help: "The mean leaves out the reward that it is subtracted from.",
    apply: "next",
  }),
  reward_bias: num(0, {
    title: "Reward bias",
    help: "Added to the reward before it is scaled; AReaL's example uses -0.5. Needs one reward per sequence.",
    apply: "next",
    min: -1000,
    max: 1000,
    slider: [-1, 1],
  }),
  reward_scaling: num(1, {
    title: "Reward scale",
    help: "Factor that the reward is multiplied by; AReaL's example uses 10. Needs one reward per sequence.",
    apply: "next",
    min: 1e-6,
    max: 1e6,
    slider: [0.1, 10],
  }),
  reward_clip: num(0, {
    title: "Reward clip",
    help: "Largest absolute value of the scaled reward; AReaL uses 20. 0 is off. Needs one reward per sequence.",
    apply: "next",
    min: 0,
    max: 1e6,
    slider: [0, 20],
  }),
  overlong_tokens: int(0, {
    title: "Overlong tokens",
    help: message`The length penalty increases over this many tokens before the maximum length (DAPO): of the replies, or, under the layout concat, of ${setting("rollout.max_episode_tokens")} with its observations, whichever is nearer. 0 is off. Needs one reward per sequence.`,
    apply: "next",
    min: 0,
    max: 1000000,
    slider: [0, 100],
    unit: "tokens",
  }),
  overlong_penalty_factor: num(1, {
    title: "Overlong penalty",
    help: "Penalty at the maximum length.",
    apply: "next",
    min: 0,
    max: 1000,
    slider: [0, 2],
  }),
  use_kl_in_reward: flag(false, {
    title: "KL in reward",
    help: "Subtract kl_coef·KL from the reward of each of the policy's tokens.",
    apply: "restart",
  }),
  kl_in_reward_tokens: choice({ policy: "The policy's own", all: "All" }, "policy", {
    title: "KL in reward: tokens",
    help: "Which tokens the KL penalty is taken at. all: also prompts and observations; estimators that compare scores then count those too, as legacy VAGEN's GRPO does. all needs one sequence per episode.",
    apply: "next",
  }),
  kl_coef: num(0.001, {
    title: "KL coefficient (reward)",
    help: "Strength of the KL penalty in the reward; with adaptive control, its strength at the first update.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 0.1],
  }),
  kl_penalty: choice(SAMPLED_KL, "k1", {
    title: "KL estimator (reward)",
    help: "Per-token estimator of the KL penalty in the reward.",
    apply: "next",
  }),
  kl_ctrl_type: choice({ fixed: "Fixed", adaptive: "Adaptive" }, "fixed", {
    title: "KL control",
    help: "Adaptive moves the coefficient so that the KL stays near its target.",
    apply: "next",
  }),
  target_kl: num(0.1, {
    title: "Target KL",
    help: "KL to the ref policy that adaptive control aims at.",
    apply: "next",
    min: 1e-6,
    max: 100,
  }),
  horizon: int(10000, {
    title: "KL horizon",
    help: "Episodes over which adaptive control acts: the fewer, the faster, but at least those of one update.",
    apply: "next",
    min: 1,
    max: 1e9,
  }),
});

const actor = z.strictObject({
  lr: num(4e-4, {
    title: "Actor learning rate",
    help: "If it is too high, success rises fast and then falls.",
    apply: "live",
    min: 1e-8,
    max: 0.1,
    slider: [1e-6, 3e-3],
    log: true,
    basic: true,
  }),
  clip_ratio: num(0.2, {
    title: "Clip ratio",
    help: "How far a token's probability may move per update before its gradient stops.",
    apply: "live",
    min: 0.001,
    max: 1,
    slider: [0.05, 0.5],
    basic: true,
  }),
  clip_ratio_high: fraction(0, {
    title: "Upper clip ratio",
    help: "Clip range for rising probabilities. 0: the clip ratio holds in both directions.",
    apply: "live",
    slider: [0, 0.5],
  }),
  clip_ratio_c: num(0, {
    title: "Second clip",
    help: "Dual clip: limits the loss of a token with a negative advantage to this many times its advantage. It must be above 1; 0 turns it off. veRL uses 3.",
    apply: "live",
    min: 0,
    max: 100,
    slider: [0, 10],
  }),
  loss_mode: choice(POLICY_LOSS_TITLES, "vanilla", {
    title: "Policy loss",
    help: "vanilla: a ratio for each token (PPO). gspo: a ratio for each sequence (an episode, or a turn), the geometric mean over its tokens. turn_ppo and turn_gspo: a ratio for each turn, the product or the geometric mean over its tokens. The others are losses of veRL, under its names.",
    apply: "next",
  }),
  tau_pos: num(1, {
    title: "SAPO temperature, good tokens",
    help: "How steeply the soft clip of sapo falls off for tokens with a positive advantage. Higher values keep the policy closer to the old one.",
    apply: "live",
    min: 0.01,
    max: 100,
    slider: [0.1, 5],
  }),
  tau_neg: num(1.05, {
    title: "SAPO temperature, other tokens",
    help: "How steeply the soft clip of sapo falls off for all other tokens. Tokens with a negative advantage make training less stable, so this value is usually the higher one.",
    apply: "live",
    min: 0.01,
    max: 100,
    slider: [0.1, 5],
  }),
  clip_cov_ratio: fraction(2e-4, {
    title: "Clip-Cov share",
    help: "Share of a minibatch's tokens, at least one, that clip_cov leaves out. They are drawn from the tokens with a high covariance of probability and advantage.",
    apply: "live",
  }),
  clip_cov_lb: num(1, {
    title: "Clip-Cov lower bound",
    help: "clip_cov leaves out only tokens with a covariance above this.",
    apply: "live",
    min: -1000,
    max: 1000,
  }),
  clip_cov_ub: num(5, {
    title: "Clip-Cov upper bound",
    help: "clip_cov leaves out only tokens with a covariance below this.",
    apply: "live",
    min: -1000,
    max: 1000,
  }),
  kl_cov_ratio: fraction(2e-4, {
    title: "KL-Cov share",
    help: "Share of a minibatch's tokens, at least one, that kl_cov penalises for their KL: those with the highest covariance of probability and advantage. 0: none.",
    apply: "live",
  }),
  ppo_kl_coef: num(0.1, {
    title: "KL-Cov coefficient",
    help: "Strength of the penalty in kl_cov: what a chosen token costs for each nat by which its log-probability has changed.",
    apply: "live",
    min: 0,
    max: 100,
  }),
  loss_agg_mode: choice(AGGREGATION_TITLES, "token-mean", {
    title: "Loss mean",
    help: "How the policy loss, the entropy bonus and the KL are averaged. token-mean: over all tokens of a minibatch. seq-mean-token-mean: every sequence (an episode, or a turn) counts the same, however long it is, as in VAGEN's runs.",
    apply: "next",
  }),
  loss_scale_factor: int(0, {
    title: "Loss scale",
    help: message`The constant that ${value("actor.loss_agg_mode", "seq-mean-token-sum-norm")} divides sums over tokens by. 0: the largest number of tokens that the replies of one sequence can have.`,
    apply: "next",
    min: 0,
    max: 1_000_000,
    unit: "tokens",
  }),
  use_pivot: flag(false, {
    title: "Learn from lost games (PIVOT)",
    help: "Adds a term for failed episodes to the policy loss: the policy reads each of them again, after a few words on how and when it was lost, and imitates itself where these words make what it wrote more likely. Needs a game whose solver knows when it is lost: FrozenLake, or Sokoban with one box. The words are appended to the vocabulary; a checkpoint without them can be the start, but SFT never shows them.",
    apply: "restart",
  }),
  pivot_coef: num(0.01, {
    title: "PIVOT weight",
    help: "Weight of this term, a mean over the same tokens as the entropy bonus.",
    apply: "live",
    min: 0,
    max: 10,
    slider: [0, 0.1],
  }),
  pivot_beta: num(5, {
    title: "PIVOT gate",
    help: "How steeply the weight of a token rises with what the informed policy prefers: it is the sigmoid of this times the difference of the two log-probabilities. 0: one half for every token.",
    apply: "live",
    min: 0,
    max: 100,
    slider: [0, 20],
  }),
  pivot_prefix: choice({ words: "How and when", panel: "How and when, with three pictures" }, "panel", {
    title: "PIVOT's information",
    help: "words: whether the game was lost by deadlock or by running out of turns, and at which turn. panel: also the pictures before that turn, at it and after it, black where there is none.",
    apply: "restart",
  }),
  pivot_step: choice({ solver: "The solver's", random: "Drawn at random" }, "solver", {
    title: "PIVOT's turn",
    help: "solver: the turn after which the game was really lost. random: a turn drawn at random and a mode to match, to measure what the information is worth.",
    apply: "next",
  }),
  use_decoupled_loss: flag(false, {
    title: "Decoupled objective",
    help: message`AReaL's objective: the ratio is relative to the recomputed policy, and tokens are weighted by how much it differs from the policy that sampled them. Meant for episodes of an older policy (${setting("rollout.max_head_offpolicyness")}).`,
    apply: "next",
  }),
  recompute_logprob: flag(true, {
    title: "Score again before training",
    help: "Old log-probabilities and values come from a forward pass of the training kernels. Off: from decoding, which computes the same numbers up to rounding and saves that pass.",
    apply: "next",
  }),
  behav_imp_weight_cap: num(5, {
    title: "Behaviour weight cap",
    help: "Largest weight of a token in the decoupled objective. It must be above 1, the weight of a token whose probability has not changed.",
    apply: "next",
    min: 1.01,
    max: 1000,
  }),
  behav_imp_weight_mode: choice({ mask: "Leave the token out", clamp: "Count it at the cap" }, "mask", {
    title: "Above the cap",
    help: "What happens to tokens whose weight exceeds the cap: mask leaves them out; clamp counts them at the cap.",
    apply: "next",
  }),
  lr_schedule: choice({ constant: "Constant", linear: "Linear", cosine: "Cosine" }, "constant", {
    title: "Schedule",
    help: "How the actor's and the critic's learning rates fall over the PPO updates.",
    apply: "next",
  }),
  lr_warmup_updates: int(0, {
    title: "Rate warm-up",
    help: "PPO updates over which the learning rates rise linearly.",
    apply: "next",
    min: 0,
    max: 100000,
  }),
  min_lr_ratio: fraction(0, {
    title: "Final share of the rate",
    help: "A falling schedule ends at this share of the learning rate.",
    apply: "next",
  }),
  ppo_epochs: int(1, {
    title: "Epochs",
    help: "How often each batch is trained on.",
    apply: "next",
    min: 1,
    max: 16,
    slider: [1, 8],
  }),
  ppo_mini_batch_size: int(32, {
    title: "Minibatch",
    help: message`Episodes per optimiser step. With ${value("rollout.export_style", "individual")} as ${setting("rollout.export_style")}: sequences.`,
    apply: "next",
    min: 1,
    max: 1024,
    slider: [8, 256],
  }),
  entropy_coeff: fraction(0, {
    title: "Entropy bonus",
    help: "Rewards uncertainty; above 0.01, replies lose their format.",
    apply: "live",
    slider: [0, 0.05],
  }),
  use_kl_loss: flag(true, {
    title: "KL in loss",
    help: "Keep the policy near the ref policy; without it, grounding drifts.",
    apply: "restart",
  }),
  kl_loss_coef: num(0.1, {
    title: "KL coefficient (loss)",
    help: "Strength of the pull to the ref policy.",
    apply: "live",
    min: 0,
    max: 10,
    slider: [0, 0.5],
    basic: true,
  }),
  kl_loss_type: choice(
    { full: "Exact, over the vocabulary", ...SAMPLED_KL, ...STRAIGHT_THROUGH_KL },
    "full",
    {
      title: "KL estimator (loss)",
      help: "full: exact over the vocabulary. The others estimate the KL from the sampled token. Of these, k2, k1+ and k3+ have the gradient of the KL on average; the gradient of k1 is 0 on average, so it only adds noise.",
      apply: "next",
    },
  ),
  grad_clip: num(1, {
    title: "Gradient clip",
    help: "Largest gradient norm of a step: the policy's and the critic's together, or the policy's if the critic has its own clip.",
    apply: "live",
    min: 0.01,
    max: 1000,
    slider: [0.1, 10],
  }),
  grad_norm_threshold: num(0, {
    title: "Skip above norm",
    help: "A step whose gradient norm reaches this value is skipped, for the critic too. 0: no step is skipped. VAGEN's legacy trainer uses 1000.",
    apply: "live",
    min: 0,
    max: 1e9,
  }),
  beta1: num(0.9, {
    title: "Adam β₁",
    help: "Decay of the first moment.",
    apply: "restart",
    min: 0,
    max: 0.9999,
  }),
  beta2: num(0.98, {
    title: "Adam β₂",
    help: "Decay of the second moment.",
    apply: "restart",
    min: 0,
    max: 0.99999,
  }),
  weight_decay: fraction(0, {
    title: "Weight decay",
    help: "Decoupled weight decay during PPO.",
    apply: "live",
  }),
});

const critic = z.strictObject({
  lr: num(1e-3, {
    title: "Critic learning rate",
    help: "Learning rate of the value head or the separate critic.",
    apply: "live",
    min: 1e-8,
    max: 0.1,
    slider: [1e-5, 1e-2],
    log: true,
  }),
  vf_coef: num(0.5, {
    title: "Value loss weight",
    help: message`Weight of the value loss. Adam divides each gradient by its usual size, so where the gradient does not reach the policy's backbone (${setting("critic.detach_trunk")}, or a separate critic) the weight acts only through a gradient clip. Policy and critic share this clip unless ${setting("critic.grad_clip")} is above 0 or the critic has its own optimiser steps. Where they share it, a larger weight increases the norm and so also shrinks the policy's gradient.`,
    apply: "live",
    min: 0,
    max: 10,
  }),
  ppo_epochs: int(0, {
    title: "Critic epochs",
    help: message`How many times the critic is trained on each batch, in its own optimiser steps before the policy's, as in veRL. 0: as often as the policy; if ${setting("critic.ppo_mini_batch_size")} is 0 too, in the policy's steps.`,
    apply: "next",
    min: 0,
    max: 16,
    slider: [0, 8],
  }),
  ppo_mini_batch_size: int(0, {
    title: "Critic minibatch",
    help: message`Episodes in each of the critic's own optimiser steps. 0: as many as the policy's (${setting("actor.ppo_mini_batch_size")}); if ${setting("critic.ppo_epochs")} is 0 too, the critic is trained in the policy's steps.`,
    apply: "next",
    min: 0,
    max: 1024,
    slider: [0, 256],
  }),
  cliprange_value: num(0.5, {
    title: "Value clip",
    help: message`How far a value may move per update before its gradient stops, in units of the return, or of its spread with ${setting("critic.cliprange_relative")}. 0: no limit.`,
    apply: "live",
    min: 0,
    max: 100,
    slider: [0, 1],
  }),
  cliprange_relative: flag(false, {
    title: "Value clip by the spread",
    help: "Multiply the value clip by the standard deviation of the batch's episode scores, so that it means the same whatever a success pays.",
    apply: "next",
  }),
  grad_clip: num(0, {
    title: "Critic gradient clip",
    help: message`Largest gradient norm of the critic's parameters, clipped separately from the policy's, as in veRL. 0: policy and critic are clipped together by ${setting("actor.grad_clip")}, or separately, each to that norm, where the critic has its own optimiser steps.`,
    apply: "next",
    min: 0,
    max: 1000,
    slider: [0, 10],
  }),
  loss_agg_mode: choice(AGGREGATION_TITLES, "token-mean", {
    title: "Value loss mean",
    help: "How the value loss is averaged. Only tokens whose value is trained count.",
    apply: "next",
  }),
  detach_trunk: flag(true, {
    title: "Detach critic",
    help: "The value loss does not reach the policy's backbone during PPO.",
    apply: "next",
  }),
  trunk_grad_scale: fraction(1, {
    title: "Critic gradient into the backbone",
    help: message`Factor for the gradient of the value loss where it enters the policy's backbone during PPO; the value head itself gets the full gradient. Used only if ${setting("critic.detach_trunk")} is off. 0: the same as detached.`,
    apply: "next",
  }),
  asymmetric: flag(false, {
    title: "Critic reads the state",
    help: "Values come from the simulator's state, by moves to success and turns left, and not from the picture; the policy still sees pictures only. Needs an estimator with a critic. Say so when you report results.",
    apply: "next",
  }),
});

/** Largest weight of a reward term, and its smallest negated. */
export const MAX_WEIGHT = 100;

const reward = z.strictObject({
  use_state_reward: flag(true, {
    title: "Reasoning reward",
    help: "Reward right observations and predictions, judged against the true state.",
    apply: "next",
    basic: true,
  }),
  grounding_reward_weight: num(0.25, {
    title: "Grounding weight",
    help: "Reward for a right description of the state.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 2],
  }),
  worldmodeling_reward_weight: num(0.25, {
    title: "Prediction weight",
    help: "Reward for a right prediction of the next state.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 2],
  }),
  surroundings_reward_weight: num(0, {
    title: "Neighbours weight",
    help: "Reward for naming what lies beside the player: edge, hole, wall, box. For games whose replies reason about it.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 2],
  }),
  scale_by_turns: flag(true, {
    title: "Divide by turns",
    help: "Divide format and reasoning rewards by the turns per episode. Without it, talking well for longer pays more than finishing.",
    apply: "next",
  }),
  judge_scoring: choice(
    {
      cells: "The studio's own: share of right cells",
      vagen: "F1 of directions, as VAGEN scores the game",
      clauses: "F1 of fixed words, VAGEN's exact scorer of 2026",
      exact_f1: "F1 of directions, exact",
      soft_f1: "F1 of directions, soft",
      rubric: "YES or NO (rubric)",
    },
    "cells",
    {
      title: "Scoring of claims",
      help: "cells, the studio's own: share of the required things whose cells are right. vagen: F1 of the directions of everything as seen from the player, where what a claim leaves out counts as missed. clauses: the exact scorer of VAGEN's generation of 2026, which reads one of above, below, same row and one of left, right, same column for each thing, also where no action is valid. exact_f1 and soft_f1: VAGEN's two formulas, over the things that the claim has to state; in exact_f1 both axes of a direction must be right, in soft_f1 each axis counts by itself. rubric: YES or NO.",
      apply: "restart",
    },
  ),
  score_base: num(0, {
    title: "Score of guessing",
    help: "A claim is paid (score - base) / (1 - base), at least 0: nothing up to this score, and in full at a score of 1. VAGEN's generation of 2026 uses 0.334, and 0.625 in its recipe with the exact scorer. The best constant answer in Sokoban scores about 0.4.",
    apply: "restart",
    min: 0,
    max: 0.99,
    slider: [0, 0.9],
  }),
  claim_aggregation: choice(
    { per_turn: "Paid turn by turn", episode_mean: "Mean of the episode" },
    "per_turn",
    {
      title: "Rewards for claims",
      help: message`per_turn: each turn is paid for its own claims. episode_mean, from VAGEN's generation of 2026: when an episode ends, what its claims earned is multiplied by ${setting("rollout.max_turns")} and divided by the number of turns played, so that long episodes earn no more for talking than short ones.`,
      apply: "restart",
    },
  ),
  credit_site: choice(
    { section_end: "The claim's own last token", turn_end: "The turn's last token" },
    "turn_end",
    {
      title: "Place of claim rewards",
      help: "Which token gets the reward for a claim. turn_end: the last token of the reply, like everything else that the turn earns. section_end, of VAGEN's generation of 2026: the last token of the section with the claim, so that what is written after it gets no credit for it. With whitened advantages the tokens after the section then tend to be below average, which is why VAGEN returned to turn_end.",
      apply: "restart",
    },
  ),
  rubric_tolerance: int(0, {
    title: "Tolerance",
    help: "By how many cells a stated place may be off; only the rubric uses it.",
    apply: "restart",
    min: 0,
    max: 20,
  }),
  repetition_penalty: num(0, {
    title: "Repetition penalty",
    help: "A claim that is among the most frequent texts of the run and scores low gets minus this value as its score; 0 is off. VAGEN uses 0.1 for Sokoban.",
    apply: "restart",
    min: 0,
    max: 10,
    slider: [0, 1],
  }),
  repetition_threshold: fraction(0.35, {
    title: "Repetition threshold",
    help: "Frequent texts that score below this count as repetition.",
    apply: "restart",
  }),
  top_strings_m: int(1000, {
    title: "Texts remembered",
    help: "How many texts are counted over the run; the rarest are forgotten.",
    apply: "restart",
    min: 1,
    max: 100000,
  }),
  top_strings_k: int(5, {
    title: "Frequent texts",
    help: "How many of the most frequent texts can count as repetition.",
    apply: "restart",
    min: 1,
    max: 1000,
  }),
  repetition_penalty_weight: num(0, {
    title: "Repetition weight",
    help: "Subtracted for every claim that counts as repetition, in addition to what the claim earns.",
    // A run decides at its start whether it counts texts.
    apply: "restart",
    min: 0,
    max: 10,
    slider: [0, 1],
  }),
  action_cost: num(0, {
    title: "Action cost",
    help: "Subtracted for every executed action.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 0.1],
  }),
  turn_cost: num(0, {
    title: "Turn cost",
    help: message`Subtracted for every turn, undivided. Set it to what a turn with right claims earns, so that a detour pays nothing: the sum of the format and reasoning weights, divided by the turns of an episode if ${setting("reward.scale_by_turns")} is on.`,
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 0.5],
  }),
  weights: z.record(z.string(), z.number().min(-MAX_WEIGHT).max(MAX_WEIGHT)).default({}).meta({
    title: "Weights of own terms",
    help: "Weight of each reward term that an extension added, by its id, e.g. { shorter: 0.1 }. A term without a weight is not counted.",
    apply: "next",
  }),
});

const judge = z.strictObject({
  name: choice(
    { rule: "Rule (exact and free)", recorded: "Recorded verdicts", llm: "Language model", off: "Off" },
    "rule",
    {
      title: "Judge",
      help: "What decides whether a claim is true: a rule (exact and free), a file of verdicts, a language model behind an endpoint, or nothing. In the page, you enter the key in the Judge section.",
      apply: "restart",
      basic: true,
    },
  ),
  recording: text("", {
    title: "Recording",
    help: "File of verdicts that the recorded judge repeats; a run with a model as judge writes verdicts.jsonl. On the command line a path; in the page the name of a chosen file.",
    apply: "restart",
  }),
  provider: choice({ openai: "OpenAI, or compatible", anthropic: "Anthropic", gemini: "Gemini" }, "openai", {
    title: "Endpoint's kind",
    help: "The endpoint's interface; most local servers offer openai's.",
    apply: "restart",
  }),
  base_url: text("", {
    title: "Endpoint",
    help: "Address of the endpoint, without credentials, query or fragment, e.g. http://localhost:8000/v1; empty is the provider's own. On the command line, name it with --judge-url as well (docs/security.md).",
    apply: "restart",
  }),
  model: text("gpt-4.1-nano-2025-04-14", {
    title: "Judge's model",
    help: "Name of the model at the endpoint; the default is VAGEN's judge.",
    apply: "restart",
  }),
  api_key_env: text("JUDGE_API_KEY", {
    title: "Key variable",
    help: "On the command line, the environment variable that holds the endpoint's key: JUDGE_API_KEY, VAGEN_JUDGE_API_KEY, one that begins with VAGEN_KEY_, or any that --judge-key-env names. Used only for an endpoint that was named on this machine (docs/security.md). The page asks for the key instead. The key itself is never in a configuration.",
    apply: "restart",
  }),
  temperature: num(0.1, {
    title: "Judge's temperature",
    help: "Sampling temperature of the judge's model.",
    apply: "restart",
    min: 0,
    max: 2,
  }),
  max_tokens: int(400, {
    title: "Judge's answer",
    help: "Longest answer of the judge's model.",
    apply: "restart",
    min: 1,
    max: 100000,
    unit: "tokens",
  }),
  max_retries: int(2, {
    title: "Retries",
    help: "How often a failed request is retried; after that, the claim is not judged.",
    apply: "restart",
    min: 0,
    max: 20,
  }),
  timeout: num(10, {
    title: "Request time-out",
    help: "A request without a complete reply after this time has failed.",
    apply: "restart",
    min: 0.01,
    max: 600,
    unit: "s",
  }),
  batch_timeout: num(30, {
    title: "Turn time-out",
    help: "Claims of a turn that are still pending after this time are not judged.",
    apply: "restart",
    min: 0.01,
    max: 3600,
    unit: "s",
  }),
  concurrency: int(16, {
    title: "Requests at a time",
    help: "How many requests may be pending at once.",
    apply: "restart",
    min: 1,
    max: 1000,
  }),
  requests_per_minute: num(4000, {
    title: "Requests per minute",
    help: "Requests are spread out so that there are never more than this.",
    apply: "restart",
    min: 1,
    max: 1000000,
  }),
  input_price: num(0, {
    title: "Price of input",
    help: "Price of a million input tokens, for the cost that is shown.",
    apply: "restart",
    min: 0,
    max: 10000,
    unit: "USD",
  }),
  output_price: num(0, {
    title: "Price of output",
    help: "Price of a million output tokens, for the cost that is shown.",
    apply: "restart",
    min: 0,
    max: 10000,
    unit: "USD",
  }),
});

/** A set of `trainer.val_sets`. */
export const ValidationSet = z.strictObject({
  seeds: z.string(),
  config: z.record(z.string(), z.unknown()).default({}),
  /** Name of the run's environment that the set plays. Absent: the first one. */
  env: z.string().optional(),
  max_turns: z.number().int().min(1).max(20).optional(),
});

const trainer = z.strictObject({
  harness: choice(HARNESS_TITLES, "concat", {
    title: "Layout",
    help: message`How an episode is laid out as conversations, each of which is a sequence to train on. concat: one conversation, of which the policy sees everything. no_concat: every turn is one, with the history that ${setting("rollout.window_size")} allows. compact: a conversation that grows too long is closed with a summary that the policy writes, and the next one begins with it. The name is VAGEN's; configurations with concat_multi_turn, which it replaces, are still read (true is concat, false is no_concat).`,
    apply: "restart",
  }),
  compact_budget: int(400, {
    title: "Tokens that close a conversation",
    help: message`Under the layout compact: a conversation is closed before a turn that would take it to this many tokens, prompt included, if the turn is as long as the last. 0: only ${setting("rollout.max_episode_tokens")} closes one. A word is one token here; VAGEN's 4000 are tokens of a pretrained model.`,
    apply: "restart",
    min: 0,
    max: 100000,
    slider: [100, 2000],
    unit: "tokens",
  }),
  compact_summary_budget: int(0, {
    title: "Tokens of a summary",
    help: message`A summary is cut after this many tokens. 0: a quarter of ${setting("trainer.compact_budget")}, or of ${setting("rollout.max_episode_tokens")} where that is 0, but no more than ${setting("rollout.response_length")}.`,
    apply: "restart",
    min: 0,
    max: 2048,
    slider: [0, 128],
    unit: "tokens",
  }),
  critic_warmup: int(0, {
    title: "Critic first",
    help: "PPO updates that train the critic only, before the policy is trained. Needs an estimator with a critic.",
    apply: "next",
    min: 0,
    max: 100000,
    slider: [0, 20],
  }),
  total_updates: int(80, {
    title: "PPO updates",
    help: "Updates to run. 0: no PPO; the initial policy, or the policy after SFT, is only validated.",
    apply: "live",
    min: 0,
    max: 100000,
    slider: [10, 1000],
    basic: true,
  }),
  test_freq: int(20, {
    title: "Validate every",
    help: "Updates between validations; 0: only at the end.",
    apply: "next",
    min: 0,
    max: 100000,
    slider: [0, 100],
  }),
  val_size: int(256, {
    title: "Validation levels",
    help: "Levels per validation, from seed 10001 on.",
    apply: "next",
    min: 1,
    max: 1000,
    slider: [16, 256],
  }),
  train_seeds: text("1-10000", {
    title: "Training seeds",
    help: `The levels that training draws from: ${SEEDS_SYNTAX}.`,
    apply: "restart",
  }),
  skip_validation_levels: flag(true, {
    title: "Skip validation levels",
    help: message`Training skips levels that a validation plays. Small boards repeat, so a seed that no validation names may give the same level as one of its seeds: for Sokoban 6×6 one in six does, for FrozenLake 4×4 one in four hundred. Where there are hardly any other levels, training plays them nevertheless. A seed that both ${setting("trainer.train_seeds")} and the validation name is also played.`,
    apply: "restart",
  }),
  val_seeds: text("", {
    title: "Validation seeds",
    help: message`The levels of a validation, in the same notation as ${setting("trainer.train_seeds")}. Empty: as many levels as ${setting("trainer.val_size")} says, from 10001 on.`,
    apply: "next",
  }),
  val_sets: z.record(z.string(), ValidationSet).default({}).meta({
    title: "Further validation sets",
    help: "More levels to validate on, which the form adds and edits. Each set has a name, which its metrics carry, and seeds; it may change options of the task and max_turns, e.g. { steps: { seeds: 20000-20063, config: { max_actions_per_step: 1 } } }. A board may be smaller than the run's pictures, but not larger. In a run with further environments, env names the one that the set plays.",
    apply: "restart",
  }),
  val_n: int(1, {
    title: "Episodes per validation level",
    help: "How often each level is played in the sampled part of a validation. From 2 on, mean@k, best@k and worst@k are reported as veRL does, and maj@k for tasks with answers.",
    apply: "next",
    min: 1,
    max: 64,
    slider: [1, 16],
  }),
  val_temperature: num(1, {
    title: "Validation temperature",
    help: "Sampling temperature of validations. Each validation also plays every level once greedily. 0: only greedily.",
    apply: "next",
    min: 0,
    max: 5,
    slider: [0, 2],
  }),
  val_top_p: num(1, {
    title: "Validation top-p",
    help: "Validations sample from the smallest set of tokens with this much probability.",
    apply: "next",
    min: 0.05,
    max: 1,
    slider: [0.5, 1],
  }),
  val_top_k: int(0, {
    title: "Validation top-k",
    help: "Validations sample from the k likeliest tokens; 0 is off.",
    apply: "next",
    min: 0,
    max: 1000,
    slider: [0, 100],
  }),
  save_freq: int(20, {
    title: "Checkpoint every",
    help: "The studio saves at least once in this many updates. It also saves once a minute, and whenever saving is cheap.",
    apply: "next",
    min: 1,
    max: 100000,
    slider: [1, 100],
  }),
  micro_batch_tokens: int(4096, {
    title: "Tokens per micro-batch",
    help: "The most tokens, packed without padding, in one pass over the network. The activations of these tokens take the largest share of the memory.",
    apply: "restart",
    min: 256,
    max: 1048576,
    slider: [1024, 32768],
  }),
  init_checkpoint: text("", {
    title: "Start from",
    help: "A checkpoint to start from instead of a random policy: a bundled name or a file.",
    apply: "restart",
    basic: true,
  }),
  init_vocabulary: choice({ same: "The same", shared: "What is shared" }, "same", {
    title: "Words of the checkpoint",
    help: message`Whether the checkpoint (${setting("trainer.init_checkpoint")}) must have the vocabulary of this run. With "shared" a policy of another task can be a start: words that both have keep their embeddings, new words begin at random, and everything else, such as the vision tower, is kept. SFT should follow (${setting("sft.after_checkpoint")}).`,
    apply: "restart",
  }),
  init_layers: choice({ same: "The same", fewer: "The same or fewer" }, "same", {
    title: "Layers of the checkpoint",
    help: message`Whether the checkpoint (${setting("trainer.init_checkpoint")}) must have as many decoder layers as this run. With "fewer" the missing layers are added after its last one. They change nothing at first, so the deeper policy begins with what the checkpoint has learned.`,
    apply: "restart",
  }),
});

/** Another environment of the run. What it leaves out is as in the first one. */
export const FurtherEnv = z.strictObject({
  name: z.string().default(""),
  preset: z.string().default(NO_PRESET),
  config: z.record(z.string(), z.unknown()).default({}),
  weight: z.number().min(0.001).max(1000).default(1),
  max_turns: z.number().int().min(1).max(20).optional(),
  train_seeds: z.string().default(""),
  val_seeds: z.string().default(""),
});

/** Every setting of a run. */
export const RunSettings = z.strictObject({
  version: z.literal(1).default(1).meta({ title: "Version", help: "Format of this file.", apply: "restart" }),
  name: text("run", { title: "Name", help: "The run's name in lists and files.", apply: "live" }),
  description: text("", { title: "Description", help: "What the run is for.", apply: "live" }),
  expected_time: text("", {
    title: "Expected time",
    help: "How long the run takes and on which device, in words.",
    apply: "live",
  }),
  seed: int(0, {
    title: "Seed",
    help: "Every random choice of the run follows from it.",
    apply: "restart",
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    basic: true,
  }),
  env: env.prefault({}),
  envs: z
    .record(z.string(), FurtherEnv)
    .default({})
    .meta({
      title: "Further environments",
      help: message`Environments that the policy learns together with ${setting("env.name")}, which the form adds and edits. Each has a name, which its metrics carry, and may set name (the environment; its own name by default), preset, config, max_turns, train_seeds, val_seeds (those of the run by default) and weight: how many levels are played for each one of ${setting("env.name")}. E.g. { sokoban: { weight: 0.5, config: { min_solution_steps: [1, 5] } } }. All pictures become as large as the largest.`,
      apply: "restart",
    }),
  rollout: rollout.prefault({}),
  model: model.prefault({}),
  sft: sft.prefault({}),
  algorithm: algorithm.prefault({}),
  actor: actor.prefault({}),
  critic: critic.prefault({}),
  reward: reward.prefault({}),
  judge: judge.prefault({}),
  trainer: trainer.prefault({}),
});

/** The complete, checked configuration of a run. Settings that have another name by now are read under both; a number can stand for seeds. */
export const RunConfig = z.preprocess((input) => withSeedTexts(withNewNames(input)), RunSettings);
export type RunConfig = z.output<typeof RunSettings>;
export type ValidationSet = z.output<typeof ValidationSet>;
export type RunConfigInput = z.input<typeof RunSettings>;

/** Seeds that training draws levels from by default. Validations then begin at 10001, so that they share none (as in VAGEN-Lite). */
export const TRAIN_SEEDS = { first: 1, last: 10000 } as const;
export const VALIDATION_FIRST_SEED = 10001;
