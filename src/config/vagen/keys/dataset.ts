// Dataset files: the task, its options, and the number of levels.
import { type RunConfig, TRAIN_SEEDS } from "../../run-config.ts";
import {
  entry,
  type KeyMapping,
  legacyEntry,
  liteEntry,
  notABoolean,
  OTHER_SPLIT,
  type Source,
} from "../key-mapping.ts";
import { SERVER_STATE_REWARD } from "../parse/script.ts";
import { blackjackKeys } from "./blackjack.ts";
import { formatKeys } from "./formats.ts";
import { navigationKeys } from "./navigation.ts";
import { primitiveSkillKeys } from "./primitive-skill.ts";
import { SEEDS, TEXT } from "./reasons.ts";
import { remoteKeys } from "./remote.ts";
import { USE_SERVICE } from "./rollout.ts";
import { readSeedKeys } from "./seeds.ts";
import { spatialGymKeys } from "./spatial-gym.ts";
import { svgKeys } from "./svg.ts";

/** Only validation has a number of levels; training draws from all of its seeds. */
function valOnly(value: unknown, { split, entry }: Source) {
  if (split === "val") return { value };
  const hasSeeds = ["seed", "seed_list"].some((key) => entry(key) != null);
  return { ignored: hasSeeds ? "It counts the seeds, which trainer.train_seeds has." : SEEDS };
}

/** The seeds of one split, from either key of an entry. */
const seeds = (key: "seed" | "seed_list", split: Source["split"]): KeyMapping =>
  liteEntry(key, split === "train" ? "trainer.train_seeds" : "trainer.val_seeds", {
    read: (_, source) => (source.split === split ? readSeedKeys(source) : { ignored: OTHER_SPLIT }),
    note:
      split === "train"
        ? "Each update draws from these levels; VAGEN goes through them in random order."
        : "10001 … are `trainer.val_size` levels.",
  });

const entryKeys: readonly KeyMapping[] = [
  legacyEntry("env_name", "env.name", {}),
  liteEntry("name", "env.name", {}),
  legacyEntry.written("train_size", SEEDS, () => TRAIN_SEEDS.last),
  legacyEntry("test_size", "trainer.val_size", { default: 100, assumed: true }),
  liteEntry("n_envs", "trainer.val_size", { read: valOnly }),
  ...liteEntry.ignored("The studio names its metrics by task.", ["data_source"]),
  ...(["train", "val"] as const).flatMap((split) => [seeds("seed", split), seeds("seed_list", split)]),
  ...liteEntry.ignored("The file's name decides between training and validation.", ["split", "tag_id"]),
  ...liteEntry.ignored("Observations have a fixed number of tokens here.", ["max_env_response_per_turn"]),
  ...liteEntry.ignored("A reply ends with its own end-of-turn token.", ["stop_strings"]),
  ...liteEntry.ignored("Belongs to models with thoughts of their own.", ["thinking_token_budget"]),
  ...liteEntry.ignored("Belongs to VAGEN's own evaluator; here it is the command eval.", [
    "chat_config.*",
    "chat_config",
    "concat_multi_turn",
    "harness",
  ]),
  liteEntry("max_turns", "rollout.max_turns", { default: 1, assumed: true }),
  liteEntry("response_length_per_turn", "rollout.response_length", {
    note: "Counted in the studio's own vocabulary, where a word is one token.",
  }),
];

const stateReward = (key: string, preset: unknown): KeyMapping =>
  legacyEntry(`config.${key}`, `reward.${key}`, { default: preset, assumed: true });

/** Environments in which the legacy release has no judge. */
const UNJUDGED = ["svg", "blackjack"];

/** The legacy judge is part of the server, so without a server an environment gets none of its rewards. */
const useStateReward: KeyMapping = {
  ...stateReward("use_state_reward", false),
  write: ({ env, reward }) => reward.use_state_reward && !UNJUDGED.includes(env.name),
  read(value, source) {
    if (value !== true) return { value };
    for (const key of [USE_SERVICE, SERVER_STATE_REWARD]) {
      const given = source.get(key);
      if (given === undefined || given === true) continue;
      if (given !== false) return notABoolean(key, given);
      const note = `The legacy judge is part of the server of environments, and ${key} is off.`;
      return { value: false, note };
    }
    return { value };
  },
  converted: `Off without \`${USE_SERVICE}\`, which a trainer's file must turn on, and where a script starts the server without \`${SERVER_STATE_REWARD}\`.`,
};

