// visual-math as the studio knows it: names, configuration, rules.
import { defineEnv } from "../env.ts";
import { ANSWERS, readAnswer } from "./answer.ts";
import { config } from "./config.ts";
import { allQuestions } from "./scene.ts";
import { VisualMath } from "./visual-math.ts";

export const visualMath = defineEnv({
  id: "visual-math",
  title: "Visual math",
  description: "Answer a question about a small picture: count shapes, measure figures.",
  actions: ANSWERS,
  readAction: readAnswer,
  claims: [],
  config,
  presets: {
    areal: { format_reward: 0.1, success_reward: 0.9 },
    counting: { questions: ["count"], tools: false },
    measuring: { questions: ["length", "longer", "perimeter", "area"], difficulty: "hard", max_answer: 60 },
  },
  create: (config) => new VisualMath(config),
  questions: allQuestions,
  gridSize: ({ grid_size }) => ({ rows: grid_size, cols: grid_size }),
});
