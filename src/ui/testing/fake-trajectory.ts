// Test aid only: episodes of a scripted player in the real environments, in the shape that the trainer sends.
// Nothing of this reaches the product; the build contains no import of this folder.
import { conversation, turnSequences } from "../../agent/conversation.ts";
import { compactObservation, observationIds, openingIds } from "../../agent/prompt.ts";
import { parseReply } from "../../agent/reply.ts";
import { writeFormat } from "../../agent/skeleton.ts";
import { templates } from "../../agent/templates/index.ts";
import { createVocabulary } from "../../agent/vocabulary.ts";
import { formats } from "../../core/formats.ts";
import { type Rng, rng } from "../../core/rng.ts";
import { isBoard } from "../../core/scene.ts";
import type {
  BoardTruth,
  SceneTruth,
  Trajectory,
  TrajectoryTokens,
  Turn,
  Verdict,
} from "../../core/types.ts";
import type { Env } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";

export interface FakeOptions {
  id?: string;
  envId?: string;
  seed?: number;
  /** Probability of the right thing at every choice. */
  skill?: number;
  maxTurns?: number;
  /** Each turn is a row with this many turns before it; absent: one conversation. */
  history?: number;
}

/** One episode, deterministic in its options. */
export function fakeTrajectory(options: FakeOptions = {}): Trajectory {
  const { id = "t1", envId = "frozenlake", seed = 7, skill = 0.8, maxTurns = 5 } = options;
  const spec = envs.get(envId);
  const random = rng(seed * 1000 + Math.round(skill * 100)).fork(id);
  const env = spec.create(spec.config.parse({}));
  env.reset(seed);
  const turns: Turn[] = [];
  let [terminated, success] = [false, false];
  while (turns.length < maxTurns && !terminated) {
    const played = fakeTurn({ envId, env, random, skill, maxTurns }, turns.length);
    turns.push(played.turn);
    ({ terminated, success } = played);
  }
  return {
    id,
    envId,
    seed,
    groupId: `g${seed}`,
    turns,
    terminated,
    truncated: !terminated,
    success,
    tokens: fakeTokens(envId, turns, random, options.history),
  };
}

interface Player {
  envId: string;
  env: Env;
  random: Rng;
  skill: number;
  maxTurns: number;
}

/** What the player says, and the action that it means. */
function fakeReply({ envId, env, random, skill }: Player): {
  reply: string;
  move: string;
  believed: SceneTruth;
} {
  const template = templates.get(envId);
  const before = env.groundTruth();
  const sees = random.float() < 0.5 + skill / 2;
  const believed = sees ? before : mistaken(before);
  const action = random.float() < skill ? env.oracle()?.[0] : undefined;
  const move = action ?? random.pick(envs.get(envId).actions);
  const talksWell = random.float() < 0.85 + skill * 0.15;
  const text = writeFormat(formats.get("grounding_worldmodeling"), {
    observation: template.describe(believed),
    reasoning: `${template.facts(believed)} ; so move ${move}`,
    prediction: template.predict(template.advance(believed, move)),
    answer: move,
  });
  return { reply: talksWell ? text : text.replace("</reasoning>", ""), move, believed };
}

/** A wrong belief about a state: the figure is in a corner, or nothing is in view. */
const mistaken = (truth: SceneTruth): SceneTruth =>
  isBoard(truth) ? { ...truth, player: [0, truth.cols - 1] as const } : { ...truth, things: [] };

