// visual-math as the studio knows it: names, configuration, rules.
import { defineEnv } from "../env.ts";
import { ANSWERS, readAnswer } from "./answer.ts";
import { config } from "./config.ts";
import { allQuestions, LARGEST_ANSWER } from "./scene.ts";
import { VisualMath } from "./visual-math.ts";

export const visualMath = defineEnv({
  id: "visual-math",
  title: "Visual math",
  description: "Answer a question about a small picture: count shapes, measure figures.",
  actions: ANSWERS,
  actionsInWords: `the whole numbers from 0 to ${LARGEST_ANSWER}`,
  readAction: readAnswer,
  claims: [],
  config,
  presets: {
    areal: { format_reward: 0.1, success_reward: 0.9 },
    counting: { questions: ["count"], tools: false },
    measuring: { questions: ["length", "longer", "perimeter", "area"], difficulty: "hard", max_answer: 60 },
  },
  rules: [
    "You are shown a picture on squared paper and asked a question about it. There are circles, triangles and squares in",
    "red, blue, green and yellow, and figures drawn with lines between points A, B, C and D in the middles of tiles.",
    "A tile is one unit long, unless the question asks for units: then the figure is not to scale and must be measured.",
    "Answer with a whole number. A wrong answer may be corrected while turns remain.",
    "In text, rc is a red circle (b blue, g green, y yellow; t triangle, s square), # a line, A to D points, _ paper.",
  ].join(" "),
  create: (config) => new VisualMath(config),
  questions: allQuestions,
  gridSize: ({ grid_size }) => ({ rows: grid_size, cols: grid_size }),
});
