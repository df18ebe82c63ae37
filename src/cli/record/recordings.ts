// What `record --all` records: each policy of the case studies, and its episodes.
import type { FormatId } from "../../core/formats.ts";
import type { PlaySettings } from "./episodes.ts";
import type { PolicySource } from "./policy.ts";

/**
 * The preset frozenlake-nano as it was until November 2026: a short SFT, after which the policy misses most holes, small batches, and no
 * reward for what it says of its neighbours.
 */
const SHORT_SFT = {
  "rollout.train_batch_size": 32,
  "sft.total_updates": 900,
  "sft.target_accuracy": 0,
  "sft.test_freq": 100,
  "sft.one_turn_updates": 400,
  "sft.train_batch_size": 16,
  "sft.random_fraction": 0.75,
  "reward.surroundings_reward_weight": 0,
  "actor.lr": 6e-4,
  "actor.lr_schedule": "constant",
  "actor.min_lr_ratio": 0,
  "actor.ppo_epochs": 1,
  "actor.ppo_mini_batch_size": 16,
  "actor.recompute_logprob": true,
  "actor.kl_loss_coef": 0.1,
  "trainer.total_updates": 80,
  "trainer.test_freq": 20,
  "trainer.save_freq": 20,
};

const shortRecipe = {
  name: "frozenlake-nano-short",
  preset: "frozenlake-nano",
  scratch: true,
  settings: SHORT_SFT,
};

/** The settings of the reasoning strategies in docs/results.md: SFT of their own, and 40 updates of PPO. */
const ofFormat = (format: FormatId) => ({
  name: `frozenlake-nano-${format.replace("_", "-")}`,
  preset: "frozenlake-nano",
  method: "vagen-base",
  scratch: true,
  settings: {
    "rollout.prompt_format": format,
    "sft.total_updates": 3200,
    "sft.one_turn_updates": 1600,
    "trainer.total_updates": 40,
  },
});

/** The policies, by the names that `--checkpoint` and `--find` take as well. */
export const policies = {
  "frozenlake-nano-warmup": { checkpoint: "frozenlake-nano-warmup" },
  "frozenlake-nano-trained": { checkpoint: "frozenlake-nano-trained" },
  "frozenlake-nano-short": { recipe: shortRecipe, stage: "sft" },
  "frozenlake-nano-base": {
    recipe: { name: "frozenlake-nano-base", preset: "frozenlake-nano", method: "vagen-base" },
    stage: "trained",
  },
  "frozenlake-nano-no-think": { recipe: ofFormat("no_think"), stage: "trained" },
  "frozenlake-nano-free-think": { recipe: ofFormat("free_think"), stage: "trained" },
  "frozenlake-nano-grounding": { recipe: ofFormat("grounding"), stage: "trained" },
  "frozenlake-nano-worldmodeling": { recipe: ofFormat("worldmodeling"), stage: "trained" },
  "frozenlake-nano-grounding-worldmodeling": {
    recipe: ofFormat("grounding_worldmodeling"),
    stage: "trained",
  },
  // The run of docs/results.md in which a turn's claims pay more than the goal.
  "frozenlake-nano-hacked": {
    recipe: {
      name: "frozenlake-nano-hacked",
      preset: "frozenlake-nano",
      settings: { "reward.scale_by_turns": false },
    },
    stage: "trained",
  },
  "sokoban-nano-warmup": { checkpoint: "sokoban-nano-warmup" },
  "sokoban-nano-unmasked": {
    recipe: {
      name: "sokoban-nano-unmasked",
      preset: "sokoban-nano",
      method: "vanilla-ppo",
      settings: { "actor.use_kl_loss": false },
    },
    stage: "trained",
  },
  "sokoban-small-warmup": { checkpoint: "sokoban-small-warmup" },
  "sokoban-small-trained": { checkpoint: "sokoban-small-trained" },
  "navigation-small-warmup": { checkpoint: "navigation-small-warmup" },
  "navigation-small-trained": { checkpoint: "navigation-small-trained" },
  "three-tasks-small-trained": { checkpoint: "three-tasks-small-trained" },
  "svg-small-warmup": { checkpoint: "svg-small-warmup" },
  "svg-small-trained": { checkpoint: "svg-small-trained" },
  "primitive-skill-small-novice": { checkpoint: "primitive-skill-small-novice" },
  "primitive-skill-small-trained": { checkpoint: "primitive-skill-small-trained" },
  "primitive-skill-small-warmup": { checkpoint: "primitive-skill-small-warmup" },
  "primitive-skill-nano-warmup": { checkpoint: "primitive-skill-nano-warmup" },
  "primitive-skill-nano-trained": { checkpoint: "primitive-skill-nano-trained" },
  "spatial-gym-small-warmup": { checkpoint: "spatial-gym-small-warmup" },
  "spatial-gym-small-trained": { checkpoint: "spatial-gym-small-trained" },
  "spatial-gym-map-small-warmup": { checkpoint: "spatial-gym-map-small-warmup" },
  "spatial-gym-map-small-trained": { checkpoint: "spatial-gym-map-small-trained" },
  "spatial-gym-rooms-text-nano-warmup": { checkpoint: "spatial-gym-rooms-text-nano-warmup" },
  "spatial-gym-rooms-text-nano-trained": { checkpoint: "spatial-gym-rooms-text-nano-trained" },
  "blackjack-nano-warmup": { checkpoint: "blackjack-nano-warmup" },
  "blackjack-nano-trained": { checkpoint: "blackjack-nano-trained" },
  "visual-math-nano-warmup": { checkpoint: "visual-math-nano-warmup" },
  "visual-math-nano-trained": { checkpoint: "visual-math-nano-trained" },
  "visual-math-areal-nano": {
    recipe: { name: "visual-math-areal-nano", preset: "visual-math-areal-nano" },
    stage: "trained",
  },
} as const satisfies Readonly<Record<string, PolicySource>>;

