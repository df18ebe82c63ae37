// Sokoban as the studio knows it: names, configuration, rules.
import { defineEnv } from "../env.ts";
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
  rules: [
    "You are the figure in the blue coat in a storehouse seen from above. Dark bricks are walls, a red ring marks a",
    "target, a brown crate is a box; it turns green on a target.",
    "Up, Down, Left and Right move you by one tile and push a box in front of you if the tile behind it is free.",
    "Boxes cannot be pulled, and only one can be pushed at a time. Bring every box onto a target.",
    "In text, P is you, S you on a target, # a wall, _ floor, O a target, X a box, √ a box on a target.",
  ].join(" "),
  create: (config) => new Sokoban(config),
  gridSize: ({ dim_room: [rows, cols] }) => ({ rows, cols }),
});
