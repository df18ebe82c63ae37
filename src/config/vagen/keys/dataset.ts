// Dataset files: the task, its options, and the number of levels.
import { type RunConfig, TRAIN_SEEDS, VALIDATION_FIRST_SEED } from "../../run-config.ts";
import { entry, type KeyMapping, legacyEntry, liteEntry, notABoolean, type Source } from "../key-mapping.ts";
import { SEEDS, TEXT } from "./reasons.ts";
import { USE_SERVICE } from "./rollout.ts";

const LEGACY_FORMATS = ["no_think", "free_think", "grounding", "worldmodeling", "grounding_worldmodeling"];
const VARIANT = /_(structured|symbolic)$/;
const ORDER = "Lite predicts after the answer, the legacy release before it.";

/** Legacy formats by name; the variants differ in how a state is written, which is a setting of its own here. */
const legacyFormat: readonly KeyMapping[] = [
  legacyEntry("config.prompt_format", "rollout.prompt_format", {
    default: "grounding_worldmodeling",
    assumed: true,
    read: (value) => {
      const base = String(value).replace(VARIANT, "");
      return { value: LEGACY_FORMATS.includes(base) ? base : value };
    },
    converted: `\`…_structured\` and \`…_symbolic\` are a format and \`rollout.state_format\`. \`wm\` and \`free_wm\` are written as \`grounding_worldmodeling\`: ${ORDER}`,
    write: legacyName,
  }),
  legacyEntry("config.prompt_format", "rollout.state_format", {
    default: "grounding_worldmodeling",
    assumed: true,
    read: (value) => ({ value: VARIANT.exec(String(value))?.[1] ?? "natural" }),
    converted: "The ending of the format's name.",
    write: () => undefined,
  }),
];

/** The legacy name of our format. Lite's formats have the parts of grounding_worldmodeling, in another order. */
function legacyName({ rollout: { prompt_format: format, state_format: written } }: RunConfig): string {
  const base = LEGACY_FORMATS.includes(format) ? format : "grounding_worldmodeling";
  return written === "natural" ? base : `${base}_${written}`;
}

/** Lite's name for our format. Where it has none, that of a format with the same parts. */
const LITE_NAMES: Readonly<Record<string, string>> = {
  free_think: "free_think",
  no_think: "no_think",
  wm: "wm",
  free_wm: "free_wm",
  grounding_worldmodeling: "wm",
};

/** Lite's default differs between the two games. */
const liteFormat = (env: string, preset: string): KeyMapping => ({
  ...liteEntry("config.prompt_format", "rollout.prompt_format", {
    default: preset,
    assumed: true,
    write: ({ rollout }) => LITE_NAMES[rollout.prompt_format] ?? "free_think",
    converted: `\`grounding_worldmodeling\` is written as \`wm\`: ${ORDER}`,
  }),
  env,
});

/** Only validation has a number of levels; training draws from all of its seeds. */
const valOnly = (value: unknown, { split }: Source) => (split === "val" ? { value } : { ignored: SEEDS });

const entryKeys: readonly KeyMapping[] = [
  legacyEntry("env_name", "env.name", {}),
  liteEntry("name", "env.name", {}),
  legacyEntry.written("train_size", SEEDS, () => TRAIN_SEEDS.last),
  legacyEntry("test_size", "trainer.val_size", { default: 100 }),
  liteEntry("n_envs", "trainer.val_size", { read: valOnly }),
  ...liteEntry.ignored("The studio names its metrics by task.", ["data_source"]),
  ...liteEntry.ignored(SEEDS, ["seed", "seed_list"]),
  ...liteEntry.ignored("The file's name decides between training and validation.", ["split", "tag_id"]),
  liteEntry("max_turns", "rollout.max_turns", { default: 1, assumed: true }),
  liteEntry("response_length_per_turn", "rollout.response_length", {
    note: "Counted in the studio's own vocabulary, where a word is one token.",
  }),
];

const stateReward = (key: string, preset: unknown): KeyMapping =>
  legacyEntry(`config.${key}`, `reward.${key}`, { default: preset, assumed: true });

/** The legacy judge is part of the server, so without a server an environment gets none of its rewards. */
const useStateReward: KeyMapping = {
  ...stateReward("use_state_reward", false),
  read(value, source) {
    const service = source.get(USE_SERVICE);
    if (value !== true || service === undefined || service === true) return { value };
    if (service !== false) return notABoolean(USE_SERVICE, service);
    const note = `The legacy judge is part of the server of environments, and ${USE_SERVICE} is off.`;
    return { value: false, note };
  },
  converted: `Off without \`${USE_SERVICE}\`, which a trainer's file must turn on.`,
};

const sharedOptions: readonly KeyMapping[] = [
  legacyEntry("config.render_mode", "env.config.render_mode", { default: "vision", assumed: true }),
  liteEntry("config.render_mode", "env.config.render_mode", { default: "text", assumed: true }),
  entry("config.max_actions_per_step", "env.config.max_actions_per_step", {}),
  entry("config.format_reward", "env.config.format_reward", {}),
  liteEntry("config.success_reward", "env.config.success_reward", { default: 1 }),
  ...legacyFormat,
  liteFormat("frozenlake", "free_think"),
  liteFormat("sokoban", "wm"),
  useStateReward,
  stateReward("grounding_reward_weight", 0.5),
  stateReward("worldmodeling_reward_weight", 0.5),
  ...entry.ignoredIn(
    "config",
    TEXT,
    "image_placeholder special_token_list action_sep use_example_in_sys_prompt",
  ),
];

const frozenlake: readonly KeyMapping[] = [
  entry("config.size", "env.config.size", { default: 4 }),
  entry("config.p", "env.config.p", { default: 0.8 }),
  entry("config.desc", "env.config.desc", {}),
  entry("config.is_slippery", "env.config.is_slippery", { default: false }),
  liteEntry("config.slip_prob", "env.config.slip_prob", { default: 0 }),
].map((mapping) => ({ ...mapping, env: "frozenlake" }));

const sokoban: readonly KeyMapping[] = [
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
  ...unused,
];

/** Seeds of Lite's files for the levels that the studio uses. */
export function liteSeeds({ trainer }: RunConfig, split: "train" | "val"): readonly number[] {
  if (split === "train") return [TRAIN_SEEDS.first, TRAIN_SEEDS.last, 1];
  return [VALIDATION_FIRST_SEED, VALIDATION_FIRST_SEED + trainer.val_size - 1, 1];
}

function upperBound({ env }: RunConfig): unknown {
  const steps = env.config.min_solution_steps;
  return Array.isArray(steps) ? steps[1] : undefined;
}
