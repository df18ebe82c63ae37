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
  rules: [
    "You are the figure in the red coat on a frozen lake seen from above. Light tiles are ice, dark blue tiles are",
    "holes, the golden gift is the goal.",
    "Left, Right, Up and Down move you by one tile; the edge of the lake stops you.",
    "Reach the gift. Stepping into a hole ends the episode without reward.",
    "In text, P is you, _ ice, O a hole, G the gift, X you in a hole, √ you at the gift.",
  ].join(" "),
  create: (config) => new FrozenLake(config),
  gridSize: ({ size, desc }) =>
    desc ? { rows: desc.length, cols: desc[0].length } : { rows: size, cols: size },
});
