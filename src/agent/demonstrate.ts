// Demonstrated replies, made on the fly from the true state. Everything that they say about the world is right,
// except in turns that misread it, which are not learned. The decisions are mediocre: the SFT stage teaches to observe, to reply and to
// predict, and leaves the decisions to PPO.

import { type FormatId, formats } from "../core/formats.ts";
import type { Rng } from "../core/rng.ts";
import type { SceneTruth } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import { callFormat, writeFormat } from "./skeleton.ts";
import { type StateFormatId, stateFormats } from "./states.ts";
import { COMMA, DECISION } from "./templates/grid.ts";
import { templates } from "./templates/index.ts";
import type { Template } from "./templates/template.ts";

/** How good the demonstrated decisions are. */
export interface DemonstrationSkill {
  /** Share of turns with a random action. */
  randomFraction: number;
  /** Of the other turns, the share that follows a shortest path instead of the heuristic. */
  expertFraction: number;
  /** Share of turns that are misread: what they say is wrong, and what they do follows from it. Default 0. */
  misreadFraction?: number;
}

/** What a demonstrated turn depends on. */
interface DemonstrationOptions extends DemonstrationSkill {
  envId: string;
  format: FormatId;
  stateFormat?: StateFormatId;
  maxActions: number;
  /** Turns that remain, this one included. */
  turnsLeft: number;
}

/** The decision of one turn: one action as a rule, sometimes two or three. */
export function chooseActions(env: Env, random: Rng, options: DemonstrationOptions): string[] {
  const template = templates.get(options.envId);
  const truth = env.groundTruth();
  if (random.float() < options.randomFraction)
    return [template.guess?.action(random) ?? anyAction(template, truth, random)];
  const isExpert = random.float() < options.expertFraction;
  const wanted = template.actionsPerTurn?.(random, options.maxActions);
  const plan = isExpert ? expertPlan(template, env, options, wanted) : [];
  const count = wanted ?? planLength(random, plan.length, options);
  return plan.length ? plan.slice(0, count) : shortSighted(template, truth, random, count);
}

function expertPlan(
  template: Template,
  env: Env,
  { maxActions, turnsLeft }: DemonstrationOptions,
  needed?: number,
): readonly string[] {
  const plan = env.oracle(needed) ?? [];
  const left = { actions: needed ?? maxActions, turns: turnsLeft };
  return template.expert?.(env.groundTruth(), plan, left) ?? plan;
}

/** The action that a summary announces: the next of a shortest path, or the heuristic's where there is none. */
export function planNext(env: Env, random: Rng, envId: string): string[] {
  const next = env.oracle(1)?.slice(0, 1) ?? [];
  return next.length > 0 ? next : shortSighted(templates.get(envId), env.groundTruth(), random, 1);
}

/** An action at random. */
const anyAction = (template: Template, truth: SceneTruth, random: Rng): string =>
  template.anyAction?.(truth, random) ?? random.pick(template.actions);

// Long plans are rare because what lies beyond the neighbours is not among the stated facts, and a prediction over
// several unseen steps is the hardest thing to imitate. An expert hurries when one action per turn would not be enough.
function planLength(random: Rng, remaining: number, { maxActions, turnsLeft }: DemonstrationOptions): number {
  const draw = random.float();
  const wanted = draw < 0.8 ? 1 : draw < 0.96 ? 2 : 3;
  return Math.min(maxActions, Math.max(wanted, Math.ceil(remaining / turnsLeft)));
}

function shortSighted(template: Template, truth: SceneTruth, random: Rng, count: number): string[] {
  const actions: string[] = [];
  for (let state = truth; actions.length < count && !template.ended(state); ) {
    const action = template.heuristic(state, random);
    actions.push(action);
    state = template.advance(state, action);
  }
  return actions;
}

/** The state of a turn as a careless look has it; null if the turn is not misread, or a reply would not show it (`misreadTokens`). */
export function misreadState(
  env: Env,
  random: Rng,
  { envId, format, misreadFraction = 0 }: Pick<DemonstrationOptions, "envId" | "format" | "misreadFraction">,
): SceneTruth | null {
  const { misread, describe, facts, ended } = templates.get(envId);
  if (!misread || random.float() >= misreadFraction) return null;
  const { parts } = formats.get(format);
  const said = (state: SceneTruth) =>
    (parts.includes("observation") ? describe(state) : "") +
    (parts.includes("reasoning") ? facts(state) : "");
  const truth = env.groundTruth();
  const seen = misread(truth, random);
  // An agent to which the task seems to be over has nothing to do.
  return ended(seen) || said(seen) === said(truth) ? null : seen;
}

/** The decision of a turn that misread its state: what follows from it, by default straight towards the goal where it seems to be. */
export function misledActions(
  env: Env,
  seen: SceneTruth,
  random: Rng,
  options: DemonstrationOptions,
): readonly string[] {
  const template = templates.get(options.envId);
  const wanted = template.actionsPerTurn?.(random, options.maxActions);
  const plan = template.misled ? (env.oracle(wanted) ?? []) : [];
  if (template.misled && plan.length > 0)
    return template.misled(env.groundTruth(), seen, plan).slice(0, wanted);
  return shortSighted(template, seen, random, wanted ?? planLength(random, options.maxActions, options));
}

/**
 * A well-formed reply for given actions: facts, decision, prediction, answer (VAGEN-Lite: answer, prediction). This order
 * lets the decision depend on the facts, and prediction and answer follow from the decision. The prediction assumes that
 * actions work as meant.
 */
export function writeReply(
  envId: string,
  truth: SceneTruth,
  actions: readonly string[],
  format: FormatId,
  stateFormat: StateFormatId = "natural",
  guess = false,
): string {
  const template = templates.get(envId);
  const states = stateFormats.get(stateFormat);
  const answer = actions.join(template.separator ?? COMMA);
  const after = actions.reduce(template.advance, truth);
  // A wrong answer does not follow from the facts, nor does a right one whose facts have not been measured (`guess`).
  const guessed = guess || !template.ended(after) ? template.guess?.words : undefined;
  return writeFormat(formats.get(format), {
    observation: states.describe(template, truth),
    reasoning: guessed ?? reasoned(template, truth, answer),
    prediction: states.predict(template, after),
    answer,
  });
}

function reasoned(template: Template, truth: SceneTruth, answer: string): string {
  const { decision = DECISION } = template;
  const known = template.facts(truth) + (template.working?.(truth) ?? "");
  return decision === null ? known : known + decision + answer;
}

/** The next tool call of an expert, or null. `made`: earlier calls of the episode. */
export function nextCall(
  env: Env,
  { envId, format }: Pick<DemonstrationOptions, "envId" | "format">,
  made: number,
): string | null {
  const template = templates.get(envId);
  const truth = env.groundTruth();
  const call = template.calls?.(truth)[made];
  if (!call) return null;
  return writeFormat(callFormat(formats.get(format)), {
    observation: template.describe(truth),
    reasoning: call.why,
    prediction: template.predict(truth),
    answer: call.text,
  });
}
