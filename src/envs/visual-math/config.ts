// The options of VisualMath.
import { z } from "../../core/schema.ts";
import { LARGEST_ANSWER, QUESTIONS } from "./scene.ts";

export const config = z.object({
  questions: z
    .array(z.enum(QUESTIONS), "questions: give a list")
    .min(1, "questions: give at least one kind")
    .max(QUESTIONS.length, `questions: at most ${QUESTIONS.length} kinds`)
    .default([...QUESTIONS])
    .meta({ examples: [["count", "length"]] })
    .describe(
      "Kinds of questions: count shapes, length of a segment, how much longer it is, perimeter, area.",
    ),
  grid_size: z
    .int("grid_size: give a whole number")
    .min(3, "grid_size: at least 3")
    .max(12, "grid_size: at most 12")
    .default(5)
    .describe("Side of the picture in tiles."),
  max_answer: z
    .int("max_answer: give a whole number")
    .min(1, "max_answer: at least 1")
    .max(LARGEST_ANSWER, `max_answer: at most ${LARGEST_ANSWER}`)
    .default(20)
    .describe("Largest right answer."),
  difficulty: z
    .enum(["easy", "medium", "hard"])
    .default("medium")
    .describe(
      "easy: one colour or one shape is counted, figures stand alone. medium: colour and shape together, other shapes around figures. hard: figures are also not to scale, so they must be measured.",
    ),
  tools: z.boolean().default(true).describe("Whether the agent may call the measuring tools."),
  max_tool_calls: z
    .int("max_tool_calls: give a whole number")
    .min(1, "max_tool_calls: at least 1; tools: false offers none")
    .max(20, "max_tool_calls: at most 20")
    .default(4)
    .describe("Tool calls that an episode may make; further ones are refused."),
  render_mode: z
    .enum(["vision", "text"])
    .default("vision")
    .meta({ title: "Agent sees", titles: { vision: "Picture", text: "Text" } })
    .describe("Whether the agent is shown a picture or text."),
  format_reward: z
    .number()
    .default(0.1)
    .describe(
      "Reward of a turn in the right format; AReaL's format weight. Whatever stands in a box is an answer; other formats need a number, and a tool call must work.",
    ),
  success_reward: z.number().default(0.9).describe("Reward for the right answer; AReaL's accuracy weight."),
});

export type VisualMathConfig = z.output<typeof config>;
