// A task for tests: an environment with settings as in the studio's presets, scored by the task alone by
// default.
import { envs } from "../envs/index.ts";
import { mathAlgebra } from "../envs/visual-math/algebra.ts";
import { setAlgebra } from "../envs/visual-math/grade.ts";
import type { Task } from "./task.ts";
import { vocabularyFor } from "./vocabulary.ts";

/** Settings that keep Sokoban's levels short enough for five turns. */
const settings: Readonly<Record<string, object>> = { sokoban: { min_solution_steps: [1, 5] } };

/** The task of an environment with five turns and pictures of one token per tile. */
export function testTask(envId: string, overrides: Partial<Task> = {}, config: object = {}): Task {
  setAlgebra(mathAlgebra);
  const spec = envs.get(envId);
  const envConfig = spec.config.parse({ ...settings[envId], ...config });
  const { format = "grounding_worldmodeling", stateFormat = "natural" } = overrides;
  const { rows, cols } = spec.patches(envConfig);
  return {
    spec,
    envConfig,
    format,
    stateFormat,
    maxTurns: 5,
    vocabulary: vocabularyFor(spec, envConfig, 5, { format, stateFormat }),
    patchPx: 8,
    imageTokens: rows * cols,
    judge: async (turns) => turns.map(() => ({})),
    scoreTurn: ({ taskReward }) => ({ rewards: { task: taskReward }, reward: taskReward }),
    ...overrides,
  };
}
