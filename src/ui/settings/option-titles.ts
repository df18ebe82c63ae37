// What the choices of a setting are called on screen. Their ids are for files.
import { envs } from "../../envs/index.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { filters } from "../../rl/filter/index.ts";

type Titles = Readonly<Record<string, string>>;

const LEVELS: Titles = { batch: "The whole batch", group: "The episodes of one level", none: "Nothing" };
const KL: Titles = {
  full: "Exact, over the vocabulary",
  k1: "Log-ratio (k1)",
  k2: "Half its square (k2)",
  k3: "Low variance (k3)",
};

/** By path and option. The same id means different things in different settings. */
const TITLES: Readonly<Record<string, Titles>> = {
  "env.preset": {
    none: "The task's own",
    legacy: "VAGEN, legacy",
    lite: "VAGEN-Lite",
    areal: "AReaL",
    counting: "Counting only",
    measuring: "Measuring only",
  },
  "env.config.render_mode": { vision: "Picture", text: "Text" },
  "rollout.prompt_format": {
    no_think: "No thinking",
    free_think: "Free thinking",
    grounding: "Grounding",
    worldmodeling: "World modelling",
    grounding_worldmodeling: "Grounding + world modelling",
    wm: "World modelling, Lite's order",
    free_wm: "World modelling, free text between",
    boxed: "Thought, then a boxed answer",
  },
  "rollout.state_format": {
    natural: "In words",
    structured: "Dictionary of cells",
    symbolic: "Drawn board",
  },
  "rollout.workflow": { vagen: "Game, turn by turn (VAGEN)", areal: "Question with retries (AReaL)" },
  "rollout.export_style": { concat: "One row per episode", individual: "One row per reply" },
  "model.critic": { head: "Value head on the trunk", separate: "Separate network" },
  "algorithm.turn_value_anchor": { end: "Before its last token", start: "Before its first token" },
  "algorithm.adv_norm_mean_level": LEVELS,
  "algorithm.adv_norm_std_level": LEVELS,
  "algorithm.reward_norm_mean_level": LEVELS,
  "algorithm.reward_norm_std_level": LEVELS,
  "algorithm.kl_penalty": KL,
  "actor.kl_loss_type": KL,
  "actor.loss_mode": { vanilla: "PPO: a ratio per token", gspo: "GSPO: a ratio per sequence" },
  "actor.loss_agg_mode": {
    "token-mean": "All tokens",
    "seq-mean-token-sum": "Sequences, tokens summed",
    "seq-mean-token-mean": "Sequences, tokens averaged",
  },
  "actor.behav_imp_weight_mode": { mask: "Leave the token out", clamp: "Count it at the cap" },
  "reward.judge_scoring": {
    cells: "Share of right cells",
    exact_f1: "F1 of directions, exact",
    soft_f1: "F1 of directions, soft",
    rubric: "YES or NO (rubric)",
  },
  "judge.name": {
    rule: "Rule (exact and free)",
    recorded: "Recorded verdicts",
    llm: "Language model",
    off: "Off",
  },
  "judge.provider": { openai: "OpenAI, or compatible", anthropic: "Anthropic", gemini: "Gemini" },
};

/** Lists whose entries bring their titles along; what an extension took away again is called by its id. */
const REGISTRIES: Readonly<Record<string, () => readonly { id: string; title: string }[]>> = {
  "env.name": () => envs.all,
  "algorithm.adv_estimator": () => estimators.all,
  "algorithm.filter": () => filters.all,
};

/** How an option of a setting is called. */
export function optionTitle(path: string, option: string): string {
  const registry = REGISTRIES[path];
  if (registry) return registry().find(({ id }) => id === option)?.title ?? option;
  return TITLES[path]?.[option] ?? sentence(option);
}

/** `linear_decay` → "Linear decay", for an option that nobody has named. */
function sentence(id: string): string {
  const words = id.replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
