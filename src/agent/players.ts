// Scripted policies: the demonstrator of the SFT stage, and the oracle and the random player as baselines. They run through
// the same agent loop as a network.

import type { Rng } from "../core/rng.ts";
import type { SceneTruth, Trajectory } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import { precompute } from "../envs/threads.ts";
import type { Policy, Sampling } from "../policy/policy.ts";
import { oracleActions } from "../policy/scripted/actions.ts";
import { type Script, type ScriptContext, scriptedPolicy } from "../policy/scripted/scripted.ts";
import {
  chooseActions,
  type DemonstrationSkill,
  misledActions,
  misreadState,
  nextCall,
  planNext,
  writeReply,
} from "./demonstrate.ts";
import { maxActionsOf } from "./env-options.ts";
import { play } from "./play.ts";
import type { RolloutOptions } from "./rollout.ts";
import { writeSummary } from "./summary.ts";
import { type Task, taskOf } from "./task.ts";
import { templates } from "./templates/index.ts";

/** What a player needs to write a reply. */
export type PlayerTask = Pick<
  Task,
  "spec" | "envConfig" | "format" | "stateFormat" | "maxTurns" | "vocabulary"
>;

type Choose = (env: Env, context: ScriptContext) => readonly string[];

/** A policy that writes perfect replies for the actions that `choose` gives, and good summaries. */
export function scriptedPlayer(task: PlayerTask, choose: Choose, prepare?: Prepare): Policy {
  const { spec, format, stateFormat, vocabulary } = task;
  const { noted, summarise } = summariser(task, choose);
  const script: Script = (env, context) => {
    const actions = noted(env, choose(env, context));
    const reply = writeReply(spec.id, env.groundTruth(), actions, format, stateFormat);
    return vocabulary.encode(`${reply}<eos>`);
  };
  return scriptedPolicy(script, { summarise, prepare });
}

type Prepare = (envs: readonly Env[]) => Promise<void>;

/** Lets environments that simulate their plans do so in parallel, for as many actions as will be used. */
const plansOf =
  ({ spec }: PlayerTask, plan: number): Prepare =>
  (envs) =>
    precompute(envs.map((env) => ({ env, plan, spec })));

/** What players remember of their last turn, and summaries of it. `plan` chooses what they will do next. */
function summariser({ spec, stateFormat, vocabulary }: PlayerTask, plan: Choose) {
  const last = new WeakMap<Env, { seen: SceneTruth; done: readonly string[] }>();
  return {
    /** Remembers the state and the actions of a turn; returns the actions. */
    noted(env: Env, done: readonly string[]): readonly string[] {
      last.set(env, { seen: env.groundTruth(), done });
      return done;
    },
    summarise(env: Env, context: ScriptContext): Int32Array {
      const { seen, done } = last.get(env) ?? { seen: env.groundTruth(), done: [] };
      const remembered = { envId: spec.id, stateFormat, seen, done, plan: plan(env, context) };
      return vocabulary.encode(`${writeSummary(remembered)}<eos>`);
    },
  };
}

/** Decisions without a plan. */
const SKILLS = {
  random: { randomFraction: 1, expertFraction: 0 },
  heuristic: { randomFraction: 0, expertFraction: 0 },
} as const satisfies Record<string, DemonstrationSkill>;

/** How a teacher of that skill decides when it should call a tool. */
function wayOf(random: Rng, { randomFraction, expertFraction }: DemonstrationSkill) {
  if (random.float() < randomFraction) return "random";
  return random.float() < expertFraction ? "expert" : "heuristic";
}

