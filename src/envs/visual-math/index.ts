// The specification of visual math.
import { defineEnv } from "../env.ts";
import { lazily } from "../loading.ts";
import { checkConfig } from "./check.ts";
import { config } from "./config.ts";
import { ANSWERS, allQuestions } from "./question.ts";

const game = lazily("Visual math", () => import("./visual-math.ts"));

/** An answer may be an expression, which takes algebra to read; a whole number takes none. */
async function loadAlgebraFor(text: string): Promise<void> {
  if (/^\s*\d*\s*$/.test(text)) return;
  const [{ setAlgebra }, { mathAlgebra }] = await Promise.all([import("./grade.ts"), import("./algebra.ts")]);
  setAlgebra(mathAlgebra);
}

/**
 * Answer a question about a small picture on squared paper. Circles, triangles and squares in four colours lie on tiles.
 * Figures are lines between points A to D in the middles of tiles, so a side is as long as the number of steps along it.
 *
 * **Actions.**
 *
 * | action | effect |
 * |---|---|
 * | `0` … `99` | answer the question with this number |
 *
 * "4", "04", "4.0", "$4$", "\text{4}" and "4 units" are the same answer. Fractions and roots are answers, too: "1/2",
 * "\frac{1}{2}" and "0.5/1" are equal, and so are "sqrt(8)" and "2\sqrt{2}"; a fraction is not equal to a whole number, nor to
 * one that is reduced further (MathRuler's rules). In place of an answer the agent may call a tool.
 *
 * **Observation.** The picture and its question. The kinds of questions are `count` ("how many red circles"), `length`
 * ("how long is A B"), `longer` ("how much longer is A B than C D"), `perimeter` and `area` ("area of A B C D"); not among
 * them by default, `share` ("what share are red circles", of all shapes) and `diagonal` ("how long is the diagonal A C"). Text
 * symbols: `rc` red circle and so on, `#` a line, `A` to `D` points, `_` paper, `√` green paper.
 *
 * **Start.** A random picture with a question whose answer is at most `max_answer`.
 *
 * **Transitions.** A wrong answer changes nothing. The right one turns the paper green. Tool calls change nothing.
 *
 * **Rewards.** `success_reward` for the right answer, 0 for every other one.
 *
 * **End.** The episode terminates at the right answer (success). The rollout truncates it after `rollout.max_turns` turns.
 *
 * **Seeds.** A seed gives picture and question. Answers and tools are deterministic.
 *
 * **Configuration.**
 */
export const visualMath = defineEnv({
  id: "visual-math",
  title: "Visual math",
  description: "Answer a question about a small picture: count shapes, measure figures.",
  actions: ANSWERS,
  actionWords: { noun: "answer", command: "Answer" },
  playHelp: {
    actions:
      "Lengths are counted in steps from tile to tile, areas in squares of one step. Where a figure is not to scale, as in hard levels, a step has more units than one; the policy measures it with a tool, which you do not have.",
  },
  readAction: (text) => game.get().readAnswer(text),
  separator: null,
  claims: [],
  config,
  presets: {
    areal: { format_reward: 0.1, success_reward: 0.9 },
    counting: { questions: ["count"], tools: false },
    measuring: { questions: ["length", "longer", "perimeter", "area"], difficulty: "hard", max_answer: 60 },
  },
  load: game.load,
  loadFor: loadAlgebraFor,
  check: checkConfig,
  create(config) {
    checkConfig(config);
    return new (game.get().VisualMath)(config);
  },
  hasTools: ({ tools }) => tools,
  isQuestion: true,
  questions: allQuestions,
  patches: ({ grid_size }) => ({ rows: grid_size, cols: grid_size }),
});