function fakeTurn(player: Player, index: number): { turn: Turn; terminated: boolean; success: boolean } {
  const { envId, env, maxTurns } = player;
  const { actions, readAction, separator = "," } = envs.get(envId);
  const before = env.groundTruth();
  const { reply, move, believed } = fakeReply(player);
  const parsed = parseReply(reply, {
    ...{ format: "grounding_worldmodeling", actions, separator, maxActions: 3 },
    ...(readAction && { readAction }),
  });
  const observation = { text: `turn ${index + 1}\n<image>`, images: [env.render(8)] };
  let [terminated, success] = [false, false];
  const executed = parsed.actions.map((name) => {
    const result = env.step(name);
    terminated ||= result.terminated;
    success ||= result.success;
    return { name, valid: true, effective: result.effective, note: result.note };
  });
  const after = env.groundTruth();
  const verdicts = {
    observation: verdict(parsed.formatOk, believed, before),
    prediction: verdict(parsed.formatOk, templates.get(envId).advance(believed, move), after),
  };
  const rewards = {
    task: success && terminated ? 1 : 0,
    format: parsed.formatOk ? 0.02 : 0,
    state_estimation: (0.25 * verdicts.observation.score) / maxTurns,
    transition_modeling: (0.25 * verdicts.prediction.score) / maxTurns,
  };
  const turn: Turn = {
    ...{ index, observation, reply, parsed, executed, verdicts, before, after },
    ...{ rewards, taskReward: rewards.task, reward: Object.values(rewards).reduce((a, b) => a + b, 0) },
    actionIsEffective: executed.some((e) => e.effective),
    actionIsValid: executed.length > 0,
  };
  return { turn, terminated, success };
}

function verdict(formatOk: boolean, claimed: SceneTruth, truth: SceneTruth): Verdict {
  if (!formatOk)
    return { status: "format", score: 0, judge: "rule", reason: "the format is wrong", fields: [] };
  const field = isBoard(claimed) && isBoard(truth) ? playerField(claimed, truth) : viewField(claimed, truth);
  return {
    status: field.ok ? "match" : "mismatch",
    score: field.ok ? 1 : 0,
    judge: "rule",
    reason: field.ok ? "every field is right" : `${field.name} is elsewhere`,
    fields: [field],
  };
}

function playerField(claimed: BoardTruth, truth: BoardTruth): Verdict["fields"][number] {
  const write = ([row, col]: readonly [number, number] = [0, 0]) => `row ${row} col ${col}`;
  const [predicted, real] = [write(claimed.player), write(truth.player)];
  const cells = [claimed.player ?? ([0, 0] as const)];
  return { name: "player", predicted, truth: real, ok: predicted === real, cells };
}

/** Of a world: whether as many things are in view. */
function viewField(claimed: SceneTruth, truth: SceneTruth): Verdict["fields"][number] {
  const count = (scene: SceneTruth) => `${isBoard(scene) ? 0 : scene.things.length} in view`;
  const [predicted, real] = [count(claimed), count(truth)];
  return { name: "target", predicted, truth: real, ok: predicted === real };
}

/** The tokens of the conversation as the agent loop would record them, with made-up values and advantages. */
function fakeTokens(
  envId: string,
  turns: readonly Turn[],
  random: Rng,
  history: number | undefined,
): TrajectoryTokens {
  const vocabulary = createVocabulary();
  const talk = conversation(vocabulary.image);
  talk.addOpening(openingIds(vocabulary, { envId, format: "grounding_worldmodeling" }));
  for (const turn of turns) {
    const executed = turns[turn.index - 1]?.executed ?? [];
    const observation = compactObservation({ turn: turn.index, executed, board: "<image>" });
    const imageTokens = isBoard(turn.before) ? turn.before.rows * turn.before.cols : 64;
    talk.addPrompt(observationIds(vocabulary, { observation, imageTokens }));
    const ids = Int32Array.of(...vocabulary.encode(turn.reply), vocabulary.eos);
    talk.addReply({ ids, logprobs: Float32Array.from(ids, () => Math.log(0.3 + 0.7 * random.float())) });
  }
  const tokens = talk.finish(
    turns.map((turn) => turn.reward),
    history === undefined ? undefined : turnSequences(turns.length, history),
  );
  const T = tokens.ids.length;
  const total = turns.reduce((sum, turn) => sum + turn.reward, 0);
  const byPolicy = (f: (i: number) => number) =>
    Float32Array.from({ length: T }, (_, i) => (tokens.responseMask[i] ? f(i) : 0));
  return {
    ...tokens,
    values: byPolicy((i) => total * (0.4 + (0.5 * i) / T)),
    advantages: byPolicy((i) => (total - 0.6) * 1.4 * (0.5 + i / T) + 0.5 * (random.float() - 0.5)),
    returns: byPolicy(() => total),
    entropy: byPolicy(() => 0.6 * random.float() ** 4),
  };
}
