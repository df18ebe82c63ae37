// Sokoban as the studio knows it: names, configuration, rules.
import { defineEnv, TRAINING_SEARCH_BUDGET } from "../env.ts";
import { config } from "./config.ts";
import { directions } from "./room.ts";
import { Sokoban } from "./sokoban.ts";

export const sokoban = defineEnv({
  id: "sokoban",
  title: "Sokoban",
  description: "Push every crate onto a target; crates cannot be pulled.",
  actions: directions,
  claims: ["box", "target"],
  config,
  presets: {
    lite: {
      max_actions_per_step: 3,
      format_reward: 0.1,
      success_reward: 1,
      penalty_for_step: 0,
      reward_box_on_target: 0,
      penalty_box_off_target: 0,
    },
    legacy: {
      max_actions_per_step: 3,
      format_reward: 0.5,
      success_reward: 10,
      penalty_for_step: -0.1,
      reward_box_on_target: 1,
      penalty_box_off_target: -1,
    },
  },
  create: (config, { searchBudget = TRAINING_SEARCH_BUDGET } = {}) => new Sokoban(config, searchBudget),
  gridSize: ({ dim_room: [rows, cols] }) => ({ rows, cols }),
});