/** The vocabulary of a small policy has one word between two actions, whatever the letter is. */
const SEPARATOR =
  "One word separates two actions in every vocabulary of the studio, whatever the separator is.";

const STATE = "config.state_reward.state_estimation";
const TRANSITION = "config.state_reward.transition_prediction";

/** Whether an entry turns on rewards for claims. */
const paysClaims = (source: Source): boolean =>
  [STATE, TRANSITION].some((section) => source.entry(`${section}.enable`) === true);

type Weight = "grounding_reward_weight" | "worldmodeling_reward_weight";

/** A section's reward per turn; 0 where the section is off. */
const sectionReward = (section: string, weight: Weight): KeyMapping[] => [
  liteEntry(`${section}.enable`, `reward.${weight}`, {
    read: (value) => (value === false ? { value: 0 } : { ignored: "See its reward." }),
    write: whereClaimsArePaid(({ reward }) => reward[weight] > 0),
  }),
  liteEntry(`${section}.reward`, `reward.${weight}`, {
    read: (value, source) => ({ value: source.entry(`${section}.enable`) === true ? value : 0 }),
    converted: "0 where the section is off.",
    write: whereClaimsArePaid(({ reward }) => reward[weight] || undefined),
  }),
  liteEntry(`${section}.enable`, "reward.use_state_reward", {
    read: (value, source) => ({ value: value === true || paysClaims(source) }),
    converted: "On where one of the two sections is.",
    write: () => undefined,
  }),
];

/** Writes a value of `state_reward` only if VAGEN pays something by it. */
function whereClaimsArePaid(write: (config: RunConfig) => unknown): (config: RunConfig) => unknown {
  return (config) => (config.reward.use_state_reward ? write(config) : undefined);
}

/** A setting of both sections. */
const claimSetting = (
  key: string,
  name: "score_base" | "credit_site" | "claim_aggregation",
  extra: Partial<KeyMapping> = {},
) =>
  liteEntry(`config.state_reward.${key}`, `reward.${name}`, {
    write: whereClaimsArePaid(({ reward }) => reward[name]),
    ...extra,
  });

/** Rewards for claims of August 2026: F1 of directions, a pair scoring 1, ½ or 0, above a base. Only VAGEN's Sokoban has them. */
const stateRewards: readonly KeyMapping[] = [
  ...sectionReward(STATE, "grounding_reward_weight"),
  ...sectionReward(TRANSITION, "worldmodeling_reward_weight"),
  liteEntry(`${STATE}.enable`, "reward.judge_scoring", {
    read: (value) => (value === true ? { value: "clauses" } : { ignored: "The section is off." }),
    converted: "`clauses`, VAGEN's exact scorer.",
    write: () => undefined,
  }),
  claimSetting("score_base", "score_base", {
    default: 0.334,
    assumed: true,
    read: (value, source) => (paysClaims(source) ? { value } : { ignored: "Both sections are off." }),
  }),
  claimSetting("credit_site", "credit_site"),
  claimSetting("aggregation", "claim_aggregation"),
  liteEntry("config.state_reward.judge_base_url", "judge.base_url", { write: () => undefined }),
  liteEntry("config.state_reward.judge_model", "judge.model", { write: () => undefined }),
  liteEntry.written(
    "config.state_reward.scorer",
    "The studio judges by rule unless judge.name says otherwise.",
    whereClaimsArePaid(({ judge }) => (judge.name === "rule" ? "exact" : "judge")),
  ),
].map((mapping) => ({ ...mapping, env: "sokoban" }));

const withoutStateRewards: readonly KeyMapping[] = liteEntry
  .ignored("Only VAGEN's Sokoban has rewards for claims.", ["config.state_reward.*"])
  .map((mapping) => ({ ...mapping, exceptIn: ["sokoban"] }));

/** Environments of VAGEN-Lite whose `render_mode` is `text` by default. */
const IN_TEXT = ["frozenlake", "sokoban"];