/** One recorded episode, and how its policy is played. */
export interface Recording extends PlaySettings {
  /** Id of the replay, and name of its file. */
  id: string;
  policy: keyof typeof policies;
  seed: number;
}

/** Sampled as in training, at temperature 1. */
const sampled = (id: string, policy: Recording["policy"], seed: number): Recording => ({
  id,
  policy,
  seed,
  temperature: 1,
});

export const recordings: readonly Recording[] = [
  sampled("frozenlake-10079-early", "frozenlake-nano-short", 10079),
  sampled("frozenlake-10027-early", "frozenlake-nano-warmup", 10027),
  sampled("frozenlake-10048-early", "frozenlake-nano-warmup", 10048),
  sampled("frozenlake-10079-trained", "frozenlake-nano-trained", 10079),
  sampled("frozenlake-10027-trained", "frozenlake-nano-trained", 10027),
  sampled("frozenlake-10048-trained", "frozenlake-nano-trained", 10048),
  sampled("frozenlake-10134-trained", "frozenlake-nano-trained", 10134),
  sampled("frozenlake-10242-full", "frozenlake-nano-trained", 10242),
  sampled("frozenlake-10242-base", "frozenlake-nano-base", 10242),
  sampled("frozenlake-10071-shared", "frozenlake-nano-trained", 10071),
  sampled("frozenlake-10071-hacked", "frozenlake-nano-hacked", 10071),
  sampled("frozenlake-10203-no-think", "frozenlake-nano-no-think", 10203),
  sampled("frozenlake-10203-free-think", "frozenlake-nano-free-think", 10203),
  sampled("frozenlake-10203-grounding", "frozenlake-nano-grounding", 10203),
  sampled("frozenlake-10203-worldmodeling", "frozenlake-nano-worldmodeling", 10203),
  sampled("frozenlake-10203-world-modeling", "frozenlake-nano-grounding-worldmodeling", 10203),
  sampled("sokoban-10077-early", "sokoban-nano-warmup", 10077),
  sampled("sokoban-10077-unmasked", "sokoban-nano-unmasked", 10077),
  sampled("sokoban-10053-early", "sokoban-small-warmup", 10053),
  sampled("sokoban-10098-early", "sokoban-small-warmup", 10098),
  sampled("sokoban-10234-early", "sokoban-small-warmup", 10234),
  sampled("sokoban-10053-trained", "sokoban-small-trained", 10053),
  sampled("sokoban-10098-trained", "sokoban-small-trained", 10098),
  sampled("sokoban-10160-trained", "sokoban-small-trained", 10160),
  sampled("sokoban-10234-trained", "sokoban-small-trained", 10234),
  sampled("navigation-95061-early", "navigation-small-warmup", 95061),
  sampled("navigation-95041-early", "navigation-small-warmup", 95041),
  sampled("navigation-95011-early", "navigation-small-warmup", 95011),
  sampled("navigation-95017-early", "navigation-small-warmup", 95017),
  sampled("navigation-95061-trained", "navigation-small-trained", 95061),
  sampled("navigation-95041-trained", "navigation-small-trained", 95041),
  sampled("navigation-95011-trained", "navigation-small-trained", 95011),
  sampled("navigation-95017-trained", "navigation-small-trained", 95017),
  sampled("three-tasks-lake-10139-trained", "three-tasks-small-trained", 10139),
  { ...sampled("three-tasks-room-10001-trained", "three-tasks-small-trained", 10001), entry: "sokoban" },
  { ...sampled("three-tasks-home-95037-trained", "three-tasks-small-trained", 95037), entry: "navigation" },
  sampled("svg-10154-early", "svg-small-warmup", 10154),
  sampled("svg-10035-early", "svg-small-warmup", 10035),
  sampled("svg-10036-early", "svg-small-warmup", 10036),
  sampled("svg-10057-early", "svg-small-warmup", 10057),
  sampled("svg-10154-trained", "svg-small-trained", 10154),
  sampled("svg-10035-trained", "svg-small-trained", 10035),
  sampled("svg-10036-trained", "svg-small-trained", 10036),
  sampled("svg-10057-trained", "svg-small-trained", 10057),
  sampled("primitive-skill-place-10003-early", "primitive-skill-small-novice", 10003),
  sampled("primitive-skill-place-10003-trained", "primitive-skill-small-trained", 10003),
  { ...sampled("primitive-skill-stack-10003", "primitive-skill-small-warmup", 10003), entry: "stack" },
  { ...sampled("primitive-skill-stack-10011", "primitive-skill-small-warmup", 10011), entry: "stack" },
  { ...sampled("primitive-skill-drawer-10001", "primitive-skill-small-warmup", 10001), entry: "drawer" },
  sampled("primitive-skill-align-10003-early", "primitive-skill-nano-warmup", 10003),
  sampled("primitive-skill-align-10003-trained", "primitive-skill-nano-trained", 10003),
  sampled("spatial-gym-10063-early", "spatial-gym-small-warmup", 10063),
  sampled("spatial-gym-10065-early", "spatial-gym-small-warmup", 10065),
  sampled("spatial-gym-map-10146-early", "spatial-gym-map-small-warmup", 10146),
  sampled("spatial-gym-10120-early", "spatial-gym-small-warmup", 10120),
  sampled("spatial-gym-10063-trained", "spatial-gym-small-trained", 10063),
  sampled("spatial-gym-10065-trained", "spatial-gym-small-trained", 10065),
  sampled("spatial-gym-map-10146-trained", "spatial-gym-map-small-trained", 10146),
  sampled("spatial-gym-10120-trained", "spatial-gym-small-trained", 10120),
  sampled("spatial-gym-rooms-10084-early", "spatial-gym-rooms-text-nano-warmup", 10084),
  sampled("spatial-gym-rooms-10084-trained", "spatial-gym-rooms-text-nano-trained", 10084),
  sampled("blackjack-10071-early", "blackjack-nano-warmup", 10071),
  sampled("blackjack-10077-early", "blackjack-nano-warmup", 10077),
  sampled("blackjack-10148-early", "blackjack-nano-warmup", 10148),
  sampled("blackjack-10051-early", "blackjack-nano-warmup", 10051),
  sampled("blackjack-10071-trained", "blackjack-nano-trained", 10071),
  sampled("blackjack-10077-trained", "blackjack-nano-trained", 10077),
  sampled("blackjack-10148-trained", "blackjack-nano-trained", 10148),
  sampled("blackjack-10051-trained", "blackjack-nano-trained", 10051),
  sampled("visual-math-10004-early", "visual-math-nano-warmup", 10004),
  sampled("visual-math-10074-early", "visual-math-nano-warmup", 10074),
  sampled("visual-math-10252-early", "visual-math-nano-warmup", 10252),
  sampled("visual-math-10021-early", "visual-math-nano-warmup", 10021),
  sampled("visual-math-10004-trained", "visual-math-nano-trained", 10004),
  sampled("visual-math-10074-trained", "visual-math-nano-trained", 10074),
  sampled("visual-math-10252-trained", "visual-math-nano-trained", 10252),
  sampled("visual-math-10021-trained", "visual-math-nano-trained", 10021),
  sampled("visual-math-10047-areal", "visual-math-areal-nano", 10047),
];
