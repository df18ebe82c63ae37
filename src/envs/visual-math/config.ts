// The options of VisualMath.
import { z } from "../../core/schema.ts";
import { renderMode, reward } from "../options.ts";
import { LARGEST_ANSWER, QUESTIONS, WHOLE_QUESTIONS } from "./question.ts";

export const config = z.object({
  questions: z
    .array(z.enum(QUESTIONS))
    .min(1)
    .max(QUESTIONS.length)
    .default([...WHOLE_QUESTIONS])
    .meta({ examples: [["count", "length"]] })
    .describe(
      "Kinds of questions: count shapes, length of a segment, how much longer it is, perimeter, area; share of the shapes (a fraction), diagonal (a root).",
    ),
  grid_size: z.int().min(3).max(12).default(5).describe("Side of the picture in tiles."),
  max_answer: z.int().min(1).max(LARGEST_ANSWER).default(20).describe("Largest right answer."),
  difficulty: z
    .enum(["easy", "medium", "hard"])
    .default("medium")
    .describe(
      "easy: one colour or one shape is counted, no shapes around figures. medium: colour and shape together, other shapes around figures. hard: figures are also not to scale, so they must be measured.",
    ),
  tools: z.boolean().default(true).describe("Whether the agent may call the measuring tools."),
  max_tool_calls: z
    .int()
    .min(1)
    .max(20)
    .default(4)
    .describe("Tool calls that an episode may make; further ones are refused."),
  render_mode: renderMode,
  format_reward: reward(
    0.1,
    "Format reward",
    "Reward of a turn in the right format; AReaL's format weight. Any text in a box is an answer; other formats need a number, and a tool call must work.",
  ),
  success_reward: reward(0.9, "Success reward", "Reward for the right answer; AReaL's accuracy weight."),
});

export type VisualMathConfig = z.output<typeof config>;