/** Right facts and predictions except in misread turns; decisions as good as `skill` says; an expert calls tools before it answers. */
export function demonstrator(task: PlayerTask, skill: DemonstrationSkill): Policy {
  const { spec, format, stateFormat, vocabulary } = task;
  const calls = new WeakMap<Env, number>();
  const memory = summariser(task, (env, { random }) => planNext(env, random, spec.id));
  const script: Script = (env, { turn, random }) => {
    const options = {
      ...skill,
      envId: spec.id,
      format,
      maxActions: maxActionsOf(task.envConfig),
      turnsLeft: Math.max(1, task.maxTurns - turn),
    };
    const made = calls.get(env) ?? 0;
    const call = nextCall(env, options, made);
    const how = call === null ? null : wayOf(random.fork("call"), skill);
    if (how === "expert") {
      calls.set(env, made + 1);
      memory.noted(env, []);
      return vocabulary.encode(`${call}<eos>`);
    }
    // Without the tool's answer it can only guess.
    const skilled = how === null ? options : { ...options, ...SKILLS[how] };
    const seen = misreadState(env, random.fork("look"), options);
    const actions = memory.noted(
      env,
      seen ? misledActions(env, seen, random, options) : chooseActions(env, random, skilled),
    );
    const reply = writeReply(spec.id, seen ?? env.groundTruth(), actions, format, stateFormat, how !== null);
    return vocabulary.encode(`${reply}<eos>`);
  };
  // Plans are made ahead for every game, so they are worth it where most turns follow one.
  const isExpert = (1 - skill.randomFraction) * skill.expertFraction >= 0.5;
  const prepare = isExpert ? plansOf(task, maxActionsOf(task.envConfig)) : undefined;
  return scriptedPolicy(script, { summarise: memory.summarise, prepare });
}

/** As many actions of a shortest path as a turn may hold: the highest success that the rules allow. */
export function oraclePlayer(task: PlayerTask): Policy {
  // No plan (a box in a corner): the game is lost, any action will do.
  return scriptedPlayer(
    task,
    (env, { random }) => oracleActions(env, maxActionsOf(task.envConfig)) ?? randomActions(task, env, random),
    plansOf(task, Number.POSITIVE_INFINITY),
  );
}

/** As many actions as a turn may hold, of those that the template repeats whatever there is to see. */
export function blindPlayer(task: PlayerTask): Policy {
  const actions = templates.get(task.spec.id).blind ?? [];
  const most = maxActionsOf(task.envConfig);
  return scriptedPlayer(task, (_env, { turn }) =>
    Array.from({ length: most }, (_, i) => actions[(turn * most + i) % actions.length]!),
  );
}

/** One random action per turn, of all that have a meaning. */
export function randomPlayer(task: PlayerTask): Policy {
  return scriptedPlayer(task, (env, { random }) => randomActions(task, env, random));
}

/** Templates know which actions have a meaning; an environment may have more actions than its template has words for. */
const randomActions = ({ spec }: PlayerTask, env: Env, random: Rng): readonly string[] => [
  templates.get(spec.id).anyAction?.(env.groundTruth(), random) ?? random.pick(spec.actions),
];

/** A batch of demonstrations for the SFT stage. */
interface DemonstrationBatch extends Omit<RolloutOptions, "policy" | "sampling"> {
  skill: DemonstrationSkill;
  /** Cuts every episode, and its return, after the first turn: the cheap first part of the SFT curriculum. */
  oneTurn: boolean;
  /** Seeds the demonstrator's decisions, together with the key of each episode. */
  seed: number;
}

/** Demonstrated trajectories, judged and rewarded like sampled ones; their log-probabilities are 0. */
export async function demonstrationBatch(batch: DemonstrationBatch): Promise<Trajectory[]> {
  const { episodes } = batch;
  const demonstrated: Trajectory[] = [];
  for (const entry of new Set(episodes.map((episode) => episode.entry))) {
    const own = episodes.flatMap((episode, i) => (episode.entry === entry ? [i] : []));
    const trajectories = await demonstrationsIn(taskOf(batch.task, { entry }), {
      ...batch,
      episodes: own.map((i) => episodes[i]!),
    });
    for (const [k, i] of own.entries()) demonstrated[i] = trajectories[k]!;
  }
  return demonstrated;
}

/** Demonstrations in one environment. */
function demonstrationsIn(
  inEnv: Task,
  { skill, oneTurn, seed, ...options }: DemonstrationBatch,
): Promise<Trajectory[]> {
  // Nothing follows the only turn, so misreading it would teach nothing.
  const policy = demonstrator(inEnv, oneTurn ? { ...skill, misreadFraction: 0 } : skill);
  const task = oneTurn ? { ...inEnv, maxTurns: 1 } : inEnv;
  return play({ ...options, task, policy, sampling: uncut(seed) });
}

/** Scripts are never cut and have no temperature. */
const uncut = (seed: number): Sampling => ({
  temperature: 0,
  topP: 1,
  topK: 0,
  maxTokens: Number.MAX_SAFE_INTEGER,
  seed,
});