/** Whether an entry leaves the default to an environment that has pictures by default. */
const showsPictures = (source: Source): boolean =>
  source.entry("config.render_mode") === undefined &&
  !IN_TEXT.includes(String(source.entry("name")).toLowerCase());

const sharedOptions: readonly KeyMapping[] = [
  legacyEntry("config.render_mode", "env.config.render_mode", { default: "vision", assumed: true }),
  liteEntry("config.render_mode", "env.config.render_mode", {
    default: "text",
    assumed: true,
    read: (value, source) => ({ value: showsPictures(source) ? "vision" : value }),
    converted: "The default is `text` for FrozenLake and Sokoban, otherwise `vision`.",
  }),
  entry("config.max_actions_per_step", "env.config.max_actions_per_step", {}),
  legacyEntry("config.format_reward", "env.config.format_reward", { exceptIn: ["svg"] }),
  liteEntry("config.format_reward", "env.config.format_reward", { exceptIn: ["navigation", "svg"] }),
  liteEntry("config.success_reward", "env.config.success_reward", { default: 1 }),
  ...formatKeys,
  useStateReward,
  stateReward("grounding_reward_weight", 0.5),
  stateReward("worldmodeling_reward_weight", 0.5),
  ...entry.ignoredIn(
    "config",
    TEXT,
    "image_placeholder special_token_list use_example_in_sys_prompt add_example_in_sys_prompt",
  ),
  entry("config.action_sep", "env.config.action_sep", {
    read: (value) => (value === "," || value === "|" ? { ignored: SEPARATOR } : { value }),
    converted: SEPARATOR,
  }),
  ...stateRewards,
  ...withoutStateRewards,
  ...remoteKeys,
];

const frozenlake: readonly KeyMapping[] = [
  entry("config.size", "env.config.size", { default: 4 }),
  entry("config.p", "env.config.p", { default: 0.8 }),
  entry("config.desc", "env.config.desc", {}),
  entry("config.is_slippery", "env.config.is_slippery", { default: false }),
  liteEntry("config.slip_prob", "env.config.slip_prob", { default: 0 }),
].map((mapping) => ({ ...mapping, env: "frozenlake" }));

const sokoban: readonly KeyMapping[] = [
  liteEntry("config.strict_format", "env.config.strict_format", { default: true }),
  entry("config.dim_room", "env.config.dim_room", { default: [6, 6] }),
  entry("config.num_boxes", "env.config.num_boxes", { default: 1 }),
  legacyEntry("config.min_actions_to_succeed", "env.config.min_solution_steps", {
    default: 5,
    assumed: true,
    read: (value) => ({ value: [1, value] }),
    write: upperBound,
    note: "Despite its name, this is the maximum length of a shortest solution.",
  }),
  liteEntry("config.min_solution_steps", "env.config.min_solution_steps", {}),
  liteEntry("config.reset_seed_max_tries", "env.config.reset_seed_max_tries", { default: 10000 }),
  ...["map_partition", "map_partition_modulus", "map_partition_eval_bucket"].map((name) =>
    liteEntry(`config.${name}`, `env.config.${name}`, {}),
  ),
  liteEntry("config.min_solution_bfs_max_depth", "env.config.min_solution_bfs_max_depth", { default: 200 }),
].map((mapping) => ({ ...mapping, env: "sokoban" }));

const unused: readonly KeyMapping[] = [
  ...entry.ignored("VAGEN does not use it.", ["config.max_steps"]),
  ...legacyEntry
    .ignored("FrozenLake does not use it.", ["config.min_actions_to_succeed"])
    .map((mapping) => ({ ...mapping, env: "frozenlake" })),
];

export const datasetKeys: readonly KeyMapping[] = [
  ...entryKeys,
  ...sharedOptions,
  ...frozenlake,
  ...sokoban,
  ...navigationKeys,
  ...primitiveSkillKeys,
  ...svgKeys,
  ...blackjackKeys,
  ...spatialGymKeys,
  ...unused,
];

function upperBound({ env }: RunConfig): unknown {
  const steps = env.config.min_solution_steps;
  return Array.isArray(steps) ? steps[1] : undefined;
}
