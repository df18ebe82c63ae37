// One question about one picture, apart from VAGEN's loop: what a workflow asks and how it grades a reply.
import type { Frame } from "../core/types.ts";
import { gradeBoxed } from "./boxed.ts";
import { compactObservation, compactView, promptIds } from "./prompt.ts";
import { isTextBoard, type Task } from "./task.ts";

/** A question of a seed. */
export interface PictureQuestion {
  /** The user's words, with `<image>` for the picture. */
  readonly prompt: string;
  /** The same as tokens, from the opening of the conversation to the tag for the reply. */
  readonly promptIds: Int32Array;
  readonly images: readonly Frame[];
  /** AReaL's score of a reply: accuracy and format, weighted by the environment's two rewards. Special tokens may stand in it. */
  grade(reply: string): number;
}

/** The question of a level whose solution is one answer. @throws RangeError when it takes more than one action. */
export function questionOf(task: Task, seed: number): PictureQuestion {
  const { spec, envConfig, format, vocabulary, tilePx, imageTokens } = task;
  const env = spec.create(envConfig);
  env.reset(seed);
  const [answer, ...more] = env.oracle() ?? [];
  if (answer === undefined || more.length > 0)
    throw new RangeError(`Level ${seed} of ${spec.title} is no question with one answer.`);
  const isText = isTextBoard(envConfig);
  const prompt = compactObservation({ turn: 0, executed: [], board: compactView(env, isText) });
  const { success_reward, format_reward } = envConfig as { success_reward: number; format_reward: number };
  const weights = { accuracy: success_reward, format: format_reward };
  return {
    prompt,
    promptIds: promptIds(vocabulary, { envId: spec.id, format, turn: 0, observation: prompt, imageTokens }),
    images: isText ? [] : [env.render(tilePx)],
    grade: (reply) => gradeBoxed(reply, answer, weights, spec.readAction),
  };
}
