// FrozenLake as the studio knows it: names, configuration, rules.
import { defineEnv } from "../env.ts";
import { config } from "./config.ts";
import { FrozenLake } from "./frozenlake.ts";
import { directions } from "./level.ts";

export const frozenlake = defineEnv({
  id: "frozenlake",
  title: "FrozenLake",
  description: "Cross the ice to the gift without falling into a hole.",
  actions: directions,
  claims: ["goal"],
  config,
  presets: {
    lite: { max_actions_per_step: 5, format_reward: 0.02, success_reward: 1 },
    legacy: { max_actions_per_step: 3, format_reward: 0.5, success_reward: 10 },
  },
  create: (config) => new FrozenLake(config),
  gridSize: ({ size, desc }) =>
    desc ? { rows: desc.length, cols: desc[0].length } : { rows: size, cols: size },
});
