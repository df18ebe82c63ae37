// What VAGEN does without a key.
import type { Generation, VagenGeneration } from "../key-mapping.ts";

export interface Implied {
  readonly path: string;
  readonly value: unknown;
  readonly why: string;
  /** The only generation that does it; both where absent. */
  readonly generation?: Generation;
  /** The only environment that does it; all where absent. */
  readonly env?: string;
  /** Of the legacy judge: the environment whose claims it scores this way. It applies only while these rewards are on. */
  readonly judgeOf?: string;
}

const judged = (judgeOf: string, why: string, values: Readonly<Record<string, unknown>>): Implied[] =>
  Object.entries(values).map(([key, value]) => ({ path: `reward.${key}`, value, why, judgeOf }));

const ofAreal: readonly Implied[] = (
  [
    ["rollout.workflow", "areal", "AReaL asks a question again until the answer is right."],
    ["rollout.use_multi_turn_reward", false, "An episode has one reward, that of its best attempt."],
    ["reward.use_state_reward", false, "AReaL rewards answers, not what is said about the picture."],
    ["algorithm.carry_across_turns", true, "AReaL's rewards reach every attempt before them."],
    ["actor.use_kl_loss", false, "AReaL has the KL in the reward only."],
  ] as const
).map(([path, value, why]) => ({ path, value, why, generation: "areal" }));

const levelsOf = (generation: VagenGeneration, why: string): Implied => ({
  path: "env.config.levels",
  value: generation,
  why,
  generation,
  env: "sokoban",
});
const VAGENS_LEVELS = "The levels are those of VAGEN's generator.";

/** Assumed with a dataset file; values in the files win. */
export const IMPLIED: readonly Implied[] = [
  {
    path: "reward.scale_by_turns",
    value: false,
    why: "Format and reasoning are paid in full at every turn.",
  },
  ...ofAreal,
  {
    path: "reward.use_state_reward",
    value: false,
    why: "VAGEN-Lite has no judge, so it does not reward what a reply says about the state.",
    generation: "lite",
  },
  levelsOf("lite", VAGENS_LEVELS),
  levelsOf(
    "legacy",
    `${VAGENS_LEVELS} The legacy release plays no seed whose room takes more moves than min_actions_to_succeed, which is one in four by default; the studio draws a level of its own for such a seed.`,
  ),
  {
    path: "env.config.format_penalty",
    value: -0.1,
    why: "The legacy release takes 0.1 from the reward of a turn without a valid action.",
    generation: "legacy",
    env: "blackjack",
  },
  {
    path: "env.config.task",
    value: "map",
    why: "VAGEN-Lite asks for a map after the exploration.",
    generation: "lite",
    env: "spatial-gym",
  },
  {
    path: "env.config.format_penalty",
    value: -0.5,
    why: "VAGEN-Lite takes 0.5 from the reward of a turn without a valid action.",
    generation: "lite",
    env: "spatial-gym",
  },
  {
    path: "rollout.reply_reading",
    value: "legacy",
    why: "The legacy release reads and pays replies by its own rules.",
    generation: "legacy",
  },
  {
    path: "rollout.reply_reading",
    value: "lite",
    why: "VAGEN-Lite reads and pays replies by its own rules.",
    generation: "lite",
  },
  ...judged("sokoban", "The legacy judge of Sokoban counts directions that are exactly right.", {
    judge_scoring: "vagen",
  }),
  ...judged(
    "sokoban",
    "The legacy judge of Sokoban pays -0.1 for one of the run's five most frequent texts where it scores low.",
    {
      repetition_penalty: 0.1,
      repetition_threshold: 0.35,
      top_strings_m: 1000,
      top_strings_k: 5,
      repetition_penalty_weight: 0,
    },
  ),
  ...judged("frozenlake", "The legacy judge of FrozenLake counts each axis of a direction by itself.", {
    judge_scoring: "vagen",
  }),
  ...judged("frozenlake", "The legacy judge of FrozenLake does not penalise repetition.", {
    repetition_penalty: 0,
    repetition_penalty_weight: 0,
  }),
];

/** Whether it applies to the task of a file. */
export function isImplied(
  { judgeOf, generation: only, env: onlyEnv }: Implied,
  env: string,
  generation: Generation,
  isJudged: boolean,
): boolean {
  if (only !== undefined && only !== generation) return false;
  if (onlyEnv !== undefined && onlyEnv !== env) return false;
  return judgeOf === undefined || (judgeOf === env && generation === "legacy" && isJudged);
}
