// A question for tests: which of four tiles is marked? The answer is a direction, which FrozenLake's vocabulary has.

import { createFrame, fillRect, hex } from "../../core/image.ts";
import { z } from "../../core/schema.ts";
import type { GroundTruth, Trajectory } from "../../core/types.ts";
import { defineEnv, type Env } from "../../envs/env.ts";
import type { GenerateRequest } from "../../policy/policy.ts";
import { scriptedPolicy } from "../../policy/scripted/scripted.ts";
import { play } from "../play.ts";
import type { Task } from "../task.ts";
import { testTask } from "../test-task.ts";
import type { ArealSettings } from "./options.ts";

const DIRECTIONS = ["Left", "Down", "Right", "Up"] as const;
/** The right answer to the question of a level. */
export const answerTo = (seed: number): string => DIRECTIONS[seed % 4] as string;

/** A wrong answer changes nothing; a right one ends the game. */
class MarkedTile implements Env {
  private seed = 0;
  private solved = false;
  reset(seed: number) {
    this.seed = seed;
    this.solved = false;
  }
  step(action: string) {
    if (this.solved) throw new Error("The question is answered.");
    this.solved = action === answerTo(this.seed);
    const done = { terminated: this.solved, success: this.solved, effective: this.solved };
    return { ...done, reward: this.solved ? 0.9 : 0, note: "" };
  }
  render(patchPx: number) {
    const frame = createFrame(4 * patchPx, patchPx);
    fillRect(frame, (this.seed % 4) * patchPx, 0, patchPx, patchPx, hex("#ffffff"));
    return frame;
  }
  text = () => "";
  groundTruth = (): GroundTruth => ({ rows: 1, cols: 4, player: [0, this.seed % 4], entities: {} });
  oracle = () => [answerTo(this.seed)];
}

const markedTile = defineEnv({
  id: "frozenlake",
  title: "Marked tile",
  description: "",
  actions: DIRECTIONS,
  claims: [],
  config: z.object({}),
  presets: {},
  create: () => new MarkedTile(),
  patches: () => ({ rows: 1, cols: 4 }),
});

/** The question as a task of four turns: 0.9 for the right answer, 0.1 for saying one answer in the right form. */
export function questionTask(overrides: Partial<Task> = {}): Task {
  return testTask("frozenlake", {
    spec: markedTile,
    envConfig: {},
    format: "no_think",
    maxTurns: 4,
    imageTokens: 4,
    scoreTurn: ({ taskReward, parsed }) => {
      const format = parsed.formatOk && parsed.droppedActions.length === 0 ? 0.1 : 0;
      return { rewards: { task: taskReward, format }, reward: taskReward + format };
    },
    ...overrides,
  });
}

export const settings: ArealSettings = {
  turnDiscount: 0.5,
  feedback: "nothing",
  exportStyle: "concat",
  maxReply: 40,
};

/** The requests that a scripted answerer received. */
export type Sent = GenerateRequest[];

/** Answers level `seed` with fixed texts (including `<eos>`, where wanted) and records what the policy receives. */
export async function answering(
  replies: readonly string[],
  options: { seed?: number; areal?: Partial<ArealSettings>; task?: Partial<Task>; maxTokens?: number } = {},
): Promise<{ trajectory: Trajectory; sent: Sent; task: Task }> {
  const { seed = 0, areal, maxTokens = 40 } = options;
  const task = questionTask({ areal: { ...settings, ...areal }, ...options.task });
  const sent: Sent = [];
  const script = scriptedPolicy((_env, { turn }) => task.vocabulary.encode(replies[turn] ?? "<eos>"));
  const policy: typeof script = {
    ...script,
    generate: (requests, ...rest) => {
      sent.push(...requests);
      return script.generate(requests, ...rest);
    },
  };
  const [trajectory] = await play({
    task,
    policy,
    version: 7,
    episodes: [{ id: "a", seed, groupId: "g", rngKey: 1 }],
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens, seed: 3 },
  });
  return { trajectory: trajectory as Trajectory, sent, task };
}

/** A well-formed answer. */
export const answer = (text: string) => `<answer>${text}</answer><eos>`;
