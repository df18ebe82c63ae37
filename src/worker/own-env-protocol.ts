// What the worker that plays a user's own environment is sent, and what it answers.

import { isBoard } from "../core/scene.ts";
import { z } from "../core/schema.ts";
import type { BoardTruth, SceneTruth, WorldTruth } from "../core/types.ts";
import type { EnvSpec } from "../envs/env.ts";
import { isResult } from "../envs/own/result.ts";
import { PATCH } from "../envs/square-picture.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { MOST_PLACES } from "../extension/plane-shape.ts";
import { isInstruction, MOST_THINGS } from "../extension/shape.ts";

/** The environment, and how it is configured. */
export interface OwnEnv {
  readonly extension: ExtensionSource;
  readonly envId: string;
  readonly envConfig: unknown;
}

/** Actions, from a state that is known. */
export interface ActionsFrom {
  readonly before: SceneTruth;
  readonly actions: readonly string[];
}

export type ToOwnEnv = OwnEnv &
  (
    | { readonly kind: "begin"; readonly seed: number; readonly searchBudget: number }
    | { readonly kind: "play"; readonly turns: readonly ActionsFrom[] }
  );

const cell = z.tuple([z.int(), z.int()]);
const facts = z.object({
  state: z.string(),
  done: z.boolean(),
  instruction: z.custom<string>(isInstruction).exactOptional(),
  result: z.custom<string>(isResult).exactOptional(),
});
const board: z.ZodType<BoardTruth> = z.object({
  rows: z.int(),
  cols: z.int(),
  player: cell,
  entities: z.record(z.string(), z.array(cell)),
  facts,
});
const plane: z.ZodType<WorldTruth> = z.object({
  frame: z.literal("plane"),
  size: cell,
  things: z.array(z.object({ name: z.string(), at: cell })).max(MOST_THINGS * MOST_PLACES),
  facts,
});
const truth: z.ZodType<SceneTruth> = z.union([board, plane]);
const played = z.object({
  truth,
  reward: z.number(),
  terminated: z.boolean(),
  success: z.boolean(),
  effective: z.boolean(),
  note: z.string(),
});

/** What an action led to: its result and the state after it. */
export type PlayedAction = z.output<typeof played>;

/** Its answers: the state in which a level begins, or for each of the turns what each of its actions led to. */
const fromOwnEnv = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begun"), truth }),
  z.object({ kind: z.literal("played"), turns: z.array(z.array(played)) }),
]);
export type FromOwnEnv = z.output<typeof fromOwnEnv>;

/**
 * An answer about an environment. The code of the environment may have written it, and the page draws what it says.
 * @throws ZodError or TypeError for what is no answer, or one about a board or a plane of another size.
 */
export function readAnswer(spec: EnvSpec, given: unknown): FromOwnEnv {
  const answer = fromOwnEnv.parse(given);
  const truths = answer.kind === "begun" ? [answer] : answer.turns.flat();
  if (!truths.every(({ truth }) => fits(spec, truth)))
    throw new TypeError(`The answer is not about a state of the environment "${spec.id}"`);
  return answer;
}

function fits(spec: EnvSpec, truth: SceneTruth): boolean {
  const { rows, cols } = spec.patches(spec.config.parse({}));
  if (isBoard(truth)) return !spec.isWorld && truth.rows === rows && truth.cols === cols;
  return spec.isWorld === true && truth.size?.[0] === cols * PATCH && truth.size[1] === rows * PATCH;
}
