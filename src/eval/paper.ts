// The results that VAGEN's authors report, for comparison with ours.

/**
 * Success rates of Qwen2.5-VL-3B from the main table of "Reinforcing World Model Reasoning for Multi-Turn VLM Agents"
 * (arXiv 2510.16907), by environment, method and reply format. The authors name the formats NoThink, FreeThink,
 * StateEstimation, TransitionModeling and WorldModeling. No intervals are reported.
 */
const REPORTED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  frozenlake: {
    "vanilla-ppo": 0.21,
    grpo: 0.57,
    "turn-ppo": 0.7,
    "vagen-full": 0.74,
    no_think: 0.09,
    free_think: 0.68,
    grounding: 0.68,
    worldmodeling: 0.76,
    grounding_worldmodeling: 0.71,
  },
  sokoban: {
    "vanilla-ppo": 0.18,
    grpo: 0.2,
    "turn-ppo": 0.38,
    "vagen-full": 0.79,
    no_think: 0.57,
    free_think: 0.57,
    grounding: 0.56,
    worldmodeling: 0.41,
    grounding_worldmodeling: 0.61,
  },
};

/** The paper's success rate of a method, or of VAGEN-Base under a format; undefined where the paper has none. */
export function reportedSuccess(envId: string, method: string, format: string): number | undefined {
  return REPORTED[envId]?.[method === "vagen-base" ? format : method];
}
